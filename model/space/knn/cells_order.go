package knn

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"blossom/model/base/large"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// nearestCells puts for each cell all cells in order of the distance of their centres, ties to the lower number, and
// itself first, also where centres coincide. The error is ctx's.
func nearestCells(ctx context.Context, centres matrix.Matrix32) ([][]int32, error) {
	n := centres.Rows
	all, near := large.Make[int32](n*n), make([][]int32, n)
	return near, par.Blocks(ctx, n, 8, func(_, from, to int) {
		a := newAround(n)
		for i := from; i < to; i++ {
			a.measure(centres, i)
			a.sort()
			list := all[i*n : (i+1)*n : (i+1)*n]
			list[0] = int32(i)
			for j, o := range a.others {
				list[j+1] = o.cell
			}
			near[i] = list
		}
	})
}

// away is a cell, and how far away it is: the bits of a squared distance, which is not negative, are in its order.
type away struct {
	far  uint64
	cell int32
}

// around is the memory for sorting the cells around one.
type around struct {
	others, turned []away
	count          [2][1 << awayDigit]int32
}

// awayDigit is how many bits of a distance are a digit. Two digits tell nearly all distances apart.
const awayDigit = 11

func newAround(cells int) *around {
	return &around{others: make([]away, cells-1), turned: make([]away, cells-1)}
}

// measure lists the others of cell i, rising, with the distances of their centres.
func (a *around) measure(centres matrix.Matrix32, i int) {
	others, me := a.others[:0], centres.Row(i)
	for j := range centres.Rows {
		if j != i {
			others = append(others, away{math.Float64bits(Squared(me, centres.Row(j))), int32(j)})
		}
	}
}

// sort sorts by distance: by two digits of what distances differ in, the lower first, then those that are equal in
// both.
func (a *around) sort() {
	low, high := uint64(math.MaxUint64), uint64(0)
	for _, o := range a.others {
		low, high = min(low, o.far), max(high, o.far)
	}
	if low >= high { // all in their order
		return
	}
	const mask = 1<<awayDigit - 1
	shift := max(0, bits.Len64(high-low)-2*awayDigit)
	a.count = [2][1 << awayDigit]int32{}
	for _, o := range a.others {
		key := (o.far - low) >> shift
		a.count[0][key&mask]++
		a.count[1][key>>awayDigit]++
	}
	for digit := range a.count {
		at := int32(0)
		for k, n := range a.count[digit] {
			a.count[digit][k], at = at, at+n
		}
	}
	for _, o := range a.others {
		next := &a.count[0][(o.far-low)>>shift&mask]
		a.turned[*next] = o
		*next++
	}
	for _, o := range a.turned {
		next := &a.count[1][(o.far-low)>>shift>>awayDigit]
		a.others[*next] = o
		*next++
	}
	for list := a.others; len(list) > 0; {
		same := 1
		for same < len(list) && (list[same].far-low)>>shift == (list[0].far-low)>>shift {
			same++
		}
		sortAway(list[:same])
		list = list[same:]
	}
}

// sortAway sorts cells of which those equally far are in order.
func sortAway(list []away) {
	const few = 32
	if len(list) > few {
		slices.SortFunc(list, func(a, b away) int {
			return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.cell, b.cell))
		})
		return
	}
	for i := 1; i < len(list); i++ {
		o, j := list[i], i
		for ; j > 0 && list[j-1].far > o.far; j-- {
			list[j] = list[j-1]
		}
		list[j] = o
	}
}

// Look has the points of each cell look through the probe nearest cells, and as many more as it takes until there are
// k others in them.
func (c *Cells) Look(probe, k int) {
	c.Probe = make([][]int32, c.Len())
	for i, near := range c.near {
		have, at := 0, 0
		for at < len(near) && have < k+1 {
			have += len(c.In(int(near[at])))
			at++
		}
		at = max(at, min(probe, len(near)))
		c.Probe[i] = near[:at:at]
	}
}
