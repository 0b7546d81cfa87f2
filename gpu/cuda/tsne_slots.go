package cuda

import (
	"context"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/par"
)

// slots is the order in which a map's points are kept (kernels/tsne_slots.cu): along a Hilbert curve of the map, once
// it has been made anew. What goes in and out is by rows.
type slots struct {
	row  []int32 // row of each slot; nil: its own number
	back []int32 // the reverse

	rows, backs, order, places room // row, back; an order between slots, and its reverse
	v, gain, held              room // where those go
}

func (s *slots) rooms() []*room {
	return []*room{&s.rows, &s.backs, &s.order, &s.places, &s.v, &s.gain, &s.held}
}

// bytes is what they take of a map of n points of so many bytes each.
func (s *slots) bytes(n, each int64) int64 { return n * (16 + 2*each + 1) }

// backs are where rows are, on the card; 0: at their numbers.
func (s *slots) where() driver.Ptr {
	if s.row == nil {
		return 0
	}
	return s.backs.at
}

// renumber puts the points in the order of the curve.
func (b *body) renumber(ctx context.Context) error {
	if b.p.Edges() == 0 {
		return nil
	}
	if err := b.tree.renew(b); err != nil {
		return err
	}
	b.tree.ordered = false // the former order was one of the former slots
	order := make([]int32, b.n)
	if err := b.e.returns.fetch(b.e.c, b.s, unsafe.Pointer(&order[0]), b.tree.order.at, 4*int64(b.n)); err != nil {
		return err
	}
	row := order
	if was := b.slots.row; was != nil {
		row = make([]int32, b.n)
		onCores(b.n, func(s int) { row[s] = was[order[s]] })
	}
	if err := b.reorder(ctx, order, row); err != nil {
		b.err = err // affinities are in one order, points in another
		return err
	}
	b.looked = false
	b.clock.step(stepOrder)
	return nil
}

// reorder puts affinities and points in an order.
func (b *body) reorder(ctx context.Context, order, row []int32) error {
	if err := b.arrange(ctx, order, row); err != nil {
		return err
	}
	at, n := b.each(), int64(b.n)
	for _, r := range []struct {
		room  *room
		bytes int64
	}{{&b.slots.v, n * at}, {&b.slots.gain, n * at}, {&b.slots.held, n}} {
		if err := r.room.grow(b.e.c, b.s, r.bytes); err != nil {
			return err
		}
	}
	if err := queue(b, slotsGather.in(b.dims), slotsGatherParams{n: int32(b.n), order: b.slots.order.at, y: b.y[0].at,
		v: b.v.at, gain: b.gain.at, held: b.held.at, toY: b.y[1].at, toV: b.slots.v.at, toGain: b.slots.gain.at,
		toHeld: b.slots.held.at}, blocksOf(b.n, tsneThreads), tsneThreads, 0); err != nil {
		return err
	}
	b.y[0], b.y[1] = b.y[1], b.y[0]
	b.v, b.slots.v = b.slots.v, b.v
	b.gain, b.slots.gain = b.slots.gain, b.gain
	b.held, b.slots.held = b.slots.held, b.held
	return nil
}

// onCores does something to each of n slots, on all cores.
func onCores(n int, do func(s int)) {
	_ = par.Blocks(context.Background(), n, 1<<14, func(_, from, to int) { // it takes milliseconds
		for s := from; s < to; s++ {
			do(s)
		}
	})
}

// sendOrder brings to the card which slot each slot was, its row, and the way back of both.
func (b *body) sendOrder(order, row, back []int32) error {
	t, n := &b.slots, 4*int64(b.n)
	if err := t.places.grow(b.e.c, b.s, n); err != nil {
		return err
	}
	for _, a := range []struct {
		to   *room
		from []int32
	}{{&t.rows, row}, {&t.backs, back}, {&t.order, order}} {
		if err := a.to.grow(b.e.c, b.s, n); err != nil {
			return err
		}
		if err := b.e.inbox.send(b.e.c, b.s, a.to.at, unsafe.Pointer(&a.from[0]), n); err != nil {
			return err
		}
	}
	return queue(b, slotsPlaces, slotsPlacesParams{n: int32(b.n), order: t.order.at, back: t.places.at},
		blocksOf(b.n, tsneThreads), tsneThreads, 0)
}

// arrange moves the affinities: slot s has those of slot order[s], which are of row[s]. Both are read now.
func (b *body) arrange(ctx context.Context, order, row []int32) error {
	t, n := &b.slots, int64(b.n)
	start := make([]int64, b.n+1)
	back := make([]int32, b.n)
	onCores(b.n, func(s int) {
		r := row[s]
		start[s+1], back[r] = b.p.Start[r+1]-b.p.Start[r], int32(s)
	})
	for s := range b.n {
		start[s+1] += start[s]
	}
	if err := b.sendOrder(order, row, back); err != nil {
		return err
	}
	var fresh, column, value room
	drop := func(r *room) { _ = r.free(b.e.c) }
	defer drop(&fresh) // by then the former ones
	defer drop(&column)
	defer drop(&value)
	if err := fresh.grow(b.e.c, b.s, 8*(n+1)); err != nil {
		return err
	}
	if err := b.e.inbox.send(b.e.c, b.s, fresh.at, unsafe.Pointer(&start[0]), 8*(n+1)); err != nil {
		return err
	}
	// One after the other, so that there is never more than half as much again.
	grid := blocksOf(8*n, int64(tsneThreads))
	if err := column.grow(b.e.c, b.s, 4*b.p.Edges()); err != nil {
		return err
	}
	if err := queue(b, slotsColumns, slotsColumnsParams{n: int32(b.n), order: t.order.at, back: t.places.at,
		start: b.start.at, fresh: fresh.at, from: b.column.at, to: column.at}, grid, tsneThreads, 0); err != nil {
		return err
	}
	b.column, column = column, b.column
	if err := b.s.Wait(); err != nil {
		return err
	}
	drop(&column)
	if err := value.grow(b.e.c, b.s, 4*b.p.Edges()); err != nil {
		return err
	}
	if err := queue(b, slotsValues, slotsValuesParams{n: int32(b.n), order: t.order.at, start: b.start.at,
		fresh: fresh.at, from: b.value.at, to: value.at}, grid, tsneThreads, 0); err != nil {
		return err
	}
	b.value, value = value, b.value
	b.start, fresh = fresh, b.start
	b.arranged.set(start)
	b.papers.stale()
	t.row, t.back = row, back
	return b.s.Wait()
}

// takeOrder puts slots in this order of rows (nil: their own), before a state of it is loaded.
func (b *body) takeOrder(ctx context.Context, row []int32) error {
	if row == nil && b.slots.row == nil || b.p.Edges() == 0 {
		return nil
	}
	if !permutes(row, b.n) {
		row = make([]int32, b.n)
		for s := range row {
			row[s] = int32(s)
		}
	}
	order, same := make([]int32, b.n), true
	for s, r := range row {
		order[s] = r
		if b.slots.back != nil {
			order[s] = b.slots.back[r]
		}
		same = same && order[s] == int32(s)
	}
	if same {
		return nil
	}
	return b.arrange(ctx, order, append([]int32(nil), row...))
}

// permutes says whether row names each of n rows once.
func permutes(row []int32, n int) bool {
	if len(row) != n {
		return false
	}
	seen := make([]bool, n)
	for _, r := range row {
		if r < 0 || int(r) >= n || seen[r] {
			return false
		}
		seen[r] = true
	}
	return true
}
