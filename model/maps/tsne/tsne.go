// Package tsne is t-SNE: affinities of points (n x d), maps of them in 2 or 3 dimensions, and new points in such a map.
// Run is the reference in float64 with all pairs: what layouts of landmarks run, and what all else is compared with.
// Forming is a map that forms on a Device, which is what an engine offers: the schedule and all that is decided is
// here, what costs time is the device's. Plain and Double are devices without an engine. Frozen places new points in a
// map that stays as it is, each for itself. Fits says what does not fit into memory.
//
// After L. van der Maaten and G. Hinton, "Visualizing Data using t-SNE" (2008). With r = y_i - y_j, w = 1/(1+|r|^2),
// Z = sum_{k != l} w_kl and exaggeration e:
//
//	A_i = sum_j p_ij w_ij r     R_i = sum_j w_ij^2 r     g_i = e A_i - R_i / Z     dKL/dy_i = 4 g_i for e = 1
//	KL = sum p ln p + sum p ln(1+|r|^2) + ln Z
//
// Step sizes are for g, without the 4. Every sum has an order that depends on indices only, so that the same input
// gives the same bits whatever the number of threads.
package tsne

import (
	"context"

	"blossom/model/base/par"
)

// block is how many points a goroutine takes at a time.
const block = 32

// rows runs fn for ranges of n points, on all cores. What was begun is finished: there is no way to stop it.
func rows(n int, fn func(from, to int)) {
	_ = par.Blocks(context.Background(), n, block, func(_, from, to int) { fn(from, to) })
}

// Total adds values pairwise, in an order that their number alone determines.
func Total(values []float64) float64 {
	if len(values) <= 8 {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return sum
	}
	half := len(values) / 2
	return Total(values[:half]) + Total(values[half:])
}
