package cuda

import (
	"sync/atomic"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// drag knows what the target holds, so that while landmarks are dragged only the points that have one of
// them among their k are placed again. It is only used where all points are placed at once.
type drag struct {
	whole   bool // all of the target was made from pos and p, and from the neighbours there are
	p       embedsom.Params
	buffer  uint32
	storage uint64
	host    bool
	pos     []float32
	dims    int

	bits   []uint32 // landmarks that have moved, for the list
	listed bool     // the list on the card is of bits and of k
	ready  bool     // it is to be used in this projection
	room   room

	// Whether a point is rough does not depend on positions, so if none was when all points were placed none is
	// while a landmark is dragged, and there is one kernel less. The card writes turn to *none then.
	none pinned
	turn uint32
}

// ask returns where the card is to say so, and what.
func (d *drag) ask(c *driver.Context) (none driver.Ptr, turn uint32, err error) {
	if d.none.at == nil {
		if err := d.none.grow(c, 4); err != nil {
			return 0, 0, err
		}
		*(*uint32)(d.none.at) = 0
	}
	if d.turn++; d.turn == 0 {
		d.turn++
	}
	return driver.Ptr(uintptr(d.none.at)), d.turn, nil
}

// isSmooth says whether the card has found no rough points the last time.
func (d *drag) isSmooth() bool {
	return d.none.at != nil && d.turn != 0 && atomic.LoadUint32((*uint32)(d.none.at)) == d.turn
}

func (d *drag) forget() { d.whole, d.listed, d.turn = false, false, max(d.turn+1, 1) }

// touched makes the list of the points to be placed; ok is false where that is all of them.
func (d *drag) touched(r *resident, k int, from, to int64) (ok bool, err error) {
	if !d.ready || from != 0 || to != r.n {
		return false, nil
	}
	g := r.tables.g
	words := (g + 31) / 32
	if !d.listed {
		if err := d.room.grow(r.e.c, r.e.s, int64(4*words)); err != nil {
			return true, err
		}
		if err := r.e.s.ToDevice(d.room.at, unsafe.Pointer(&d.bits[0]), int64(4*words)); err != nil {
			return true, err
		}
		if err := r.e.s.Set32(r.lists.counts.at+countDrag, 0, 1); err != nil {
			return true, err
		}
		f, err := r.e.kernel(affected.module, affected.name)
		if err != nil {
			return true, err
		}
		if err := affected.launchOn(r.e.s, f, &r.e.args, affectedParams{slots: r.n, g: int32(g), k: int32(k),
			find: int32(r.find), ids: r.ids.at, d2: r.d2.at, moved: d.room.at, count: r.lists.counts.at + countDrag,
			list: r.lists.drag.at}, driver.Dim{X: r.e.blocks(f, 256, 4*words, (r.n+255)/256)}, driver.Dim{X: 256},
			4*words); err != nil {
			return true, err
		}
		d.listed = true
	}
	return true, nil
}

// begin compares what is wanted with what the target holds. It is called after the tables know which
// landmarks moved.
func (d *drag) begin(r *resident, l *landmark.Set, p embedsom.Params, direct bool, rg engine.Range) {
	d.ready = false
	g, dims := l.Len(), l.Pos.Cols
	if !d.whole || d.p != p || d.dims != dims || len(d.pos) != g*dims || r.plan != everything || !r.e.own() ||
		r.n > pieceMost ||
		rg.Len() != int(r.n) || !d.same(r, direct) {
		d.listed = false
		return
	}
	words := (g + 31) / 32
	if len(d.bits) != words {
		d.bits, d.listed = make([]uint32, words), false
	}
	moved, known := 0, true
	for i := range g {
		for q := range dims {
			if d.pos[i*dims+q] != l.Pos.Data[i*dims+q] {
				moved++
				known = known && d.bits[i/32]>>(i%32)&1 != 0
				break
			}
		}
	}
	if moved > max(1, g/16) {
		d.listed = false
		return
	}
	if !d.listed || !known {
		clear(d.bits)
		for i := range g {
			for q := range dims {
				if d.pos[i*dims+q] != l.Pos.Data[i*dims+q] {
					d.bits[i/32] |= 1 << (i % 32)
				}
			}
		}
		d.listed = false
	}
	d.ready = true
}

// same says whether the positions of the last time are still where they were put.
func (d *drag) same(r *resident, direct bool) bool {
	if !direct {
		return d.host // in a buffer of our own
	}
	return !d.host && r.shared.buffer == d.buffer && r.shared.storage == d.storage
}

// done notes what the target holds now.
func (d *drag) done(r *resident, l *landmark.Set, p embedsom.Params, direct bool, rg engine.Range) {
	d.ready = false
	if rg.Len() != int(r.n) {
		d.forget()
		return
	}
	d.whole, d.p, d.dims, d.host = true, p, l.Pos.Cols, !direct
	d.pos = append(d.pos[:0], l.Pos.Data[:l.Len()*l.Pos.Cols]...)
	if direct {
		d.buffer, d.storage = r.shared.buffer, r.shared.storage
	}
}
