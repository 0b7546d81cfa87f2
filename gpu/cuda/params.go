package cuda

import (
	"fmt"
	"reflect"

	"blossom/gpu/cuda/driver"
)

// The parameters of the kernels, by the names that they have in kernels/*.cu, in that order and of those types.
// TestKernelParameters compares them with the sources.

type prepareParams struct {
	codebook     driver.Ptr
	g, d, dp     int32
	centre, mean driver.Ptr
}

type pairsParams struct {
	codebook                 driver.Ptr
	g, d                     int32
	named, triangle, closest driver.Ptr
}

type operandsParams struct {
	codebook                                   driver.Ptr
	g, d, dp, tiles                            int32
	centre, mean, factors, norms, halves, rows driver.Ptr
}

type nearTilesParams struct {
	x, order               driver.Ptr
	first, slots, from, to int64
	d, g, find             int32
	codebook, ids, d2      driver.Ptr
}

type nearListedParams struct {
	x, order                                driver.Ptr
	d, g, find                              int32
	codebook, count, ticket, slots, ids, d2 driver.Ptr
}

type identityParams struct {
	n     int64
	order driver.Ptr
}

type orderPagesParams struct {
	firstPage, n          int64
	g, find               int32
	ids, d2, fresh, order driver.Ptr
}

type countUsesParams struct {
	first, slots  int64
	g, find       int32
	ids, d2, uses driver.Ptr
}

type rankUsesParams struct {
	uses         driver.Ptr
	g            int32
	rowOf, named driver.Ptr
}

type affectedParams struct {
	slots                       int64
	g, k, find                  int32
	ids, d2, moved, count, list driver.Ptr
}

type fromPairsParams struct {
	pairs       driver.Ptr
	from, count int64
	find        int32
	ids, d2     driver.Ptr
}

type toPairsParams struct {
	pairs                  driver.Ptr
	first, count, from, to int64
	find                   int32
	order, ids, d2         driver.Ptr
}

type exactListedParams struct {
	x                            driver.Ptr
	d                            int32
	codebook, pos                driver.Ptr
	dims, g, k, find             int32
	boost, adjust                float32
	count, rough, ticket, points driver.Ptr
	all                          uint32
	first                        int64
	out, scratch, none           driver.Ptr
	turn                         uint32
}

type trainNearestParams struct {
	x        driver.Ptr
	count    int64
	d        int32
	codebook driver.Ptr
	g        int32
	out      driver.Ptr
}

type trainSumsParams struct {
	x                                driver.Ptr
	count                            int64
	d                                int32
	bmu                              driver.Ptr
	g, share, lanes                  int32
	largest, high, low, counts, more driver.Ptr
}

type trainRestsParams struct {
	x                  driver.Ptr
	count              int64
	d                  int32
	bmu                driver.Ptr
	g, share, lanes    int32
	largest, high, low driver.Ptr
	skip               int32
	more               driver.Ptr
}

type trainSmoothParams struct {
	pos                        driver.Ptr
	dims, g, d                 int32
	inverse, reach             float64
	sums, counts, out, weights driver.Ptr
}

// papersKnnParams are those of all published kernels for neighbours; some have no size.
type papersKnnParams struct {
	x           driver.Ptr
	from, count int64
	d           int32
	codebook    driver.Ptr
	g, find     int32
	out         driver.Ptr
	size        int32 // tile or chunk
}

// papersProjectParams are those of all published kernels for positions; base has no stride.
type papersProjectParams struct {
	x                        driver.Ptr
	from, count              int64
	d                        int32
	codebook, pos            driver.Ptr
	dims, g                  int32
	pairs                    driver.Ptr
	k, find                  int32
	boost, adjust            float32
	out, hardCount, hardList driver.Ptr
	stride                   int32
}

// kernel is a kernel of a module, or with an open name all of its kernels that begin so.
type kernel[P any] struct {
	module, name string
	layout       driver.Layout[P]
}

// described are the parameters of all kernels, by module and name.
var described = map[[2]string]reflect.Type{}

func kernelOf[P any](module, name string) *kernel[P] {
	described[[2]string{module, name}] = reflect.TypeFor[P]()
	return &kernel[P]{module, name, driver.LayoutOf[P]()}
}

// Kernels by the 32 neighbours that a register of a warp holds.
var (
	nearListed = [...]*kernel[nearListedParams]{1: kernelOf[nearListedParams]("tiles", "nearListed_1"),
		kernelOf[nearListedParams]("tiles", "nearListed_2"), kernelOf[nearListedParams]("tiles", "nearListed_3")}
	nearTiles = [...]*kernel[nearTilesParams]{1: kernelOf[nearTilesParams]("tiles", "nearTiles_1"),
		kernelOf[nearTilesParams]("tiles", "nearTiles_2"), kernelOf[nearTilesParams]("tiles", "nearTiles_3")}
)

var (
	prepare       = kernelOf[prepareParams]("tables", "prepare")
	pairs         = kernelOf[pairsParams]("tables", "pairs")
	operands      = kernelOf[operandsParams]("tensor", "operands")
	identity      = kernelOf[identityParams]("order", "identity")
	orderPages    = kernelOf[orderPagesParams]("order", "orderPages")
	countUses     = kernelOf[countUsesParams]("order", "countUses")
	rankUses      = kernelOf[rankUsesParams]("order", "rankUses")
	affected      = kernelOf[affectedParams]("order", "affected")
	fromPairs     = kernelOf[fromPairsParams]("order", "fromPairs")
	toPairs       = kernelOf[toPairsParams]("order", "toPairs")
	exactListed   = kernelOf[exactListedParams]("exact", "exactListed")
	trainNearest  = kernelOf[trainNearestParams]("train", "trainNearest")
	trainSums     = kernelOf[trainSumsParams]("train", "trainSums")
	trainRests    = kernelOf[trainRestsParams]("train", "trainRests")
	trainSmooth   = kernelOf[trainSmoothParams]("train", "trainSmooth")
	papersKnn     = kernelOf[papersKnnParams]("papers_knn", "papersKnn")
	papersProject = kernelOf[papersProjectParams]("papers_project", "papersProject")
)

// launch queues the kernel on the card.
func (k *kernel[P]) launch(e *card, p P, grid, block driver.Dim, shared int) error {
	return k.launchAs(e, k.name, p, grid, block, shared)
}

// launchAs is launch of one of the kernels of an open name.
func (k *kernel[P]) launchAs(e *card, name string, p P, grid, block driver.Dim, shared int) error {
	f, err := e.kernel(k.module, name)
	if err != nil {
		return err
	}
	if shared > 48<<10 && e.fits(f, block.X*max(1, block.Y), shared) == 0 {
		return fmt.Errorf("cuda: kernel %s needs %d bytes of shared memory and does not get them", name, shared)
	}
	return k.launchOn(e.s, f, &e.args, p, grid, block, shared)
}

// launchOn is launch of a kernel that has been looked up.
func (k *kernel[P]) launchOn(s *driver.Stream, f *driver.Function, a *driver.Args, p P, grid, block driver.Dim,
	shared int) error {
	k.layout.Set(a, p)
	return s.Launch(f, grid, block, shared, a)
}
