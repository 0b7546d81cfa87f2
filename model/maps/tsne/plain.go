package tsne

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/maps/places"
)

// Plain is a Device without a device: all pairs in float64 on the host's cores, between positions in float32. It serves
// where an engine has none of its own, for some thousand points.
type Plain struct{}

var (
	_ Device = Plain{}
	_ Body   = (*plainBody)(nil)
)

// Traits says that all pairs are all that there is.
func (Plain) Traits(int) Traits { return Traits{Methods: []Method{Exact}, Exact: math.MaxInt32} }

// Open takes affinities.
func (Plain) Open(_ context.Context, p *Sparse, dims int) (Body, error) {
	b := &plainBody{dims: dims, held: map[int32]bool{}}
	b.swap(p)
	return b, nil
}

type plainBody struct {
	dims   int
	p      *Affinities
	s      State
	held   map[int32]bool
	y, g   []float64
	f      Forces
	last   Measure
	motion Motion
}

func (b *plainBody) swap(p *Sparse) {
	b.p = &Affinities{N: p.N, Start: p.Start, Column: p.Column, Value: make([]float64, len(p.Value)),
		Perplexity: p.Perplexity, Entropy: p.Entropy}
	for e, v := range p.Value {
		b.p.Value[e] = float64(v)
	}
}

func (b *plainBody) Swap(_ context.Context, p *Sparse) error {
	b.swap(p)
	return nil
}

func (b *plainBody) Load(_ context.Context, s *State) error {
	size := b.p.N * b.dims
	if len(s.Y) != size || len(s.V) != size || len(s.Gain) != size {
		return problem.New("", "this is a defect of the program", "a map of %d points has %d coordinates", b.p.N,
			len(s.Y))
	}
	b.s.Y, b.s.V, b.s.Gain = slices.Clone(s.Y), slices.Clone(s.V), slices.Clone(s.Gain)
	clear(b.held)
	for _, id := range s.Held {
		b.held[id] = true
	}
	b.y, b.g = make([]float64, size), make([]float64, size)
	b.motion = NewMotion(size)
	b.last = s.Last
	return nil
}

func (b *plainBody) Save(_ context.Context, s *State) error {
	s.Y, s.V, s.Gain = append(s.Y[:0], b.s.Y...), append(s.V[:0], b.s.V...), append(s.Gain[:0], b.s.Gain...)
	s.Held = s.Held[:0]
	for id := range b.held {
		s.Held = append(s.Held, id)
	}
	slices.Sort(s.Held)
	s.Slots, s.Curve = nil, nil
	return nil
}

// forces computes them at the present positions.
func (b *plainBody) forces() {
	for c, v := range b.s.Y {
		b.y[c] = float64(v)
	}
	b.f.Of(b.p, b.y, b.dims)
}

func (b *plainBody) Advance(ctx context.Context, batch Batch) (done int, err error) {
	for done < batch.Units {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		b.unit(batch)
		done++
	}
	if batch.Centre {
		b.centre()
	}
	return done, nil
}

func (b *plainBody) unit(batch Batch) {
	b.forces()
	b.f.Gradient(batch.E, b.g)
	for c := range b.g {
		b.motion.V[c], b.motion.Gain[c] = float64(b.s.V[c]), float64(b.s.Gain[c])
	}
	b.motion.Push(b.g, b.dims, batch.Mu, batch.Eta)
	sum, size := 0.0, 0.0
	for c, v := range b.motion.V {
		b.s.Gain[c] = float32(b.motion.Gain[c])
		if b.held[int32(c/b.dims)] {
			v = 0
		}
		b.s.V[c] = float32(v)
		b.s.Y[c] += float32(v)
		sum += v * v
		size += float64(b.s.Y[c]) * float64(b.s.Y[c])
	}
	n := float64(max(1, b.p.N))
	b.last = Measure{Step: math.Sqrt(sum / n), Z: b.f.Z}
	if rms := math.Sqrt(size / n); rms < batch.LeastRadius && rms > 0 {
		f := float32(batch.LeastRadius / rms)
		for c := range b.s.Y {
			b.s.Y[c] *= f
			b.s.V[c] *= f
		}
	}
}

// centre takes the mean away.
func (b *plainBody) centre() {
	column := make([]float64, b.p.N)
	for c := range b.dims {
		for i := range column {
			column[i] = float64(b.s.Y[i*b.dims+c])
		}
		mean := float32(Total(column) / float64(b.p.N))
		for i := range column {
			b.s.Y[i*b.dims+c] -= mean
		}
	}
}

func (b *plainBody) Measure(context.Context) (Measure, error) {
	m := b.last
	m.Lo, m.Hi = [3]float64{}, [3]float64{}
	for c, v := range b.s.Y {
		axis, at := c%b.dims, float64(v)
		if c < b.dims {
			m.Lo[axis], m.Hi[axis] = at, at
		}
		m.Lo[axis], m.Hi[axis] = min(m.Lo[axis], at), max(m.Hi[axis], at)
	}
	return m, nil
}

func (b *plainBody) Evaluate(_ context.Context, _ Plan, out *Evaluation) error {
	b.forces()
	for c := range out.Attraction {
		out.Attraction[c] = float32(b.f.Attraction[c])
	}
	for c := range out.Repulsion {
		out.Repulsion[c] = float32(b.f.Repulsion[c])
	}
	out.Z, out.KL = b.f.Z, b.f.KL
	return nil
}

func (b *plainBody) Hold(_ context.Context, ids []int32, places []float32) error {
	for k, id := range ids {
		b.held[id] = true
		for c := range b.dims {
			at := int(id)*b.dims + c
			b.s.Y[at], b.s.V[at] = places[k*b.dims+c], 0
		}
	}
	return nil
}

func (b *plainBody) Release(_ context.Context, ids []int32) error {
	for _, id := range ids {
		delete(b.held, id)
		for c := range b.dims {
			at := int(id)*b.dims + c
			b.s.V[at], b.s.Gain[at] = 0, 1
		}
	}
	return nil
}

func (b *plainBody) Positions(_ context.Context, dst places.Target) error {
	copy(dst.Host(), b.s.Y)
	dst.Upload(0, b.p.N)
	return nil
}

func (b *plainBody) Close() {}
