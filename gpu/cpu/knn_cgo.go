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
	"sync/atomic"
	"unsafe"

	"blossom/model/knn"
	"blossom/model/matrix"
	"blossom/model/problem"
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
	blocks []knn.Block
	chunk  int64 // panels that are compared with in one call
	work   []othersWorker
	done   atomic.Int64
}

// othersWorker is the memory of one worker.
type othersWorker struct {
	search  *C.bl_knn_search
	id      []int32
	squared []float64
	found   []knn.Found
}

// chunkWork is how many products a call may take, so that a search can be cancelled: some milliseconds.
const chunkWork = 1 << 24

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
		if err := o.open(p); err != nil {
			return err
		}
		count := int(o.panels[len(o.panels)-1])
		if err := p.run(ctx, 0, count, max(1, min(1024, count/(4*p.threads))), packing{o}); err != nil {
			return err
		}
		return p.run(ctx, 0, len(o.blocks), 1, o)
	}
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
		o.panels = append(o.panels, (int64(o.x.Rows)+pw-1)/pw)
	}
	slots := o.panels[len(o.panels)-1] * pw
	mean := knn.Centre(o.x)
	o.set = C.bl_knn_set_new(C.int32_t(o.x.Cols), C.int64_t(slots), C.int32_t(pw), floats(o.x.Data),
		(*C.double)(unsafe.SliceData(mean)), C.double(1/math.Sqrt(o.out.Unit)))
	if o.set == nil {
		return noMemory
	}
	o.name(unsafe.Slice((*int32)(o.set.id), slots), pw)
	rows := C.KNN_ROWS
	for range p.threads {
		s := C.bl_knn_search_new(C.int32_t(o.x.Cols), C.int32_t(o.out.K))
		if s == nil {
			return noMemory
		}
		rows = int(s.rows)
		o.work = append(o.work, othersWorker{s, make([]int32, o.out.K), make([]float64, o.out.K),
			make([]knn.Found, o.out.K)})
	}
	o.blocks = knn.Blocks(o.x, o.q, rows)
	o.chunk = max(1, chunkWork/(int64(rows)*pw*int64(o.x.Cols)))
	return nil
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

func (t packing) do(_, from, to int) { C.bl_knn_pack(t.o.set, C.int64_t(from), C.int64_t(to)) }

// do implements task: blocks of rows.
func (o *others) do(worker, from, to int) {
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
	rows := make([]int32, 0, len(b.Rows)) // those that are searched for
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
	if b.Cell < 0 {
		if !o.sweep(w, len(rows), 0) {
			return false
		}
	} else {
		for _, c := range o.q.Cells.Probe[b.Cell] {
			if !o.sweep(w, len(rows), int(c)) {
				return false
			}
		}
	}
	for i, r := range rows {
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
	for from := o.panels[cell]; from < o.panels[cell+1]; from += o.chunk {
		if o.ctx.Err() != nil {
			return false
		}
		C.bl_knn_sweep(o.isa, o.set, w.search, C.int32_t(rows), C.int64_t(from),
			C.int64_t(min(from+o.chunk, o.panels[cell+1])))
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
