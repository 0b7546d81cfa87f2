//go:build cgo && !race

package cpu

/*
#include "tsne.h"
#include "dispatch.h"
*/
import "C"

import (
	"runtime"
	"slices"
	"unsafe"
)

// nativeTSNE is the kernel in C. What C keeps a pointer to lies in memory of C.
type nativeTSNE struct {
	isa     C.int
	m       C.bl_map
	lattice *C.bl_lattice
	live    []unsafe.Pointer
}

func newNativeTSNE(isa C.int) tsneKernel {
	k := &nativeTSNE{isa: isa}
	runtime.SetFinalizer(k, (*nativeTSNE).release) // should Close be forgotten
	return k
}

func (k *nativeTSNE) lanes() int { return int(C.bl_lanes(k.isa)) }

func (k *nativeTSNE) alloc(bytes int) (unsafe.Pointer, error) {
	p := C.bl_alloc(C.size_t(bytes))
	if p == nil {
		return nil, errMemory()
	}
	k.live = append(k.live, p)
	return p, nil
}

func (k *nativeTSNE) floats(n int) ([]float32, error) {
	p, err := k.alloc(4 * n)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*float32)(p), n), nil
}

func (k *nativeTSNE) words(n int) ([]int32, error) {
	p, err := k.alloc(4 * n)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*int32)(p), n), nil
}

func (k *nativeTSNE) release() {
	for _, p := range k.live {
		C.bl_release(p)
	}
	k.live = nil
	C.bl_lattice_free(k.lattice)
	k.lattice = nil
}

func (k *nativeTSNE) drop(w []int32, f []float32) {
	for _, p := range []unsafe.Pointer{unsafe.Pointer(unsafe.SliceData(w)), unsafe.Pointer(unsafe.SliceData(f))} {
		if i := slices.Index(k.live, p); i >= 0 {
			C.bl_release(p)
			k.live = slices.Delete(k.live, i, i+1)
		}
	}
}

func words(s []int32) *C.int32_t { return (*C.int32_t)(unsafe.SliceData(s)) }

func (k *nativeTSNE) bind(s *swarm) {
	m := C.bl_map{n: C.int32_t(s.n), dims: C.int32_t(s.dims), stride: C.int32_t(s.stride), y: floats(s.y),
		next: floats(s.next), v: floats(s.v), gain: floats(s.gain), att: floats(s.att), rep: floats(s.rep),
		loose: floats(s.loose), start: words(s.start), column: words(s.column), value: floats(s.value),
		curve: words(s.curve), levels: C.int32_t(len(s.level) - 1), mass: floats(s.mass), side2: floats(s.side2),
		bin: words(s.bin)}
	for c := range s.flat {
		m.flat[c], m.mean[c], m.lo[c], m.hi[c] = floats(s.flat[c]), floats(s.mean[c]), floats(s.lo[c]), floats(s.hi[c])
	}
	for l, at := range s.level {
		m.level[l] = C.int32_t(at)
	}
	k.m = m
}

func (k *nativeTSNE) attract(from, to int) { C.bl_attract(k.isa, &k.m, C.int32_t(from), C.int32_t(to)) }

func (k *nativeTSNE) divergence(from, to int) float64 {
	return float64(C.bl_divergence(k.isa, &k.m, C.int32_t(from), C.int32_t(to)))
}

func (k *nativeTSNE) push(p *push, from, to int, out *moved) {
	C.bl_move(k.isa, &k.m, (*C.bl_push)(unsafe.Pointer(p)), C.int32_t(from), C.int32_t(to),
		(*C.bl_moved)(unsafe.Pointer(out)))
}

func (k *nativeTSNE) exact(from, to int) float64 {
	return float64(C.bl_exact(k.isa, &k.m, C.int32_t(from), C.int32_t(to)))
}

func (k *nativeTSNE) leaves(from, to int) { C.bl_leaves(k.isa, &k.m, C.int32_t(from), C.int32_t(to)) }

func (k *nativeTSNE) walk(theta2 float32, group int) float64 {
	return float64(C.bl_walk(k.isa, &k.m, C.float(theta2), C.int32_t(group)))
}

func (k *nativeTSNE) grid(l *grid, workers int) error {
	spectrum := l.Spectrum()
	C.bl_lattice_free(k.lattice)
	k.lattice = C.bl_lattice_new(C.int32_t(l.N), C.int32_t(l.Spline), C.bl_lanes(k.isa), C.int32_t(workers),
		(*C.double)(unsafe.SliceData(spectrum)))
	if k.lattice == nil {
		l.value, l.N = nil, 0
		return errMemory()
	}
	lanes := k.lanes()
	l.value = unsafe.Slice((*float32)(unsafe.Pointer(k.lattice.value)), l.N*l.N)
	columns := (l.N + 2*lanes - 1) / (2 * lanes)
	l.steps = [3]int{columns, int(k.lattice.even + k.lattice.odd), columns}
	return nil
}

func (k *nativeTSNE) place(l *grid) {
	k.lattice.x0, k.lattice.y0, k.lattice.over = C.float(l.x0), C.float(l.y0), C.float(l.over)
}

func (k *nativeTSNE) spread(l *grid, from, to int) {
	C.bl_spread(k.isa, &k.m, k.lattice, C.int32_t(from), C.int32_t(to))
}

func (k *nativeTSNE) interpolate(l *grid, from, to int) {
	C.bl_interpolate(k.isa, &k.m, k.lattice, C.int32_t(from), C.int32_t(to))
}

func (k *nativeTSNE) convolve(l *grid, step, block, worker int) float64 {
	return float64(C.bl_convolve(k.isa, k.lattice, C.int32_t(step), C.int32_t(block), C.int32_t(worker)))
}
