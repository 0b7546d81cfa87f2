package cuda

import (
	"context"
	"slices"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
	"blossom/model/maps/places"
	"blossom/model/maps/umap"
	"blossom/model/work/engine"
)

// stored are places as the card has them.
func (b *umapBody) stored(places []float32) []float32 {
	if b.dims == 2 {
		return places
	}
	out := make([]float32, len(places)/3*4)
	for i := range len(places) / 3 {
		copy(out[4*i:], places[3*i:3*i+3])
	}
	return out
}

// get takes places off the card, and waits.
func (b *umapBody) get(out []float32) error {
	from := b.y[0].at
	if b.dims == 3 && b.n > 0 {
		if err := b.pack(b.packed.at); err != nil {
			return err
		}
		from = b.packed.at
	}
	return fetch(&b.w, out, from)
}

// pack writes places, without gaps.
func (b *umapBody) pack(to driver.Ptr) error {
	return enqueue(&b.w, umapPack, umapPackParams{n: int32(b.n), from: b.y[0].at, to: to},
		driver.Dim{X: blocksOf(b.n, umapThreads)}, umapThreads, 0)
}

// Load takes a state.
func (b *umapBody) Load(ctx context.Context, s *umap.State) error {
	if len(s.Y) != b.n*b.dims {
		return problem.New("", "this is a defect of the program", "a map of %d points has %d coordinates", b.n,
			len(s.Y))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // it is all or nothing, and takes no time
	return b.onCard(func() error {
		if err := sendAll(ctx, &b.w, b.y[0].at, b.stored(s.Y)); err != nil {
			return err
		}
		clear(b.held)
		for _, id := range s.Held {
			b.held[id] = true
		}
		return b.warm(ctx, nil)
	})
}

// Save fills a state.
func (b *umapBody) Save(ctx context.Context, s *umap.State) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.onCard(func() error {
		size := b.n * b.dims
		s.Dims, s.Y, s.Held = b.dims, slices.Grow(s.Y[:0], size)[:size], s.Held[:0]
		for id, held := range b.held {
			if held {
				s.Held = append(s.Held, int32(id))
			}
		}
		return b.get(s.Y)
	})
}

// Warm says how much the steps of each point count.
func (b *umapBody) Warm(ctx context.Context, heat []float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.onCard(func() error { return b.warm(context.WithoutCancel(ctx), heat) })
}

func (b *umapBody) warm(ctx context.Context, heat []float32) error {
	b.heat = heat
	all := make([]float32, b.n)
	for i := range all {
		all[i] = b.looseness(int32(i))
	}
	return sendAll(ctx, &b.w, b.loose.at, all)
}

// looseness is how much the steps of a point count.
func (b *umapBody) looseness(i int32) float32 {
	switch {
	case b.held[i]:
		return 0
	case b.heat == nil:
		return 1
	}
	return b.heat[i]
}

// Hold pins points at places.
func (b *umapBody) Hold(ctx context.Context, ids []int32, places []float32) error {
	return b.pin(ctx, ids, places, true)
}

// Release lets points go.
func (b *umapBody) Release(ctx context.Context, ids []int32) error {
	return b.pin(ctx, ids, nil, false)
}

func (b *umapBody) pin(ctx context.Context, ids []int32, to []float32, hold bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.onCard(func() error {
		once, at := eachOnce(ids, to, b.dims)
		counts, at := make([]float32, len(once)), b.stored(at)
		for k, id := range once {
			b.held[id] = hold
			counts[k] = b.looseness(id)
		}
		for stride := int(b.each() / 4); len(once) > 0; {
			n := min(len(once), umapPins)
			var places []float32
			if hold {
				places, at = at[:n*stride], at[n*stride:]
			}
			if err := b.pinSome(once[:n], places, counts[:n]); err != nil {
				return err
			}
			once, counts = once[n:], counts[n:]
		}
		return nil
	})
}

// pinSome says how much the steps of points count, and puts them at places, as stored, where there are any.
func (b *umapBody) pinSome(ids []int32, places, counts []float32) error {
	p := umapPinParams{count: int32(len(ids)), ids: b.names.at, counts: b.names.at + driver.Ptr(4*len(ids)),
		y: b.y[0].at, loose: b.loose.at}
	// Places come first: they are read by four numbers at a time.
	if places != nil {
		p.places = b.names.at
		p.ids += driver.Ptr(4 * len(places))
		p.counts += driver.Ptr(4 * len(places))
	}
	if err := send(&b.w, b.names.at, places); err != nil {
		return err
	}
	if err := send(&b.w, p.ids, ids); err != nil {
		return err
	}
	if err := send(&b.w, p.counts, counts); err != nil {
		return err
	}
	return enqueue(&b.w, umapPin.in(b.dims), p, driver.Dim{X: blocksOf(len(ids), umapThreads)}, umapThreads, 0)
}

// Positions writes places to dst: into the buffer that OpenGL draws from, where the two can share it.
func (b *umapBody) Positions(ctx context.Context, dst places.Target) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := engine.CheckTarget(dst, b.n, b.dims); err != nil {
		return err
	}
	return b.onCard(func() error {
		if b.n == 0 {
			return nil
		}
		bytes := int64(4 * b.n * b.dims)
		if b.w.e.o.Window {
			at, err := b.shared.enter(dst, bytes)
			if err != nil {
				return err
			}
			if at != 0 {
				if b.dims == 2 {
					err = b.w.s.Copy(at, b.y[0].at, bytes)
				} else {
					err = b.pack(at)
				}
				if err == nil {
					dst.Wrote(0, b.n)
				}
				return err
			}
		}
		if err := b.get(dst.Host()[:b.n*b.dims]); err != nil {
			return err
		}
		dst.Upload(0, b.n)
		return nil
	})
}
