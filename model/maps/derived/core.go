package derived

import (
	"math"
	"slices"
)

// Tail is the share of points on each side of an axis that are taken for outliers: what a window fits its view to, and
// what a picture without a window shows.
const Tail = 0.001

// Core returns the corners of the box around the marks and all points but the farthest two in a thousand on each
// axis, with some room around. EmbedSOM puts points that are far from all landmarks far outside of the map: a
// picture that shows them all shows little else. ok is false where no point is finite.
func Core(p Positions) (low, high [3]float64, ok bool) {
	const room = 0.03
	if p.Dims < 1 || p.Dims > 3 {
		return low, high, false
	}
	for axis := range p.Dims {
		from, to, any := ends(p.Pos, p.Dims, axis)
		if !any {
			return [3]float64{}, [3]float64{}, false
		}
		low[axis], high[axis] = from, to
	}
	for i := range p.Marks.Rows {
		mark := p.Marks.Row(i)
		finite := true
		for _, x := range mark {
			finite = finite && x-x == 0
		}
		for axis, x := range mark[:min(len(mark), p.Dims)] {
			if finite {
				low[axis], high[axis] = min(low[axis], float64(x)), max(high[axis], float64(x))
			}
		}
	}
	for axis := range p.Dims {
		d := room * (high[axis] - low[axis])
		low[axis], high[axis] = low[axis]-d, high[axis]+d
	}
	return low, high, true
}

// ends are the quantiles of Tail and 1-Tail of a coordinate, as dataset.Column has them of so few values that it sorts
// all: here only those around the ends are sorted, so that many points take neither time nor memory. any is false where
// no coordinate is finite.
func ends(pos []float32, dims, axis int) (low, high float64, any bool) {
	var counts [1 << 16]int
	n := 0
	for i := axis; i < len(pos); i += dims {
		if x := pos[i]; x-x == 0 {
			counts[rising(x)>>16]++
			n++
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	quantile := func(q float64) float64 {
		at := q * float64(n-1)
		first := min(int(at), n-1)
		last := min(first+1, n-1)
		from, before := binOf(counts[:], first)
		to := from
		if last >= before+counts[from] { // the next value lies in another bin
			for to++; counts[to] == 0; to++ {
			}
		}
		var some []float64
		for i := axis; i < len(pos); i += dims {
			if x := pos[i]; x-x == 0 {
				if k := int(rising(x) >> 16); k == from || k == to {
					some = append(some, float64(x))
				}
			}
		}
		slices.Sort(some)
		a, b := some[first-before], some[last-before]
		return a + (b-a)*(at-float64(first))
	}
	return quantile(Tail), quantile(1 - Tail), true
}

// binOf is the bin of the value of a rank, which there is, and how many values are in those before.
func binOf(counts []int, rank int) (bin, before int) {
	for ; before+counts[bin] <= rank; bin++ {
		before += counts[bin]
	}
	return bin, before
}

// rising is a number that rises with x.
func rising(x float32) uint32 {
	b := math.Float32bits(x)
	if b>>31 != 0 {
		return ^b
	}
	return b | 1<<31
}
