//go:build cgo && !race

package cpu

/*
#include "dispatch.h"
*/
import "C"

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/space/blocks"
	"blossom/model/space/knn"
)

// others is a search for nearest points by the kernels of knn.h and knn.c.
type others struct {
	ctx    context.Context
	isa    C.int
	x      matrix.Matrix32
	q      knn.Query
	out    *knn.Lists
	set    *C.bl_knn_set
	panels []int64 // cells + 1: where the panels of each begin; without cells all are one
	ids    []int32 // points in an order in which blocks are compact; nil: as they are
	blocks []knn.Block
	chunk  int64 // panels that are compared with in one call
	group  int64 // and blocks
	first  int   // blocks that each is compared with before others are ruled out
	work   []othersWorker
	done   atomic.Int64
}

// othersWorker is the memory of one worker.
type othersWorker struct {
	search  *C.bl_knn_search
	id      []int32
	squared []float64
	found   []knn.Found
	near    []int32 // blocks
}

// firstShare is for how many neighbours there is one more block that rows are first compared with.
const firstShare = 8

// look is after how many points ctx is asked whether to go on, where each costs little.
const look = 1 << 16

// A block of points in order is one of slots.
var _ = [1]struct{}{}[C.KNN_BLOCK-blocks.Size]

// findOthers is variant.others of an instruction set.
func findOthers(isa C.int) func(context.Context, *pool, matrix.Matrix32, knn.Query, *knn.Lists) error {
	return func(ctx context.Context, p *pool, x matrix.Matrix32, q knn.Query, out *knn.Lists) error {
		var pins runtime.Pinner
		defer pins.Unpin()
		pins.Pin(unsafe.SliceData(x.Data))
		if q.New.Rows > 0 {
			pins.Pin(unsafe.SliceData(q.New.Data))
		}
		o := &others{ctx: ctx, isa: isa, x: x, q: q, out: out}
		defer o.free()
		if err := o.order(p); err != nil {
			return err
		}
		if err := o.open(p); err != nil {
			return err
		}
		pw, count := int(o.set.pw), int(o.panels[len(o.panels)-1])
		whole := C.KNN_BLOCK / pw
		share := min(1024, count/(4*p.threads), chunkWork/(packWork*pw*max(1, x.Cols)))
		if err := p.run(ctx, 0, count, whole*max(1, share/whole), packing{o}); err != nil {
			return err
		}
		C.bl_knn_packed(o.set)
		return p.run(ctx, 0, len(o.blocks), 1, o)
	}
}

// order puts the valid points in order, where that is worth it.
func (o *others) order(p *pool) error {
	if o.q.Cells != nil || o.x.Rows < orderFrom || o.q.Rows(o.x.Rows) < orderFrom {
		return nil
	}
	o.ids = make([]int32, 0, o.x.Rows)
	for i := range o.x.Rows {
		if i%max(1, look/max(1, o.x.Cols)) == 0 && o.ctx.Err() != nil {
			return o.ctx.Err()
		}
		if knn.Finite(o.x.Row(i)) {
			o.ids = append(o.ids, int32(i))
		}
	}
	return blocks.Order(o.ctx, p.threads, o.x.Cols, o.ids, func(id int32) []float32 { return o.x.Row(int(id)) })
}

