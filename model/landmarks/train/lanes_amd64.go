package train

// Every amd64 processor has the instructions that these use (SSE2).

// distances sets d2[i] to the squared distance of landmark i of a block to x: sums over the dimensions
// in their order. It returns the least of them. c has len(x)*laneCount numbers and x at least one.
func distances(c, x []float32, d2 *[laneCount]float32) (least float32) {
	_ = c[len(x)*laneCount-1]
	return distancesSSE(&c[0], &x[0], len(x), d2)
}

// pull moves landmark i of a block the share h[i] of the way to x, dimension by dimension.
func pull(c, x []float32, h *[laneCount]float32) {
	_ = c[len(x)*laneCount-1]
	pullSSE(&c[0], &x[0], len(x), h)
}

//go:noescape
func distancesSSE(c, x *float32, d int, d2 *[laneCount]float32) (least float32)

//go:noescape
func pullSSE(c, x *float32, d int, h *[laneCount]float32)
