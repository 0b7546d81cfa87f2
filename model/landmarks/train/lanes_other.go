//go:build !amd64

package train

// distances sets d2[i] to the squared distance of landmark i of a block to x: sums over the dimensions
// in their order. It returns the least of them. c has len(x)*laneCount numbers and x at least one.
func distances(c, x []float32, d2 *[laneCount]float32) (least float32) {
	return distancesGo(c, x, d2)
}

// pull moves landmark i of a block the share h[i] of the way to x, dimension by dimension.
func pull(c, x []float32, h *[laneCount]float32) { pullGo(c, x, h) }
