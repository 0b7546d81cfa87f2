// Package umap is UMAP: the fuzzy graph of points (n x d), maps of it in 2 or 3 dimensions, and new points in such a
// map. GraphOf makes the graph from neighbours. Forming is a map that forms on a Device, which is what an engine
// offers: the schedule and all that is decided is here, what costs time is the device's. Plain is a Device without an
// engine, in float64, and what others are judged by. Frozen places new points in a map that stays as it is. Around and
// Kernel are what a layout of landmarks shares.
//
// After L. McInnes, J. Healy and J. Melville, "UMAP: Uniform Manifold Approximation and Projection" (2018), and in what
// the paper leaves open as umap-learn 0.5 has it. With r = y_i - y_j and s = |r|^2, edges and points drawn at random
// act by
//
//	-2ab s^(b-1) / (1 + a s^b) r       2 gamma b / ((0.001 + s)(1 + a s^b)) r
//
// umap-learn moves its edges one by one. Here each point gathers what moves it from where all points were before, so
// that the same input gives the same bits whatever the number of threads.
package umap

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