// open makes room, and says which point is in which slot.
func (o *others) open(p *pool) error {
	noMemory := problem.New("", "take a sample of fewer points or close other programs",
		"there is not enough memory to look for the neighbours of %d points", o.x.Rows)
	pw := int64(C.bl_panel(o.isa))
	o.panels = []int64{0}
	if c := o.q.Cells; c != nil {
		for i := range c.Len() {
			o.panels = append(o.panels, o.panels[i]+(int64(len(c.In(i)))+pw-1)/pw)
		}
	} else {
		whole := C.KNN_BLOCK / pw
		o.panels = append(o.panels, (int64(o.x.Rows)+C.KNN_BLOCK-1)/C.KNN_BLOCK*whole)
	}
	slots := o.panels[len(o.panels)-1] * pw
	mean := knn.Centre(o.x)
	blocked := C.int(0)
	if o.ids != nil {
		blocked = 1
	}
	o.set = C.bl_knn_set_new(C.int32_t(o.x.Cols), C.int64_t(slots), C.int32_t(pw), blocked, floats(o.x.Data),
		(*C.double)(unsafe.SliceData(mean)), C.double(1/math.Sqrt(o.out.Unit)))
	if o.set == nil {
		return noMemory
	}
	o.name(unsafe.Slice((*int32)(o.set.id), slots), pw)
	rows := C.KNN_ROWS
	o.first = firstBlocks + o.out.K/firstShare
	for range p.threads {
		s := C.bl_knn_search_new(o.set, C.int32_t(o.out.K))
		if s == nil {
			return noMemory
		}
		rows = int(s.rows)
		o.work = append(o.work, othersWorker{s, make([]int32, o.out.K), make([]float64, o.out.K),
			make([]knn.Found, o.out.K), make([]int32, o.first)})
	}
	if o.ids != nil && o.q.New.Rows == 0 {
		o.blocks = o.inOrder(rows)
	} else {
		o.blocks = knn.Blocks(o.x, o.q, rows)
	}
	o.chunk = max(1, int64(chunkWork)/(int64(rows)*pw*int64(o.x.Cols)))
	o.group = max(1, o.chunk*pw/C.KNN_BLOCK)
	return o.ctx.Err()
}

// inOrder are blocks of rows that are in the order of the points, those of invalid points by themselves. ctx may end it
// early: then they are of no use.
func (o *others) inOrder(size int) (out []knn.Block) {
	// The first row of each point is in of, the next one of the same point in next.
	of, next := make([]int32, o.x.Rows), make([]int32, o.out.N)
	for i := range of {
		of[i] = -1
	}
	for r := o.out.N - 1; r >= 0; r-- {
		p := r
		if o.q.Points != nil {
			p = int(o.q.Points[r])
		}
		next[r], of[p] = of[p], int32(r)
	}
	take := func(rows []int32, p int32) []int32 {
		for r := of[p]; r >= 0; r = next[r] {
			rows = append(rows, r)
		}
		of[p] = -1
		return rows
	}
	valid, invalid := make([]int32, 0, o.out.N), []int32(nil)
	for i, id := range o.ids {
		if i%look == 0 && o.ctx.Err() != nil {
			return nil
		}
		valid = take(valid, id)
	}
	for p := range of {
		invalid = take(invalid, int32(p))
	}
	for _, part := range [][]int32{valid, invalid} {
		for rows := range slices.Chunk(part, size) {
			out = append(out, knn.Block{Rows: rows, Cell: -1})
		}
	}
	return out
}

// name writes to each slot which point it holds.
func (o *others) name(id []int32, pw int64) {
	for i := range id {
		id[i] = -1
	}
	if c := o.q.Cells; c != nil {
		for i := range c.Len() {
			copy(id[o.panels[i]*pw:], c.In(i))
		}
		return
	}
	if o.ids != nil {
		copy(id, o.ids)
		return
	}
	for i := range o.x.Rows {
		if knn.Finite(o.x.Row(i)) {
			id[i] = int32(i)
		}
	}
}

func (o *others) free() {
	C.bl_knn_set_free(o.set)
	for _, w := range o.work {
		C.bl_knn_search_free(w.search)
	}
}

// packing fills panels.
type packing struct{ o *others }

func (t packing) doRange(_, from, to int) { C.bl_knn_pack(t.o.set, C.int64_t(from), C.int64_t(to)) }

// doRange implements task: blocks of rows.
func (o *others) doRange(worker, from, to int) {
	for b := from; b < to; b++ {
		if !o.block(&o.work[worker], o.blocks[b]) {
			return
		}
		if o.q.Progress != nil {
			o.q.Progress(o.done.Add(int64(len(o.blocks[b].Rows))), int64(o.out.N))
		}
	}
}

