package layout

import (
	"context"
	"math"

	"blossom/model/base/par"
)

// balanceRows is how many landmarks stand for all where a unit is chosen.
const balanceRows = 64

// balance finds the unit at which the forces of an algorithm neither blow up nor shrink the map as it lies. row adds up
// what landmark i has to say about it at a unit; shrinks judges the sums: true where the unit is so large, the map so
// small in the algorithm's lengths, that it would grow. The unit leaves the mean distance from the centre between least
// and most of the algorithm's lengths.
func (b *body) balance(least, most float64, row func(i int, unit float64) [3]float64,
	grows func(sums [3]float64) bool) float64 {
	_, r := b.extent(b.x)
	if !(r > 0) {
		return 0
	}
	stride := max(1, b.n/balanceRows)
	count := par.Count(b.n, stride)
	sums := make([][3]float64, count)
	at := func(unit float64) bool {
		_ = par.Blocks(context.Background(), count, 16, func(_, from, to int) {
			for k := from; k < to; k++ {
				sums[k] = row(k*stride, unit)
			}
		})
		var sum [3]float64
		for _, s := range sums {
			for c := range sum {
				sum[c] += s[c]
			}
		}
		return grows(sum)
	}
	lo, hi := math.Log(r/most), math.Log(r/least) // logarithms of the unit, least and most
	for range 12 {
		mid := (lo + hi) / 2
		if at(math.Exp(mid)) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return math.Exp((lo + hi) / 2)
}
