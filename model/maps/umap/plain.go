package umap

import (
	"context"

	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/maps/places"
)

// Plain is a Device without a device: sums in float64 on the host's cores, between positions in float32. It is what
// others are judged by, and serves where an engine has none of its own.
type Plain struct {
	Threads int // at most; 0: all cores
}

var (
	_ Device = Plain{}
	_ Body   = (*plainBody)(nil)
)

// Pace is that of a processor of 2023.
func (d Plain) Pace(int) float64 { return 3e4 * float64(d.cores()) }

func (d Plain) cores() int {
	if d.Threads > 0 {
		return d.Threads
	}
	return par.Cores()
}

// Open takes a graph.
func (d Plain) Open(ctx context.Context, g *Graph, dims int) (Body, error) {
	b := &plainBody{dims: dims, threads: d.cores()}
	for _, a := range []*[]float32{&b.y, &b.next, &b.was} {
		*a = make([]float32, g.N*dims)
	}
	b.held = make([]bool, g.N)
	return b, b.Swap(ctx, g)
}

type plainBody struct {
	dims, threads int
	g             *Graph
	rate          []uint32
	y, next, was  []float32 // was: y of when the epoch began, once y and next are other ones
	held          []bool
	heat          []float32 // nil: all alike
}

func (b *plainBody) Swap(ctx context.Context, g *Graph) error {
	b.g, b.rate = g, Rates(g)
	return ctx.Err()
}

func (b *plainBody) Load(ctx context.Context, s *State) error {
	if len(s.Y) != len(b.y) {
		return problem.New("", "this is a defect of the program", "a map of %d points has %d coordinates", b.g.N,
			len(s.Y))
	}
	copy(b.y, s.Y)
	clear(b.held)
	for _, id := range s.Held {
		b.held[id] = true
	}
	return b.Warm(ctx, nil)
}

func (b *plainBody) Warm(ctx context.Context, heat []float32) error {
	b.heat = heat
	return ctx.Err()
}

func (b *plainBody) Save(ctx context.Context, s *State) error {
	s.Dims, s.Y, s.Held = b.dims, append(s.Y[:0], b.y...), s.Held[:0]
	for id, held := range b.held {
		if held {
			s.Held = append(s.Held, int32(id))
		}
	}
	return ctx.Err()
}

func (b *plainBody) Advance(ctx context.Context, batch Batch) (done int, err error) {
	for done, alpha := range batch.Alpha {
		m := mover{plainBody: b, k: batch.Kernel, alpha: alpha, epoch: batch.Epoch + done, negatives: batch.Negatives}
		if err := m.pass(ctx, batch.Seed); err != nil {
			return done, err
		}
	}
	return len(batch.Alpha), nil
}

// mover is a sub-step.
type mover struct {
	*plainBody
	k           Kernel
	alpha       float64
	epoch, part int
	negatives   int
	one, two    uint32 // keys
}

// pass does an epoch. One that is called back has not been.
func (m *mover) pass(ctx context.Context, seed uint64) error {
	for part := range Parts {
		m.part = part
		m.one, m.two = Keys(seed, m.epoch, part)
		err := par.On(ctx, m.threads, m.g.N, block, m.move)
		switch {
		case err == nil && part == 0:
			m.y, m.next, m.was = m.next, m.was, m.y
		case err == nil:
			m.y, m.next = m.next, m.y
		case part > 0:
			m.y, m.was = m.was, m.y
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) move(_, from, to int) {
	for i := from; i < to; i++ {
		at := m.y[i*m.dims : (i+1)*m.dims]
		sum := [3]float64{}
		alpha := m.alpha
		if m.heat != nil {
			alpha *= float64(m.heat[i])
		}
		if !m.held[i] && alpha > 0 {
			sum = m.pull(i)
		}
		for c, v := range at {
			m.next[i*m.dims+c] = float32(float64(v) + alpha*sum[c])
		}
	}
}

// pull adds up what moves point i.
func (m *mover) pull(i int) (sum [3]float64) {
	acting := m.epoch
	counter := uint32(m.g.Start[i]) * uint32(m.negatives)
	for e := m.g.Start[i]; e < m.g.Start[i+1]; e++ {
		if !Acts(m.rate[e], m.epoch) {
			continue
		}
		if acting++; (acting-1)%Parts != m.part {
			continue
		}
		r, s := m.away(i, int(m.g.Column[e]))
		f := m.k.Draw(s)
		for c := range m.dims {
			sum[c] += 2 * Clip(f*r[c])
		}
		for range m.negatives {
			j := Drawn(counter, m.one, m.two, m.g.N)
			counter++
			if j == i {
				continue
			}
			r, s := m.away(i, j)
			if s == 0 {
				r = Apart(i, j, m.dims)
			}
			f := 1.0
			if s > 0 {
				f = m.k.Push(s)
			}
			for c := range m.dims {
				sum[c] += Clip(f * r[c])
			}
		}
	}
	return sum
}

// away is the difference of two points, and its square.
func (m *mover) away(i, j int) (r [3]float64, s float64) {
	for c := range m.dims {
		r[c] = float64(m.y[i*m.dims+c]) - float64(m.y[j*m.dims+c])
		s += r[c] * r[c]
	}
	return r, s
}

func (b *plainBody) Hold(ctx context.Context, ids []int32, places []float32) error {
	for k, id := range ids {
		b.held[id] = true
		copy(b.y[int(id)*b.dims:int(id+1)*b.dims], places[k*b.dims:])
	}
	return ctx.Err()
}

func (b *plainBody) Release(ctx context.Context, ids []int32) error {
	for _, id := range ids {
		b.held[id] = false
	}
	return ctx.Err()
}

func (b *plainBody) Positions(ctx context.Context, dst places.Target) error {
	copy(dst.Host(), b.y)
	dst.Upload(0, b.g.N)
	return ctx.Err()
}

func (b *plainBody) Close() {}
