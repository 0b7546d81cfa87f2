package cpu

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/maps/places"
	"blossom/model/maps/umap"
	"blossom/model/work/engine"
)

// umapDevice opens maps on the processor, each with threads of its own.
type umapDevice struct {
	v       variant
	threads int
}

var (
	_ umap.Device = (*umapDevice)(nil)
	_ umap.Body   = (*umapBody)(nil)
)

// umapBlock is how many points a worker takes at a time.
const umapBlock = 256

// Pace is that of a processor of 2023.
func (d *umapDevice) Pace(dims int) float64 {
	if d.v.umap == nil {
		return umap.Plain{Threads: d.threads}.Pace(dims)
	}
	return 0.9e6 * float64(min(d.threads, 16)) // more wait for memory
}

func (d *umapDevice) Open(ctx context.Context, g *umap.Graph, dims int) (umap.Body, error) {
	if d.v.umap == nil {
		return umap.Plain{Threads: d.threads}.Open(ctx, g, dims)
	}
	b := &umapBody{k: d.v.umap(), pool: newPool(d.threads)}
	b.flock = flock{n: g.N, dims: dims, stride: 2}
	if dims == 3 {
		b.stride = 4
	}
	err := b.room()
	if err == nil {
		err = b.Swap(ctx, g)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// umapBody is a map in memory.
type umapBody struct {
	flock
	k    umapKernel
	pool *pool
	step umapStep
	held []bool
	heat []float32 // how much steps of points count that are not held; nil: all alike
}

// room takes the memory that depends on the number of points alone.
func (b *umapBody) room() error {
	size := b.n*b.stride + widest
	for _, a := range []*[]float32{&b.y, &b.next, &b.was, &b.loose} {
		var err error
		if *a, err = b.k.floats(size); err != nil {
			return problem.New("", "use fewer points or close other programs",
				"there is not enough memory for a map of %d points, which takes %d MB", b.n, 4*size>>18)
		}
	}
	b.held = make([]bool, b.n)
	return nil
}

func (b *umapBody) Warm(ctx context.Context, heat []float32) error {
	b.heat = heat
	for i := range b.n {
		b.loosen(i)
	}
	return ctx.Err()
}

// loosen says how much the steps of a point count.
func (b *umapBody) loosen(i int) {
	switch {
	case b.held[i]:
		b.loose[i] = 0
	case b.heat == nil:
		b.loose[i] = 1
	default:
		b.loose[i] = b.heat[i]
	}
}

func (b *umapBody) Swap(ctx context.Context, g *umap.Graph) error {
	b.start, b.column = g.Start, g.Column
	b.rate = append(umap.Rates(g), make([]uint32, widest)...)
	b.k.bind(&b.flock)
	return ctx.Err()
}

func (b *umapBody) Load(ctx context.Context, s *umap.State) error {
	if len(s.Y) != b.n*b.dims {
		return problem.New("", "this is a defect of the program", "a map of %d points has %d coordinates", b.n,
			len(s.Y))
	}
	for i := range b.n {
		copy(b.y[i*b.stride:], s.Y[i*b.dims:(i+1)*b.dims])
	}
	clear(b.held)
	for _, id := range s.Held {
		b.held[id] = true
	}
	return b.Warm(ctx, nil)
}

func (b *umapBody) Save(ctx context.Context, s *umap.State) error {
	s.Dims, s.Y, s.Held = b.dims, slices.Grow(s.Y[:0], b.n*b.dims), s.Held[:0]
	for i := range b.n {
		s.Y = append(s.Y, b.y[i*b.stride:i*b.stride+b.dims]...)
		if b.held[i] {
			s.Held = append(s.Held, int32(i))
		}
	}
	return ctx.Err()
}

func (b *umapBody) Advance(ctx context.Context, batch umap.Batch) (done int, err error) {
	for done, alpha := range batch.Alpha {
		b.step = umapStep{kernel: batch.Kernel, alpha: alpha, epoch: batch.Epoch + done, negatives: batch.Negatives}
		if err := b.pass(ctx, batch.Seed); err != nil {
			return done, err
		}
	}
	return len(batch.Alpha), nil
}

// pass does an epoch. One that is called back has not been.
func (b *umapBody) pass(ctx context.Context, seed uint64) error {
	for part := range umap.Parts {
		b.step.part = part
		b.step.one, b.step.two = umap.Keys(seed, b.step.epoch, part)
		err := b.pool.run(ctx, 0, b.n, umapBlock, b)
		switch {
		case err == nil && part == 0:
			b.y, b.next, b.was = b.next, b.was, b.y
		case err == nil:
			b.y, b.next = b.next, b.y
		case part > 0:
			b.y, b.was = b.was, b.y
		}
		if b.k.bind(&b.flock); err != nil {
			return err
		}
	}
	return nil
}

// doRange implements task.
func (b *umapBody) doRange(_, from, to int) { b.k.pull(&b.step, from, to) }

func (b *umapBody) Hold(ctx context.Context, ids []int32, places []float32) error {
	for k, id := range ids {
		b.held[id] = true
		b.loosen(int(id))
		copy(b.y[int(id)*b.stride:], places[k*b.dims:(k+1)*b.dims])
	}
	return ctx.Err()
}

func (b *umapBody) Release(ctx context.Context, ids []int32) error {
	for _, id := range ids {
		b.held[id] = false
		b.loosen(int(id))
	}
	return ctx.Err()
}

func (b *umapBody) Positions(ctx context.Context, dst places.Target) error {
	if err := engine.CheckTarget(dst, b.n, b.dims); err != nil {
		return err
	}
	out := dst.Host()
	for i := range b.n {
		copy(out[i*b.dims:(i+1)*b.dims], b.y[i*b.stride:])
	}
	dst.Upload(0, b.n)
	return ctx.Err()
}

func (b *umapBody) Close() {
	b.pool.close()
	b.k.release()
	b.flock = flock{}
}
