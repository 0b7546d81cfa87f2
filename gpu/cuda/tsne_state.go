package cuda

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
	"blossom/model/maps/places"
	"blossom/model/maps/tsne"
)

// farthest is how far from the origin points may lie: squares of distances must not overflow.
const farthest = 1e15

func checkNear(places []float32) error {
	for _, v := range places {
		if !(v >= -farthest && v <= farthest) {
			return problem.New("", "scale it down", "a map that reaches to %g cannot be worked on", v)
		}
	}
	return nil
}

// sendPlaces copies floats of each place to the card: packed, they become places as they are stored.
func (b *body) sendPlaces(to driver.Ptr, places []float32) error {
	if len(places) == 0 {
		return nil
	}
	bytes := int64(4 * len(places))
	if b.dims == 2 {
		return b.e.inbox.send(b.e.c, b.s, to, unsafe.Pointer(&places[0]), bytes)
	}
	if err := b.packed.grow(b.e.c, b.s, bytes); err != nil {
		return err
	}
	if err := b.e.inbox.send(b.e.c, b.s, b.packed.at, unsafe.Pointer(&places[0]), bytes); err != nil {
		return err
	}
	count := len(places) / 3
	return queue(b, tsneUnpack, tsnePackParams{n: int32(count), from: b.packed.at, to: to},
		blocksOf(count, tsneThreads), tsneThreads, 0)
}

// load copies floats of all points to the card, by rows.
func (b *body) load(to driver.Ptr, places []float32) error {
	if b.slots.row == nil {
		return b.sendPlaces(to, places)
	}
	bytes := int64(4 * len(places))
	if err := b.packed.grow(b.e.c, b.s, bytes); err != nil {
		return err
	}
	if err := b.e.inbox.send(b.e.c, b.s, b.packed.at, unsafe.Pointer(&places[0]), bytes); err != nil {
		return err
	}
	return queue(b, slotsIn.in(b.dims), slotsPackParams{n: int32(b.n), rows: b.slots.rows.at, from: b.packed.at,
		to: to},
		blocksOf(b.n, tsneThreads), tsneThreads, 0)
}

// get does the reverse, and waits.
func (b *body) get(out []float32, from driver.Ptr) error {
	if len(out) == 0 {
		return nil
	}
	at, err := b.pack(from)
	if err != nil {
		return err
	}
	return b.e.returns.fetch(b.e.c, b.s, unsafe.Pointer(&out[0]), at, int64(4*len(out)))
}

// pack returns where places lie by rows, without gaps.
func (b *body) pack(from driver.Ptr) (driver.Ptr, error) {
	if b.dims == 2 && b.slots.row == nil {
		return from, nil
	}
	if err := b.packed.grow(b.e.c, b.s, 4*int64(b.n*b.dims)); err != nil {
		return 0, err
	}
	return b.packed.at, b.packTo(b.packed.at, from)
}

func (b *body) packTo(to, from driver.Ptr) error {
	if b.slots.row != nil {
		return queue(b, slotsOut.in(b.dims), slotsPackParams{n: int32(b.n), rows: b.slots.rows.at, from: from, to: to},
			blocksOf(b.n, tsneThreads), tsneThreads, 0)
	}
	return queue(b, tsnePack, tsnePackParams{n: int32(b.n), from: from, to: to},
		blocksOf(b.n, tsneThreads), tsneThreads, 0)
}

// readMarks waits for all work, and returns the marks as numbers.
func (b *body) readMarks() (v [markTicket / 8]float64, err error) {
	if err = b.s.ToHost(unsafe.Pointer(&v[0]), b.marks.at, markTicket); err == nil {
		err = b.s.Wait()
	}
	b.waiting = false
	return v, err
}

// readForces takes the forces that were asked for apart.
func (b *body) readForces(out *tsne.Evaluation, floats int) error {
	if out.Attraction == nil && out.Repulsion == nil {
		return nil
	}
	all := make([]float32, floats)
	if err := b.s.ToHost(unsafe.Pointer(&all[0]), b.forces.at, int64(4*floats)); err != nil {
		return err
	}
	if err := b.s.Wait(); err != nil {
		return err
	}
	for s := range b.n {
		from, i := all[2*s*b.dims:2*(s+1)*b.dims], s
		if b.slots.row != nil {
			i = int(b.slots.row[s])
		}
		if out.Attraction != nil {
			copy(out.Attraction[i*b.dims:(i+1)*b.dims], from)
		}
		if out.Repulsion != nil {
			copy(out.Repulsion[i*b.dims:(i+1)*b.dims], from[b.dims:])
		}
	}
	return nil
}

