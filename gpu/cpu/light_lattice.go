//go:build cgo && !race

package cpu

/*
#include "dispatch.h"
#include "light.h"
*/
import "C"

import (
	"math"
	"sync"
	"unsafe"

	"gonum.org/v1/gonum/mat"

	"blossom/model/linkage"
)

// lattice is the points as whole numbers of 16 bits, as bl_layout has them: products of those are twice as fast as of
// float32, and exact. Points of many columns have a sketch too.
type lattice struct {
	once       sync.Once
	made       *C.bl_grid
	origin     []float64 // in the table's values
	unit       float64
	directions []float64 // of the sketch
	sketchUnit float64
	squares    []int32
	centres    []int32
	centred    []int32
	radii      []float32
}

const (
	sketchFrom   = 64           // columns, and blocks: with fewer of them there is no sketch
	sketchPairs  = C.SKETCH / 2 // of directions
	sketchCentre = 512
	sketchRounds = 4
)

// Settle implements linkage.Kernel: the points become those of a lattice, where they are.
func (k *light) Settle(from, to int32) {
	if k.once.Do(k.grid); k.layout.lattice == nil {
		return
	}
	l, c := k.l, k.layout
	s := k.take()
	defer k.give(s)
	for b := from; b < to; b++ {
		C.bl_settle(c, k.made, C.int32_t(b), (*C.int32_t)(unsafe.Pointer(&l.Packed[int64(b)*int64(c.panel)])),
			(*C.int32_t)(&k.squares[b*linkage.BlockSize]), (*C.int32_t)(&k.centres[b*int32(c.pairs)]),
			(*C.int32_t)(&k.centred[b]), (*C.float)(&k.radii[b]), s)
	}
}

func doubles(list []float64) *C.double { return (*C.double)(unsafe.SliceData(list)) }

// grid says what the lattice is: of the values themselves where they are whole and near enough to each other, else one
// in which no point is further from the mean than 32767 units.
func (k *light) grid() {
	l, longest := k.l, float32(0)
	for _, v := range l.Longest {
		longest = max(longest, v)
	}
	if l.Metric == linkage.L1 || C.bl_has_lattice(k.isa) == 0 || longest == 0 {
		return
	}
	if k.made = (*C.bl_grid)(C.bl_alloc(C.sizeof_bl_grid)); k.made == nil {
		return
	}
	const most = math.MaxInt16
	root, far := math.Sqrt(float64(l.D)), float64(longest)/l.Scale
	largest := 0.0
	for _, m := range l.Mean {
		largest = max(largest, far+math.Abs(m))
	}
	// off is how far, by float64's rounding, half a unit is off in so many columns of each of two points.
	off := func(root, unit float64) float64 { return 2 * root * (0.5 + 0x1p-10 + 0x1p-51*largest/unit) }
	k.origin, k.unit = l.Mean, far/(most-root-1)
	whole, slack := l.Metric == linkage.Euclidean && far+root+1 < most && k.isWhole(), off(root, k.unit)
	if whole {
		k.origin, k.unit, slack = make([]float64, l.D), 1, 0
		for c, m := range l.Mean {
			k.origin[c] = math.Round(m)
		}
		far += root // the origin has moved
	}
	pairs := (l.D + 1) / 2
	k.squares, k.radii = make([]int32, l.Blocks*linkage.BlockSize), make([]float32, l.Blocks)
	k.centres, k.centred = make([]int32, l.Blocks*pairs), make([]int32, l.Blocks)
	p, c := &k.pinned, k.layout
	c.pairs, c.panel = C.int32_t(pairs), C.int64_t(linkage.BlockSize*l.D)
	if whole {
		c.whole = 1
	}
	per := func(unit float64) C.float { return C.float(1 / (unit * l.Scale) * (1 + 0x1p-20)) }
	c.per_unit, c.slack = per(k.unit), C.float(slack*(1+0x1p-20))
	c.square, c.lattice_radius = (*C.int32_t)(pin(p, k.squares)), (*C.float)(pin(p, k.radii))
	c.lattice_centre, c.centre_square = (*C.int32_t)(pin(p, k.centres)), (*C.int32_t)(pin(p, k.centred))
	if l.D >= sketchFrom && l.Blocks >= sketchFrom {
		const many = 2 * sketchPairs
		root := math.Sqrt(many)
		k.directions, k.sketchUnit = k.across(many), far/(most-root-1)
		c.sketch_pairs, c.sketch_per_unit = sketchPairs, per(k.sketchUnit)
		c.sketch_slack = C.float((off(root, k.sketchUnit) + 1) * (1 + 0x1p-20)) // 1: sums of D products, and far more
		pin(p, k.directions)
	}
	pin(p, k.origin)
	*k.made = C.bl_grid{origin: doubles(k.origin), unit: C.double(k.unit), directions: doubles(k.directions),
		sketch_unit: C.double(k.sketchUnit)}
	c.lattice = (*C.int32_t)(unsafe.Pointer(c.packed))
}

// across returns directions at right angles, D x many, in which the centres of blocks differ the most, about: by
// multiplying with their scatter. Any directions are right; good ones tell more points apart.
func (k *light) across(many int) []float64 {
	l := k.l
	n := min(l.Blocks, sketchCentre)
	a := mat.NewDense(n, l.D, nil)
	for i := range n {
		b := i * l.Blocks / n
		for c, v := range l.Centre[b*l.D : (b+1)*l.D] {
			a.Set(i, c, float64(v))
		}
	}
	v := mat.DenseCopyOf(a.Slice(0, many, 0, l.D).T())
	var seen, q mat.Dense
	var qr mat.QR
	for range sketchRounds {
		seen.Reset()
		seen.Mul(a, v)
		v.Mul(a.T(), &seen)
		qr.Factorize(v)
		q.Reset()
		qr.QTo(&q)
		v.Copy(q.Slice(0, l.D, 0, many))
	}
	return v.RawMatrix().Data
}

// isWhole says whether all values are whole numbers.
func (k *light) isWhole() bool {
	for _, r := range k.l.Row {
		row := k.l.X.Row(int(r))
		if C.bl_whole((*C.float)(unsafe.SliceData(row)), C.int64_t(len(row))) == 0 {
			return false
		}
	}
	return true
}
