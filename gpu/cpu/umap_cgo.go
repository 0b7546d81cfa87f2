//go:build cgo && !race

package cpu

/*
#include "umap.h"
#include "dispatch.h"
*/
import "C"

import (
	"math"
	"runtime"
	"unsafe"

	"blossom/model/maps/umap"
)

// nativeUMAP is the kernel in C. What C keeps a pointer to is pinned, or lies in memory of C.
type nativeUMAP struct {
	isa  C.int
	g    C.bl_graph
	live []unsafe.Pointer
	pins runtime.Pinner
}

func newNativeUMAP(isa C.int) umapKernel {
	k := &nativeUMAP{isa: isa}
	runtime.SetFinalizer(k, (*nativeUMAP).release) // should Close be forgotten
	return k
}

func (k *nativeUMAP) floats(n int) ([]float32, error) {
	p := C.bl_alloc(C.size_t(4 * n))
	if p == nil {
		return nil, errMemory()
	}
	k.live = append(k.live, p)
	return unsafe.Slice((*float32)(p), n), nil
}

func (k *nativeUMAP) release() {
	for _, p := range k.live {
		C.bl_release(p)
	}
	k.live = nil
	k.pins.Unpin()
}

func (k *nativeUMAP) bind(f *flock) {
	k.pins.Unpin()
	k.pins.Pin(unsafe.SliceData(f.start))
	k.pins.Pin(unsafe.SliceData(f.rate))
	if len(f.column) > 0 {
		k.pins.Pin(unsafe.SliceData(f.column))
	}
	k.g = C.bl_graph{n: C.int32_t(f.n), dims: C.int32_t(f.dims), y: floats(f.y), next: floats(f.next),
		loose: floats(f.loose), start: (*C.int64_t)(unsafe.SliceData(f.start)), column: words(f.column),
		rate: (*C.uint32_t)(unsafe.SliceData(f.rate))}
}

func (k *nativeUMAP) pull(s *umapStep, from, to int) {
	p := C.bl_epoch{a: C.float(math.Log2(s.kernel.A)), b: C.float(s.kernel.B), alpha: C.float(s.alpha),
		epoch: C.uint32_t(s.epoch), part: C.uint32_t(s.part), parts: umap.Parts, negatives: C.uint32_t(s.negatives),
		one: C.uint32_t(s.one), two: C.uint32_t(s.two)}
	C.bl_pull(k.isa, &k.g, &p, C.int32_t(from), C.int32_t(to))
}