// Load takes a state. Slots of another device are an order like any other.
func (b *body) Load(ctx context.Context, s *tsne.State) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkNear(s.Y); err != nil {
		return err
	}
	return b.onCard(func() error {
		if b.n == 0 {
			return nil
		}
		if err := b.takeOrder(ctx, s.Slots); err != nil {
			return err
		}
		for _, a := range []struct {
			to   driver.Ptr
			from []float32
		}{{b.y[0].at, s.Y}, {b.v.at, s.V}, {b.gain.at, s.Gain}} {
			if err := b.load(a.to, a.from); err != nil {
				return err
			}
		}
		held := make([]byte, b.n)
		for _, i := range s.Held {
			if b.slots.back != nil {
				i = b.slots.back[i]
			}
			held[i] = 1
		}
		b.pins = append(b.pins[:0], s.Held...)
		b.looked, b.units = false, false
		if err := b.s.ToDevice(b.held.at, unsafe.Pointer(&held[0]), int64(b.n)); err != nil {
			return err
		}
		if err := b.tree.load(b, s.Curve); err != nil {
			return err
		}
		return b.s.Wait()
	})
}

// Save fills a state.
func (b *body) Save(ctx context.Context, s *tsne.State) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.onCard(func() error {
		size := b.n * b.dims
		for _, a := range []struct {
			to   *[]float32
			from driver.Ptr
		}{{&s.Y, b.y[0].at}, {&s.V, b.v.at}, {&s.Gain, b.gain.at}} {
			*a.to = slices.Grow((*a.to)[:0], size)[:size]
			if err := b.get(*a.to, a.from); err != nil {
				return err
			}
		}
		s.Dims, s.Slots, s.Held = b.dims, slices.Clone(b.slots.row), append(s.Held[:0], b.pins...)
		return b.tree.save(b, &s.Curve)
	})
}

// Hold pins points at places.
func (b *body) Hold(ctx context.Context, ids []int32, places []float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkNear(places); err != nil {
		return err
	}
	return b.pin(ids, places, 1)
}

// Release lets points go.
func (b *body) Release(ctx context.Context, ids []int32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.pin(ids, nil, 0)
}

func (b *body) pin(ids []int32, to []float32, hold int32) error {
	once, at := eachOnce(ids, to, b.dims)
	if len(once) == 0 {
		return nil
	}
	return b.onCard(func() error {
		// Forces are not needed meanwhile, so that their memory has room for places and numbers.
		count := int64(len(once))
		if err := b.forces.grow(b.e.c, b.s, count*(b.each()+4)); err != nil {
			return err
		}
		names := b.forces.at + driver.Ptr(count*b.each())
		if err := b.sendPlaces(b.forces.at, at); err != nil {
			return err
		}
		if err := b.s.ToDevice(names, unsafe.Pointer(&once[0]), 4*count); err != nil {
			return err
		}
		b.looked = false
		if err := queue(b, tsnePin.in(b.dims), tsnePinParams{count: int32(count), ids: names, back: b.slots.where(),
			places: b.forces.at,
			hold:   hold, y: b.y[0].at, v: b.v.at, gain: b.gain.at, held: b.held.at}, blocksOf(len(once), tsneThreads),
			tsneThreads, 0); err != nil {
			return err
		}
		if hold == 1 {
			b.pins = places.Joined(b.pins, once)
		} else {
			b.pins = places.Without(b.pins, once)
		}
		return nil
	})
}

// Positions writes y to dst: into the buffer that OpenGL draws from, where the two can share it.
func (b *body) Positions(ctx context.Context, dst places.Target) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if dst.Len() < b.n || dst.Dims() != b.dims {
		return problem.New("", "this is a defect of the program", "a target of %d x %d cannot hold %d x %d positions",
			dst.Len(), dst.Dims(), b.n, b.dims)
	}
	return b.onCard(func() error {
		if b.n == 0 {
			return nil
		}
		bytes := int64(4 * b.n * b.dims)
		if b.e.o.Window {
			at, err := b.shared.enter(dst, bytes)
			if err != nil {
				return err
			}
			if at != 0 {
				if b.dims == 2 && b.slots.row == nil {
					err = b.s.Copy(at, b.y[0].at, bytes)
				} else {
					err = b.packTo(at, b.y[0].at)
				}
				dst.Wrote(0, b.n)
				return err
			}
		}
		if err := b.get(dst.Host()[:b.n*b.dims], b.y[0].at); err != nil {
			return err
		}
		dst.Upload(0, b.n)
		return nil
	})
}

// rms is the root of the mean of n squares.
func rms(sum float64, n int) float64 { return math.Sqrt(sum / float64(n)) }
