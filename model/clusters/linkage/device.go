package linkage

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/space/blocks"
)

// Device is what the algorithms ask of an engine: to look at pairs (light), and for the points nearest to others, exact
// weights and forests (boruvka, cuslink). For light it decides nothing: a pair that it keeps was weighed in float64 as
// Metric says, and one that it does not keep is not lighter than the way through the tree.
type Device interface {
	// Hold takes the points of a layout, which does not change until Free. The error is ctx's or a Problem.
	Hold(ctx context.Context, l *Blocked) (Holding, error)
	// Arrange is Hold of points that are in no order yet: of the layout there are X, Row, Metric, Norm, Core, N, D and
	// Blocks. It puts places into an order in which neighbours are near each other (see Blocked.Move), and returns what
	// each place was before; of the rest it makes what it needs itself.
	Arrange(ctx context.Context, l *Blocked) (Holding, []int32, error)
}

// Holding is one set of points on a device. It is used from one goroutine.
type Holding interface {
	// Nearest writes for each place of the query's rows the K that score most, the best first, -1 where there are
	// fewer: K of BlockSize places of each block. It leaves alone what it writes for rows that are not asked for.
	Nearest(ctx context.Context, q Query, ids []int32, scores []float32) error
	// Abreast is how many blocks a query should have, so that there is work for all of the device.
	Abreast() int
	// Weights writes the exact weights of edges of places.
	Weights(ctx context.Context, edges []Edge) error
	// Forest returns those of the edges that make a minimum spanning forest of the places, in any order. Of equal
	// weights the one comes first whose Noise is less, then the one that is before the other in the list.
	Forest(ctx context.Context, edges []Edge, seed uint64) ([]Edge, error)
	// First makes a first spanning tree of the places, of those near each other by order and by the neighbours within
	// blocks and those about them. After it nothing is asked for by Nearest.
	First(ctx context.Context) error
	// Full says, of the first tree, whether both sides of a pair are looked at, each by its own bounds alone; else one,
	// by both.
	Full() bool
	// Together is how many blocks of rows should be looked at together, so that there is work for all of the device.
	Together() int
	// Look looks at rows of blocks, each from where its task says, and moves that on to the end or to where as much is
	// kept as may be. It keeps the pairs that are lighter than the tree's way between them, and returns how many it has
	// kept since the tree was made; of two that a kept third makes needless, one may be missing. What they are depends
	// on the tasks alone. With an error (ctx's or a Problem) tasks, work and what is kept are as they were.
	Look(ctx context.Context, tasks []Task, work *Work) (kept int, err error)
	// Refresh makes the tree that of itself and what was kept.
	Refresh(ctx context.Context) error
	// Tree is a minimum spanning tree of the tree and what was kept, by W or in no order; I < J are places. It is the
	// caller's until Look, Refresh or Tree is called again, and for good after Free. Bounds may stay what they are.
	Tree(ctx context.Context) ([]Edge, error)
	Free()
}

// Query asks for points that are near others by the score of the filter: x.y - |y|^2/2, for L1 -sum |x-y|, in float32.
// It is off by Blocked.margin at most.
type Query struct {
	Blocks []int32  // blocks of the rows to look at
	Rows   []uint64 // which rows of each; nil: all
	K      int      // at most MostNear
	Local  bool     // look at the row's own block and those about it alone, else at all
	Label  []int32  // labels of places: only pairs of different labels are looked at; nil: all pairs
	// Published asks a device that has a way of the published system's own to take that. The answer is the same.
	Published bool
}

// MostNear is the largest K of a query.
const MostNear = 64

// Task is a block of rows to look at: pairs with the blocks that follow it at so many places, going round.
type Task struct {
	Block    int32
	From, To int32 // places: 0 is the block itself
	Most     int32 // pairs that may be kept before it stops
}

// BlockSize is the number of points in a block.
const BlockSize = blocks.Size

// Blocked is points in an order in which neighbours are near each other, in blocks. Places are numbers in that order.
// The filter's space is what products are made of: the points, less their mean and scaled by a power of two; for
// Cosine points of length 1. Lengths and radii are rounded up.
type Blocked struct {
	X      matrix.Matrix32 // the table
	Row    []int32         // the row of the table at each place
	Metric Metric
	Norm   []float64 // |x| at each place, for Cosine; else nil
	Core   []float64 // core distances by place, for mutual reachability; else nil

	N, D, Blocks int
	Scale        float64   // scale of the filter's space; a power of two
	Mean         []float64 // D: in the space before scaling
	Packed       []float32 // Blocks x D x BlockSize: the filter's points by column; 0 beyond the last
	Half         []float32 // |x|^2/2 at each place (0 for L1); +Inf beyond the last
	Length       []float32 // |x| at each place
	Centre       []float32 // Blocks x D
	CentreHalf   []float32 // |c|^2/2 (0 for L1)
	CentreLength []float32
	CentreCols   []float32 // Blocks/BlockSize, rounded up, x D x BlockSize: centres by column
	Radius       []float32 // the largest distance from the centre of each block
	Longest      []float32 // the largest Length in each block
}

// Bounds are a spanning tree of places, and what follows from it: the way between two places goes at most
// max(S[u], S[v], M) far, where M is the most among the gaps between their blocks' representatives.
type Bounds struct {
	Up   []int32   // links of union by size: where a place hangs
	W    []float64 // and the weight of that link, infinite at the root
	S    []float32 // how far the tree's way from each place to its block's representative goes, in the filter's space
	SMax []float32 // the largest S in each block
	Core []float32 // core distances by place, in the filter's space; nil: plain linkage
	// Order is the blocks in the order of the leaves of the tree, by their representatives; At is where a block is,
	// and Gap what lies between a block and the one before.
	Order, At []int32
	Gap       []float32
	Turn      int  // counts how often they have changed
	Full      bool // both sides of a pair look, by their own S alone; else one, by both
}
