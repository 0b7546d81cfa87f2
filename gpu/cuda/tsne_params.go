package cuda

import "blossom/gpu/cuda/driver"

// The parameters of the kernels of t-SNE, kernels/tsne*.cu: see params.go.

type tsneExactParams struct {
	n                                int32
	y, repulsion, partial, ticket, z driver.Ptr
}

type tsneMoveParams struct {
	n                                        int32
	y, fresh, v, gain, held                  driver.Ptr
	start, column, value, sums, repulsion, z driver.Ptr
	e, mu, eta                               float32
	forces                                   driver.Ptr
	rows, first                              int32
}

type tsneLookParams struct {
	n                           int32
	y, v, partial, ticket, look driver.Ptr
}

type tsneSettleParams struct {
	n          int32
	look, y, v driver.Ptr
	least      float64
	centre     int32
}

type tsneLossParams struct {
	n                                             int32
	y, start, column, value, partial, ticket, out driver.Ptr
}

type tsnePinParams struct {
	count             int32
	ids, back, places driver.Ptr
	hold              int32
	y, v, gain, held  driver.Ptr
}

type tsnePackParams struct {
	n        int32
	from, to driver.Ptr
}

type slotsPlacesParams struct {
	n           int32
	order, back driver.Ptr
}

type slotsGatherParams struct {
	n                                                 int32
	order, y, v, gain, held, toY, toV, toGain, toHeld driver.Ptr
}

type slotsColumnsParams struct {
	n                                   int32
	order, back, start, fresh, from, to driver.Ptr
}

type slotsValuesParams struct {
	n                             int32
	order, start, fresh, from, to driver.Ptr
}

type slotsPackParams struct {
	n              int32
	rows, from, to driver.Ptr
}

type fieldSpreadParams struct {
	n               int32
	y               driver.Ptr
	N               int32
	inverse, x0, y0 float32
	charges         driver.Ptr
	each            int32
}

type fieldAddParams struct {
	nodes           int64
	others          int32
	theirs, charges driver.Ptr
}

type fieldRowsParams struct {
	N                       int32
	charges, turn, spectrum driver.Ptr
}

type fieldColumnsParams struct {
	N, columns             int32
	turn, kernel, spectrum driver.Ptr
	own                    float64
	partial, ticket, z     driver.Ptr
}

type fieldBackParams struct {
	N                         int32
	spectrum, turn, potential driver.Ptr
}

type fieldKernelRowsParams struct {
	N                int32
	h                float64
	turn, room, rows driver.Ptr
}

type fieldKernelColumnsParams struct {
	N, order                 int32
	turn, room, rows, kernel driver.Ptr
}

type fieldMoveParams struct {
	n                               int32
	y, fresh, v, gain, held         driver.Ptr
	start, column, value, potential driver.Ptr
	N                               int32
	inverse, x0, y0                 float32
	lowX, lowY, highX, highY        float32
	z                               driver.Ptr
	e, mu, eta                      float32
	forces                          driver.Ptr
	rows, first                     int32
}

type treeKeysParams struct {
	n                   int32
	y, look, key, order driver.Ptr
}

type sortCountParams struct {
	n, shift    int32
	key, counts driver.Ptr
}

type sortScanParams struct {
	tiles          int32
	counts, totals driver.Ptr
}

type sortScatterParams struct {
	n, shift                                   int32
	key, order, counts, totals, toKey, toOrder driver.Ptr
}

type treeBuildParams struct {
	n                                         int32
	y, order, sorted, mean, low, high, ticket driver.Ptr
}

type treeWalkParams struct {
	n, first                                                      int32
	theta2                                                        float32
	sorted, order, mean, low, high, repulsion, partial, ticket, z driver.Ptr
}

type treeTotalParams struct {
	blocks     int32
	partial, z driver.Ptr
}

type treePlaceParams struct {
	n                int32
	along, order, to driver.Ptr
}

// twins are a kernel in 2D and in 3D.
type twins[P any] [2]*kernel[P]

func twinsOf[P any](module, name string) twins[P] {
	return twins[P]{kernelOf[P](module, name+"2"), kernelOf[P](module, name+"3")}
}

func (t twins[P]) in(dims int) *kernel[P] { return t[dims-2] }

var (
	tsneExact  = twinsOf[tsneExactParams]("tsne", "tsneExact")
	tsneMove   = twinsOf[tsneMoveParams]("tsne", "tsneMove")
	tsneLook   = twinsOf[tsneLookParams]("tsne", "tsneLook")
	tsneSettle = twinsOf[tsneSettleParams]("tsne", "tsneSettle")
	tsneLoss   = twinsOf[tsneLossParams]("tsne", "tsneLoss")
	tsnePin    = twinsOf[tsnePinParams]("tsne", "tsnePin")
	tsnePack   = kernelOf[tsnePackParams]("tsne", "tsnePack")
	tsneUnpack = kernelOf[tsnePackParams]("tsne", "tsneUnpack")

	slotsPlaces  = kernelOf[slotsPlacesParams]("tsne_slots", "slotsPlaces")
	slotsGather  = twinsOf[slotsGatherParams]("tsne_slots", "slotsGather")
	slotsColumns = kernelOf[slotsColumnsParams]("tsne_slots", "slotsColumns")
	slotsValues  = kernelOf[slotsValuesParams]("tsne_slots", "slotsValues")
	slotsOut     = twinsOf[slotsPackParams]("tsne_slots", "slotsOut")
	slotsIn      = twinsOf[slotsPackParams]("tsne_slots", "slotsIn")

	// by the points of a spline
	fieldSpread = map[int]*kernel[fieldSpreadParams]{4: kernelOf[fieldSpreadParams]("tsne_field", "fieldSpread4"),
		6: kernelOf[fieldSpreadParams]("tsne_field", "fieldSpread6")}
	fieldMove = map[int]*kernel[fieldMoveParams]{4: kernelOf[fieldMoveParams]("tsne_field", "fieldMove4"),
		6: kernelOf[fieldMoveParams]("tsne_field", "fieldMove6")}
	fieldAdd           = kernelOf[fieldAddParams]("tsne_field", "fieldAdd")
	fieldRows          = kernelOf[fieldRowsParams]("tsne_field", "fieldRows")
	fieldColumns       = kernelOf[fieldColumnsParams]("tsne_field", "fieldColumns")
	fieldBack          = kernelOf[fieldBackParams]("tsne_field", "fieldBack")
	fieldKernelRows    = kernelOf[fieldKernelRowsParams]("tsne_field", "fieldKernelRows")
	fieldKernelColumns = kernelOf[fieldKernelColumnsParams]("tsne_field", "fieldKernelColumns")

	treeKeys      = twinsOf[treeKeysParams]("tsne_tree", "treeKeys")
	treeBuild     = twinsOf[treeBuildParams]("tsne_tree", "treeBuild")
	treeWalk      = twinsOf[treeWalkParams]("tsne_tree", "treeWalk")
	treeTotal     = kernelOf[treeTotalParams]("tsne_tree", "treeTotal")
	treePlace     = twinsOf[treePlaceParams]("tsne_tree", "treePlace")
	sortCount32   = kernelOf[sortCountParams]("tsne_sort", "sortCount32")
	sortCount64   = kernelOf[sortCountParams]("tsne_sort", "sortCount64")
	sortScan      = kernelOf[sortScanParams]("tsne_sort", "sortScan")
	sortScatter32 = kernelOf[sortScatterParams]("tsne_sort", "sortScatter32")
	sortScatter64 = kernelOf[sortScatterParams]("tsne_sort", "sortScatter64")
)
