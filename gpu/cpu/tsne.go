package cpu

import (
	"context"
	"math"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/maps/places"
	"blossom/model/maps/tsne"
	"blossom/model/work/engine"
)

// tsneDevice opens maps on the processor, each with threads of its own.
type tsneDevice struct {
	v       variant
	threads int
}

var (
	_ tsne.Device = (*tsneDevice)(nil)
	_ tsne.Body   = (*tsneBody)(nil)
)

// Traits are costs in ns on one core of a processor of 2023.
func (d *tsneDevice) Traits(dims int) tsne.Traits {
	t := tsne.Traits{Methods: []tsne.Method{tsne.Exact, tsne.Tree}, Exact: 2000, Field: d.v.field, Tree: d.v.tree}
	cores := float64(min(d.threads, 16)) // more wait for memory
	if t.Pace = 0.7e6 * cores; dims == 2 {
		t.Methods, t.Pace = append(t.Methods, tsne.Field), 4e6*cores
	}
	return t
}

func (d *tsneDevice) Open(ctx context.Context, p *tsne.Sparse, dims int) (tsne.Body, error) {
	b := &tsneBody{k: d.v.tsne(), pool: newPool(d.threads)}
	b.swarm = swarm{n: p.N, dims: dims, stride: 2}
	if dims == 3 {
		b.stride = 4
	}
	err := b.room()
	if err == nil {
		err = b.Swap(ctx, p)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// tsneBody is a map in memory. Points are in slots: slots[i] is the row that slot i holds.
type tsneBody struct {
	swarm
	k      tsneKernel
	pool   *pool
	p      *tsne.Sparse
	slots  []int32
	at     []int32 // the slot of each row
	sorter sorter
	curved bool // there is an order along the curve
	grid   grid
	tiles  []int32 // where the points of each tile of lattice rows begin in bin
	counts []int32 // points of each tile, by blocks of slots
	plan   tsne.Plan
	push   push
	theta2 float32
	z      float64 // sum of weights in the last unit
	last   tsne.Measure
	fresh  bool // last is how the map lies
	parts  []moved
	timed  func(string, time.Duration) // told the time of each step of the batch
	since  time.Time
	sums   []float64
	task   func(worker, from, to int)
}

// noMemory says how much is missing.
func (b *tsneBody) noMemory(bytes int64) error {
	return problem.New("", "use fewer points or close other programs",
		"there is not enough memory for a map of %d points, which takes %d MB", b.n, bytes>>20)
}

// room takes the memory that depends on the number of points alone.
func (b *tsneBody) room() error {
	padded := (b.n + groupPoints - 1) / groupPoints * groupPoints
	var err error
	floats := func(n int) (s []float32) {
		if err == nil {
			s, err = b.k.floats(n)
		}
		return s
	}
	words := func(n int) (s []int32) {
		if err == nil {
			s, err = b.k.words(n)
		}
		return s
	}
	size := b.n * b.stride
	for _, a := range []*[]float32{&b.y, &b.next, &b.v, &b.gain, &b.att, &b.rep, &b.loose} {
		*a = floats(size + 16)
	}
	b.curve, b.bin, b.start = words(b.n), words(b.n), words(b.n+1)
	at := 0
	for c := (b.n + leafPoints - 1) / leafPoints; ; c = (c + 3) / 4 {
		b.level = append(b.level, int32(at))
		at += c
		if c <= 1 {
			break
		}
	}
	b.level = append(b.level, int32(at))
	for c := range b.flat {
		b.flat[c] = floats(padded)
		b.mean[c], b.lo[c], b.hi[c] = floats(at+16), floats(at+16), floats(at+16)
	}
	b.mass, b.side2 = floats(at+16), floats(at+16)
	b.slots, b.at = make([]int32, b.n), make([]int32, b.n)
	b.parts = make([]moved, (b.n+slotBlock-1)/slotBlock)
	b.sums = make([]float64, max(len(b.parts), tsne.MostNodes+16))
	if err != nil {
		return b.noMemory(int64(b.n) * 120)
	}
	b.number(nil)
	return nil
}

// number puts rows into slots; nil: as they come.
func (b *tsneBody) number(slots []int32) {
	for i := range b.slots {
		if slots == nil {
			b.slots[i] = int32(i)
		} else {
			b.slots[i] = slots[i]
		}
	}
	for i, row := range b.slots {
		b.at[row] = int32(i)
	}
}

// Swap takes affinities, into the order of slots. Where memory does not suffice the former ones stay.
func (b *tsneBody) Swap(ctx context.Context, p *tsne.Sparse) error {
	lanes := int64(b.k.lanes())
	vectors := int64(0)
	for i := range b.n {
		vectors += (p.Start[i+1] - p.Start[i] + lanes - 1) / lanes
	}
	if have := int64(len(b.column)) / lanes; vectors > have || have == 0 {
		if vectors > math.MaxInt32 {
			return b.noMemory(vectors * lanes * 8)
		}
		column, err := b.k.words(int(max(1, vectors) * lanes))
		if err != nil {
			return b.noMemory(vectors * lanes * 8)
		}
		value, err := b.k.floats(len(column))
		if err != nil {
			b.k.drop(column, nil)
			return b.noMemory(vectors * lanes * 8)
		}
		defer b.k.drop(b.column, b.value) // the former ones, when nothing points there any more
		b.column, b.value = column, value
	}
	b.p = p
	b.deal()
	return ctx.Err()
}

// deal writes the affinities in the order of slots. A row keeps the order of its columns, so that its sums do not see
// how points are numbered.
func (b *tsneBody) deal() {
	lanes := int64(b.k.lanes())
	b.start[0] = 0
	for i, row := range b.slots {
		edges := b.p.Start[row+1] - b.p.Start[row]
		b.start[i+1] = b.start[i] + int32((edges+lanes-1)/lanes)
	}
	b.run(slotBlock, b.n, func(_, from, to int) {
		for i := from; i < to; i++ {
			row := b.slots[i]
			at := int64(b.start[i]) * lanes
			for e := b.p.Start[row]; e < b.p.Start[row+1]; e++ {
				b.column[at], b.value[at] = b.at[b.p.Column[e]], b.p.Value[e]
				at++
			}
			for ; at < int64(b.start[i+1])*lanes; at++ {
				b.column[at], b.value[at] = int32(i), 0
			}
		}
	})
	b.k.bind(&b.swarm)
}

// run does blocks of [0, n) on the body's threads. It is not to be cancelled.
func (b *tsneBody) run(block, n int, fn func(worker, from, to int)) {
	b.task = fn
	_ = b.pool.run(context.Background(), 0, n, block, b) // never cancelled
	b.task = nil
}

// doRange implements task.
func (b *tsneBody) doRange(worker, from, to int) { b.task(worker, from, to) }

func (b *tsneBody) Load(ctx context.Context, s *tsne.State) error {
	was := slices.Clone(b.slots)
	b.number(s.Slots)
	for i := range b.loose {
		b.loose[i] = 1
	}
	for _, row := range s.Held {
		b.loosen(int(row), 0)
	}
	for i, row := range b.slots {
		for c := range b.dims {
			from, to := int(row)*b.dims+c, i*b.stride+c
			b.y[to], b.v[to], b.gain[to] = s.Y[from], s.V[from], s.Gain[from]
		}
	}
	b.curved = s.Curve != nil
	for i, row := range s.Curve {
		b.curve[i] = b.at[row]
	}
	b.fresh, b.z = false, 0
	if !slices.Equal(was, b.slots) {
		b.deal()
	}
	return ctx.Err()
}

func (b *tsneBody) Save(ctx context.Context, s *tsne.State) error {
	size := b.n * b.dims
	s.Dims = b.dims
	s.Y, s.V, s.Gain = grown(s.Y, size), grown(s.V, size), grown(s.Gain, size)
	s.Held, s.Curve = s.Held[:0], s.Curve[:0]
	for i, row := range b.slots {
		for c := range b.dims {
			to, from := int(row)*b.dims+c, i*b.stride+c
			s.Y[to], s.V[to], s.Gain[to] = b.y[from], b.v[from], b.gain[from]
		}
	}
	for row, i := range b.at {
		if b.loose[int(i)*b.stride] == 0 {
			s.Held = append(s.Held, int32(row))
		}
	}
	s.Slots = append(s.Slots[:0], b.slots...)
	if b.curved {
		for _, i := range b.curve {
			s.Curve = append(s.Curve, b.slots[i])
		}
	}
	if len(s.Curve) == 0 {
		s.Curve = nil
	}
	return ctx.Err()
}

// loosen says whether a row may move.
func (b *tsneBody) loosen(row int, f float32) {
	at := int(b.at[row]) * b.stride
	for c := at; c < at+b.stride; c++ {
		b.loose[c] = f
	}
}

func grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

func (b *tsneBody) Hold(ctx context.Context, ids []int32, places []float32) error {
	for j, row := range ids {
		i := int(b.at[row])
		b.loosen(int(row), 0)
		for c := range b.dims {
			b.y[i*b.stride+c], b.v[i*b.stride+c] = places[j*b.dims+c], 0
		}
	}
	b.fresh = false
	return ctx.Err()
}

func (b *tsneBody) Release(ctx context.Context, ids []int32) error {
	for _, row := range ids {
		i := int(b.at[row])
		b.loosen(int(row), 1)
		for c := range b.dims {
			b.v[i*b.stride+c], b.gain[i*b.stride+c] = 0, 1
		}
	}
	return ctx.Err()
}

func (b *tsneBody) Positions(ctx context.Context, dst places.Target) error {
	if err := engine.CheckTarget(dst, b.n, b.dims); err != nil {
		return err
	}
	out := dst.Host()
	for i, row := range b.slots {
		copy(out[int(row)*b.dims:(int(row)+1)*b.dims], b.y[i*b.stride:])
	}
	dst.Upload(0, b.n)
	return ctx.Err()
}

func (b *tsneBody) Close() {
	b.pool.close()
	b.k.release()
	b.swarm = swarm{}
}
