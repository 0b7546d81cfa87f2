//go:build cgo && !race

package cpu

/*
#cgo CFLAGS: -O2 -Wall -I${SRCDIR}/native
#include "dispatch.h"
*/
import "C"

import (
	"runtime"
	"unsafe"

	_ "blossom/gpu/cpu/native" // the kernels in C
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
)

const (
	isaBase = iota
	isaAVX2
	isaAVX512
	isaScalar
)

func native(name, title string, isa C.int) variant {
	v := variant{
		name: name, title: title, field: 0.88, tree: 165,
		tsne: func() tsneKernel { return newNativeTSNE(isa) },
		umap: func() umapKernel { return newNativeUMAP(isa) },
		has:  func() bool { return C.bl_has(isa) != 0 },
		open: func(d, g int, tabled bool) (kernel, error) { return openNative(isa, d, g, tabled) },
		peak: func(rounds int) float64 { return float64(C.bl_peak(isa, C.int64_t(rounds))) },
	}
	v.light = func(l *linkage.Blocked) (linkage.Kernel, error) { return openLight(isa, l) }
	if isa != isaScalar {
		v.others = findOthers(isa)
	}
	return v
}

// variants, best first. The last two are never chosen by themselves.
var variants = []variant{
	native("avx512", "AVX-512", isaAVX512),
	native("avx2", "AVX2", isaAVX2),
	native("baseline", baseTitle(), isaBase),
	plainGo,
	native("scalar", "plain C", isaScalar),
}

func baseTitle() string {
	switch runtime.GOARCH {
	case "amd64":
		return "SSE2"
	case "arm64":
		return "NEON"
	}
	return "portable vectors"
}

type nativeKernel struct {
	isa  C.int
	plan *C.bl_plan
	live map[unsafe.Pointer]bool // scratch memory
}

func errMemory() error {
	return problem.New("", "use fewer landmarks or close other programs",
		"there is not enough memory for the tables of the landmarks")
}

func openNative(isa C.int, d, g int, tabled bool) (kernel, error) {
	t := C.int32_t(0)
	if tabled && isa != isaScalar {
		t = 1
	}
	k := &nativeKernel{isa: isa, live: map[unsafe.Pointer]bool{}}
	k.plan = C.bl_plan_new(C.int32_t(d), C.int32_t(g), C.bl_lanes(isa), C.bl_panel(isa), t)
	if k.plan == nil {
		return nil, errMemory()
	}
	runtime.SetFinalizer(k, (*nativeKernel).free) // should free be forgotten
	return k, nil
}

func (k *nativeKernel) free() {
	for p := range k.live {
		C.bl_release(p)
	}
	clear(k.live)
	C.bl_plan_free(k.plan)
	k.plan = nil
}

func floats(s []float32) *C.float { return (*C.float)(unsafe.SliceData(s)) }

func (k *nativeKernel) setCodebook(code []float32, scale float32) float32 {
	return float32(C.bl_codebook(k.plan, floats(code), C.float(scale)))
}

func (k *nativeKernel) setPositions(pos []float32, m int) {
	C.bl_positions(k.plan, floats(pos), C.int32_t(m))
}

// table says whether there is a pair table, or something (adjust, for the scalar variant) to keep.
func (k *nativeKernel) table() bool { return k.plan.pair != nil || k.isa == isaScalar }

func (k *nativeKernel) pairs(from, to int) {
	if !k.table() {
		return
	}
	C.bl_pairs(k.isa, k.plan, C.int32_t(from), C.int32_t(to))
}

func (k *nativeKernel) lines(adjust float32, from, to int) {
	if !k.table() {
		return
	}
	C.bl_lines(k.isa, k.plan, C.float(adjust), C.int32_t(from), C.int32_t(to))
}

func (k *nativeKernel) fly(on bool, adjust float32) {
	k.plan.fly, k.plan.adjust = 0, C.float(adjust)
	if on {
		k.plan.fly = 1
	}
	if k.isa == isaScalar {
		k.lines(adjust, 0, 0) // keeps adjust, and has no table
	}
}

func (k *nativeKernel) mirror(j int) {
	if k.plan.pair != nil {
		C.bl_mirror(k.plan, C.int32_t(j))
	}
}

func (k *nativeKernel) newScratch(find int) (scratch, error) {
	p := C.bl_alloc(C.bl_scratch_bytes(k.plan, C.int32_t(find)))
	if p == nil {
		return scratch{}, errMemory()
	}
	k.live[p] = true
	return scratch{native: p}, nil
}

func (k *nativeKernel) freeScratch(s *scratch) {
	delete(k.live, s.native)
	C.bl_release(s.native)
	s.native = nil
}

func (k *nativeKernel) neighbours(x []float32, from, to, find int, c cache, s *scratch) {
	C.bl_neighbours(k.isa, k.plan, floats(x), C.int64_t(from), C.int64_t(to), C.int32_t(find),
		(*C.uint16_t)(unsafe.SliceData(c.ids)), floats(c.delta), floats(c.near), s.native)
	runtime.KeepAlive(k)
}

func (k *nativeKernel) winners(code, x []float32, from, to int, out []int32, s *scratch) {
	if from < to {
		C.bl_winners(k.isa, k.plan, floats(code), floats(x[from*int(k.plan.d):]), 0, C.int64_t(to-from),
			(*C.int32_t)(unsafe.SliceData(out)), s.native)
	}
	runtime.KeepAlive(k)
}

func (k *nativeKernel) project(x []float32, from, to, kk, find int, boost float32, c cache, out []float32,
	s *scratch) int {
	n := int(C.bl_project(k.isa, k.plan, floats(x), C.int64_t(from), C.int64_t(to), C.int32_t(kk), C.int32_t(find),
		C.float(boost),
		(*C.uint16_t)(unsafe.SliceData(c.ids)), floats(c.delta), floats(c.near), floats(out),
		(*C.int32_t)(unsafe.SliceData(s.hard)), s.native))
	runtime.KeepAlive(k)
	return n
}