// block fills the rows of a block; it says whether it came to the end.
func (o *others) block(w *othersWorker, b knn.Block) bool {
	rows := make([]int32, 0, len(b.Rows)) // rows that are searched for
	for _, r := range b.Rows {
		x, self := o.q.Row(o.x, int(r))
		switch {
		case !knn.Finite(x):
			o.out.Clear(int(r))
		case C.bl_knn_begin(o.set, w.search, C.int32_t(len(rows)), floats(x), C.int32_t(self)) == 0:
			if !o.far(r) {
				return false
			}
		default:
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return true
	}
	switch {
	case o.ids != nil:
		if !o.near(w, len(rows)) || !o.rest(w, len(rows)) {
			return false
		}
	case b.Cell < 0:
		if !o.sweep(w, len(rows), 0) {
			return false
		}
	default:
		for _, c := range o.q.Cells.Probe[b.Cell] {
			if !o.sweep(w, len(rows), int(c)) {
				return false
			}
		}
	}
	for i, r := range rows {
		if o.ctx.Err() != nil {
			return false
		}
		n := int(C.bl_knn_end(o.set, w.search, C.int32_t(i), (*C.int32_t)(unsafe.SliceData(w.id)),
			(*C.double)(unsafe.SliceData(w.squared))))
		for j := range n {
			w.found[j] = knn.Found{Index: w.id[j], Squared: w.squared[j]}
		}
		o.out.Set(int(r), w.found[:n])
	}
	return true
}

// sweep compares the rows of a worker with a cell.
func (o *others) sweep(w *othersWorker, rows, cell int) bool {
	return o.span(w, rows, o.panels[cell], o.panels[cell+1])
}

// span compares them with the panels [from, to).
func (o *others) span(w *othersWorker, rows int, from, to int64) bool {
	for ; from < to; from += o.chunk {
		if o.ctx.Err() != nil {
			return false
		}
		C.bl_knn_sweep(o.isa, o.set, w.search, C.int32_t(rows), C.int64_t(from), C.int64_t(min(from+o.chunk, to)))
	}
	return true
}

// near compares the rows of a worker with the blocks that are nearest to them.
func (o *others) near(w *othersWorker, rows int) bool {
	C.bl_knn_middle(o.set, w.search, C.int32_t(rows))
	C.bl_knn_gaps(o.isa, o.set, w.search)
	n := C.bl_knn_nearest(o.set, w.search, C.int32_t(o.first), (*C.int32_t)(unsafe.SliceData(w.near)))
	panels := int64(C.KNN_BLOCK / o.set.pw)
	for _, b := range w.near[:n] {
		if !o.span(w, rows, int64(b)*panels, int64(b+1)*panels) {
			return false
		}
	}
	for r := range rows {
		if o.ctx.Err() != nil {
			return false
		}
		C.bl_knn_settle(o.isa, o.set, w.search, C.int32_t(r))
	}
	return true
}

// rest compares them with all others that may hold nearer points.
func (o *others) rest(w *othersWorker, rows int) bool {
	all := int64(o.set.blocks)
	for from := int64(0); from < all; from += o.group {
		if o.ctx.Err() != nil {
			return false
		}
		C.bl_knn_rest(o.isa, o.set, w.search, C.int32_t(rows), C.int64_t(from), C.int64_t(min(from+o.group, all)))
	}
	return true
}

// far does a row that lies too far away for float32.
func (o *others) far(r int32) bool {
	one := knn.Query{K: o.out.K, Threads: 1}
	x, self := o.q.Row(o.x, int(r))
	if self < 0 {
		one.New = matrix.Matrix32{Rows: 1, Cols: o.x.Cols, Data: x}
	} else {
		one.Points, one.Cells = []int32{int32(self)}, o.q.Cells
	}
	l := &knn.Lists{N: 1, K: o.out.K, Unit: o.out.Unit, Near: o.out.Near[r : r+1]}
	l.Index, l.Beyond = o.out.Row(int(r))
	return knn.Search(o.ctx, o.x, one, l) == nil
}
