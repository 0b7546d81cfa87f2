//go:build cgo && !race

package cpu

/*
#include "dispatch.h"
#include "light.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
)

// light is the kernels of light.h with the points of one layout. What C reads is memory of Go, pinned while it lives.
type light struct {
	isa    C.int
	l      *linkage.Blocked
	layout *C.bl_layout
	bounds *C.bl_bounds
	of     *linkage.Bounds // the bounds that bounds was made from
	pinned runtime.Pinner

	lattice

	mu     sync.Mutex
	sights []*C.bl_sight // memory for a search that nobody uses now
	given  sync.Cond     // one more of them
}

// pin pins the memory of a list and returns where it is; nil for an empty one.
func pin[T any](p *runtime.Pinner, list []T) unsafe.Pointer {
	if len(list) == 0 {
		return nil
	}
	at := unsafe.SliceData(list)
	p.Pin(at)
	return unsafe.Pointer(at)
}

func openLight(isa C.int, l *linkage.Blocked) (linkage.Kernel, error) {
	k := &light{isa: isa, l: l}
	k.layout = (*C.bl_layout)(C.bl_alloc(C.sizeof_bl_layout))
	k.bounds = (*C.bl_bounds)(C.bl_alloc(C.sizeof_bl_bounds))
	s := C.bl_sight_new(C.int32_t(l.D))
	if k.layout == nil || k.bounds == nil || s == nil {
		C.bl_sight_free(s)
		k.Free()
		return nil, errLight()
	}
	k.given.L = &k.mu
	k.give(s)
	p := &k.pinned
	f := func(list []float32) *C.float { return (*C.float)(pin(p, list)) }
	d := func(list []float64) *C.double { return (*C.double)(pin(p, list)) }
	*k.layout = C.bl_layout{n: C.int32_t(l.N), d: C.int32_t(l.D), blocks: C.int32_t(l.Blocks),
		metric: C.int32_t(l.Metric), x: f(l.X.Data), row: (*C.int32_t)(pin(p, l.Row)), norm: d(l.Norm), core: d(l.Core),
		scale: C.double(l.Scale), mean: d(l.Mean), packed: f(l.Packed), half: f(l.Half), length: f(l.Length),
		centre: f(l.Centre), centre_half: f(l.CentreHalf), centre_length: f(l.CentreLength),
		centre_cols: f(l.CentreCols), radius: f(l.Radius), longest: f(l.Longest)}
	return k, nil
}

func errLight() error {
	return problem.New("", "close other programs", "there is not enough memory to compare points")
}

// borrowSight takes a thread's memory. There is always some: where there is no room for more, a thread waits for
// another.
func (k *light) borrowSight() *C.bl_sight {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.sights) == 0 {
		if s := C.bl_sight_new(C.int32_t(k.l.D)); s != nil {
			return s
		}
	}
	for len(k.sights) == 0 {
		k.given.Wait()
	}
	n := len(k.sights)
	s := k.sights[n-1]
	k.sights = k.sights[:n-1]
	return s
}

func (k *light) give(s *C.bl_sight) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sights = append(k.sights, s)
	k.given.Signal()
}

// Free implements linkage.Kernel.
func (k *light) Free() {
	for _, s := range k.sights {
		C.bl_sight_free(s)
	}
	k.sights = nil
	k.pinned.Unpin()
	C.bl_release(unsafe.Pointer(k.layout))
	C.bl_release(unsafe.Pointer(k.bounds))
	C.bl_release(unsafe.Pointer(k.made))
	k.layout, k.bounds, k.made, k.l, k.of = nil, nil, nil, nil, nil
}

// Blocks implements linkage.Kernel.
func (k *light) Blocks(a int32, ids []int32) int {
	s := k.borrowSight()
	defer k.give(s)
	return int(C.bl_blocks(k.isa, k.layout, C.int32_t(a), C.int32_t(len(ids)), (*C.int32_t)(unsafe.SliceData(ids)), s))
}

// Near implements linkage.Kernel.
func (k *light) Near(a int32, rows uint64, blocks, label []int32, near int, ids []int32, scores []float32,
	_ *linkage.Scratch) {
	s := k.borrowSight()
	C.bl_near(k.isa, k.layout, C.int32_t(a), C.uint64_t(rows), (*C.int32_t)(unsafe.SliceData(blocks)),
		C.int32_t(len(blocks)), (*C.int32_t)(unsafe.SliceData(label)), C.int32_t(near),
		(*C.int32_t)(unsafe.SliceData(ids)), floats(scores), s)
	k.give(s)
}

// Weights implements linkage.Kernel.
func (k *light) Weights(edges []linkage.Edge) {
	C.bl_weights(k.layout, (*C.bl_edge)(unsafe.Pointer(unsafe.SliceData(edges))), C.int64_t(len(edges)))
}

// watch makes C know the bounds, whose arrays stay where they are while the tree changes.
func (k *light) watch(b *linkage.Bounds) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of != b {
		p := &k.pinned
		*k.bounds = C.bl_bounds{up: (*C.int32_t)(pin(p, b.Up)), w: (*C.double)(pin(p, b.W)),
			s: (*C.float)(pin(p, b.S)), smax: (*C.float)(pin(p, b.SMax)), core: (*C.float)(pin(p, b.Core))}
		if b.Full { // as it stays while anybody looks
			k.bounds.full = 1
		}
		k.of = b
	}
}

// Look implements linkage.Kernel.
func (k *light) Look(b *linkage.Bounds, a, from, to int32, most int, kept []linkage.Edge,
	work *linkage.Scratch) (int32, []linkage.Edge) {
	k.watch(b)
	s := k.borrowSight()
	var n C.bl_counts
	for from < to && len(kept) < most {
		var count C.int32_t
		from = int32(C.bl_look(k.isa, k.layout, k.bounds, (*C.float)(unsafe.SliceData(work.Ways)), C.int32_t(a),
			C.int32_t(from), C.int32_t(to), &count, &n, s))
		kept = append(kept, unsafe.Slice((*linkage.Edge)(unsafe.Pointer(s.kept)), int(count))...)
	}
	k.give(s)
	work.Work.Tested += int64(n.tested)
	work.Work.Rechecked += int64(n.rechecked)
	work.Work.Light += int64(n.light)
	work.Work.Kept += int64(n.kept)
	return from, kept
}
