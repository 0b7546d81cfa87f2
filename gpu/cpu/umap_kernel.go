package cpu

import "blossom/model/maps/umap"

// umapKernel computes ranges of points of a sub-step of UMAP. Calls for different ranges may run at the same time.
type umapKernel interface {
	floats(n int) ([]float32, error)
	bind(f *flock) // after arrays of f were made, or changed places
	pull(s *umapStep, from, to int)
	release() // all that floats gave
}

// flock is the arrays of a map. Arrays of coordinates have stride numbers a point, the last of which is 0 in 3D.
type flock struct {
	n, dims, stride int
	y, next, was    []float32 // was: y of when the epoch began, once y and next are other ones
	loose           []float32 // how much steps of a point count; 0 where held
	start           []int64
	column          []int32
	rate            []uint32 // with widest more
}

// widest is how many lanes a vector has at most.
const widest = 16

// umapStep is what is the same for all points in a sub-step.
type umapStep struct {
	kernel      umap.Kernel
	alpha       float64
	epoch, part int
	negatives   int
	one, two    uint32 // keys of its random numbers
}
