//go:build cgo && !race

package cpu

/*
#include "dispatch.h"
#include "light.h"
*/
import "C"

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	vec "gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"blossom/model/clusters/linkage"
)

// lattice is the points as whole numbers of 16 bits, as bl_layout has them: products of those are twice as fast as of
// float32, and exact. Points of many columns have a sketch too.
type lattice struct {
	once       sync.Once
	made       *C.bl_grid
	origin     []float64 // in the table's values
	unit       float64
	directions []float64 // directions of the sketch
	sketchUnit float64
	squares    []int32
	centres    []int32
	centred    []int32
	radii      []float32
}

const (
	sketchFrom   = 64           // columns, and blocks: with fewer of them there is no sketch
	sketchPairs  = C.SKETCH / 2 // pairs of directions
	sketchCentre = 512
	sketchRounds = 4
)

// Settle implements linkage.Kernel: the points become those of a lattice, where they are.
func (k *light) Settle(from, to int32) {
	if k.once.Do(k.grid); k.layout.lattice == nil {
		return
	}
	l, c := k.l, k.layout
	s := k.borrowSight()
	defer k.give(s)
	for b := from; b < to; b++ {
		C.bl_settle(c, k.made, C.int32_t(b), (*C.int32_t)(unsafe.Pointer(&l.Packed[int64(b)*int64(c.panel)])),
			(*C.int32_t)(&k.squares[b*linkage.BlockSize]), (*C.int32_t)(&k.centres[b*int32(c.pairs)]),
			(*C.int32_t)(&k.centred[b]), (*C.float)(&k.radii[b]), s)
	}
}

func doubles(list []float64) *C.double { return (*C.double)(unsafe.SliceData(list)) }

// most is the largest length of a point, in units: the product of two of them is below 2^30.
const most = math.MaxInt16

// grid says what the lattice is: of the values themselves where they are whole and near enough to each other, else
// one in which no point is further from the mean than 32767 units. There is none where one point is so far off
// that the unit says little of the others.
func (k *light) grid() {
	l, longest := k.l, float32(0)
	for _, v := range l.Longest {
		longest = max(longest, v)
	}
	if l.Metric == linkage.L1 || C.bl_has_lattice(k.isa) == 0 || longest == 0 {
		return
	}
	root, far := math.Sqrt(float64(l.D)), float64(longest)/l.Scale
	whole := l.Metric == linkage.Euclidean && far+root+1 < most && k.isWhole()
	slack := 0.0
	if k.origin, k.unit = l.Mean, far/(most-root-1); whole {
		k.origin, k.unit = make([]float64, l.D), 1
		for c, m := range l.Mean {
			k.origin[c] = math.Round(m)
		}
		far += root // the origin has moved
	} else {
		slack = k.off(l.D, far, k.unit)
		radii := slices.Clone(l.Radius)
		slices.Sort(radii)
		if slack > float64(radii[len(radii)/2])/l.Scale/k.unit/16 {
			return
		}
	}
	if k.made = (*C.bl_grid)(C.bl_alloc(C.sizeof_bl_grid)); k.made == nil {
		return
	}
	pairs := (l.D + 1) / 2
	k.squares, k.radii = make([]int32, l.Blocks*linkage.BlockSize), make([]float32, l.Blocks)
	k.centres, k.centred = make([]int32, l.Blocks*pairs), make([]int32, l.Blocks)
	p, c := &k.pinned, k.layout
	c.pairs, c.panel = C.int32_t(pairs), C.int64_t(linkage.BlockSize*l.D)
	if whole {
		c.whole = 1
	}
	c.per_unit, c.slack = k.per(k.unit), C.float(slack*(1+0x1p-20))
	c.square, c.lattice_radius = (*C.int32_t)(pin(p, k.squares)), (*C.float)(pin(p, k.radii))
	c.lattice_centre, c.centre_square = (*C.int32_t)(pin(p, k.centres)), (*C.int32_t)(pin(p, k.centred))
	if l.D >= sketchFrom && l.Blocks >= sketchFrom {
		k.sketch(far)
	}
	pin(p, k.origin)
	*k.made = C.bl_grid{origin: doubles(k.origin), unit: C.double(k.unit), directions: doubles(k.directions),
		sketch_unit: C.double(k.sketchUnit)}
	c.lattice = (*C.int32_t)(unsafe.Pointer(c.packed))
}

// off is how far the distance of two points of a lattice of so many columns may be off: half a unit a column for
// each, and what float64 rounds of values so far from the mean.
func (k *light) off(columns int, far, unit float64) float64 {
	largest := far
	for _, m := range k.l.Mean {
		largest = max(largest, far+math.Abs(m))
	}
	return 2 * math.Sqrt(float64(columns)) * (0.5 + 0x1p-10 + 0x1p-51*largest/unit)
}

// per is how many units there are in one of the filter's space, rounded up.
func (k *light) per(unit float64) C.float { return C.float(1 / (unit * k.l.Scale) * (1 + 0x1p-20)) }

// sketch says what the sketch is, of points no further from the origin than far.
func (k *light) sketch(far float64) {
	const many = 2 * sketchPairs
	k.directions, k.sketchUnit = k.across(many), far/(most-math.Sqrt(many)-1)
	c := k.layout
	c.sketch_pairs, c.sketch_per_unit = sketchPairs, k.per(k.sketchUnit)
	// D columns are rounded in float64 before they are turned, and their sums after: far less than the 1.
	slack := k.off(many, far, k.sketchUnit) + 0x1p-51*float64(k.l.D)*most + 1
	c.sketch_slack = C.float(slack * (1 + 0x1p-20))
	pin(&k.pinned, k.directions)
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
	var seen mat.Dense
	for range sketchRounds {
		seen.Mul(a, v)
		v.Mul(a.T(), &seen)
		orthonormal(v)
	}
	return v.RawMatrix().Data
}

// orthonormal makes columns of length 1 at right angles of v's, one after the other; of one that is in the space
// of those before nothing is left. Twice, as rounding brings back some of what is taken away.
func orthonormal(v *mat.Dense) {
	rows, cols := v.Dims()
	data := v.RawMatrix().Data
	list := make([][]float64, cols)
	for k := range list {
		z := make([]float64, rows)
		for c := range z {
			z[c] = data[c*cols+k]
		}
		before := vec.Norm(z, 2)
		for range 2 {
			for _, other := range list[:k] {
				vec.AddScaled(z, -vec.Dot(z, other), other)
			}
		}
		if size := vec.Norm(z, 2); size > 1e-9*before {
			vec.Scale(1/size, z)
		} else {
			clear(z)
		}
		list[k] = z
		for c, x := range z {
			data[c*cols+k] = x
		}
	}
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
