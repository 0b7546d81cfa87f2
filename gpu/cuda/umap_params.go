package cuda

import "blossom/gpu/cuda/driver"

// The parameters of the kernels of UMAP, kernels/umap.cu: see params.go.

type umapPullParams struct {
	n                                   int32
	y, next, loose, start, column, rate driver.Ptr
	a, b, alpha                         float32
	epoch, part, negatives, one, two    uint32
}

type umapPinParams struct {
	count                         int32
	ids, places, counts, y, loose driver.Ptr
}

type umapPackParams struct {
	n        int32
	from, to driver.Ptr
}

var (
	umapPull = twinsOf[umapPullParams]("umap", "umapPull")
	umapPin  = twinsOf[umapPinParams]("umap", "umapPin")
	umapPack = kernelOf[umapPackParams]("umap", "umapPack")
)
