package cpu

import (
	"context"
	"unsafe"

	"blossom/model/base/matrix"
	"blossom/model/clusters/linkage"
	"blossom/model/maps/embedsom"
	"blossom/model/space/knn"
)

// tile is the number of points that share one tile of the neighbour cache. Within a tile, rank
// varies slowest: what belongs to rank r of point i is at [(i/tile*find+r)*tile + i%tile].
const tile = 16

// maxLandmarks is what 16-bit ids can tell apart; maxTabled is up to where the table of all pairs
// (8 bytes each, 134 MB) is worth its memory. Beyond that the float64 reference projects.
const (
	maxLandmarks = 1 << 16
	maxTabled    = 4096
)

// cache is the neighbours of all points: 6 bytes a neighbour and 4 a point.
type cache struct {
	ids   []uint16
	delta []float32 // squared distance less that of the nearest, times scale^2
	near  []float32 // squared distance of the nearest, times scale^2; NaN: invalid; +Inf: too far for float32
}

func newCache(n, find int) cache {
	n = (n + tile - 1) / tile * tile
	return cache{make([]uint16, n*find), make([]float32, n*find), make([]float32, n)}
}

// scratch is the memory of one worker for one kernel.
type scratch struct {
	native unsafe.Pointer // for C
	plain  *goScratch     // for Go
	hard   []int32        // points left to the reference
	ids    []int32        // find ids of one of them
	worker *embedsom.Worker
}

// kernel computes ranges of points for one codebook size. A kernel holds the tables that depend on
// landmarks alone; neighbours and project may run concurrently, with a scratch each.
type kernel interface {
	// setCodebook takes g x d landmarks; it keeps a scale that still suits and returns the one in use.
	setCodebook(code []float32, scale float32) float32
	setPositions(pos []float32, m int)
	pairs(from, to int)                 // 1/(2q) of rows of the pair table, after setCodebook
	lines(adjust float32, from, to int) // line weights of rows of the pair table, after pairs and setPositions
	mirror(j int)                       // copies the line weights of row j to column j
	// fly has project compute line weights itself, on or until lines has been called for all rows: the table's are of
	// other positions. The results are the same.
	fly(on bool, adjust float32)

	newScratch(find int) (scratch, error)
	freeScratch(*scratch)
	neighbours(x []float32, from, to, find int, c cache, s *scratch)
	// winners writes the train.Winner of each point to out, which begins with that of from. code has the landmarks as
	// setCodebook has taken them; the scratch is one of 1.
	winners(code, x []float32, from, to int, out []int32, s *scratch)
	// project writes out (n x m) and returns how many points, listed in s.hard relative to from, are
	// left to the reference.
	project(x []float32, from, to, k, find int, boost float32, c cache, out []float32, s *scratch) int
	free()
}

// variant is one way of computing that can be chosen by name.
type variant struct {
	name, title string
	has         func() bool
	open        func(d, g int, tabled bool) (kernel, error)
	peak        func(rounds int) float64 // runs multiply-adds and returns how many operations, or nil
	// others finds nearest points; nil: the variant has no kernels for it.
	others func(context.Context, *pool, matrix.Matrix32, knn.Query, *knn.Lists) error

	tsne        func() tsneKernel
	umap        func() umapKernel // nil: umap.Plain
	field, tree float64           // costs of its methods, see tsne.Traits
	// light opens the kernels that look at pairs of points; nil: those of plain Go.
	light func(*linkage.Blocked) (linkage.Kernel, error)
}
