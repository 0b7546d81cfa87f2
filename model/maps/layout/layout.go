// Package layout moves the landmarks on the map, and leaves their codebook as it is: force-directed, t-SNE and others,
// all as steppers that go on from where things are. Each is a file that registers it.
package layout

import (
	"blossom/model/base/matrix"
	"blossom/model/base/registry"
	"blossom/model/base/step"
	"blossom/model/landmarks/graph"
)

// Input is what a layout starts from.
type Input struct {
	Codebook matrix.Matrix32 // g x d
	Pos      matrix.Matrix32 // g x 2|3, copied by the layouter
	Graph    graph.Graph     // over the landmarks
	Pinned   []bool          // length g or nil: these are not moved
	Active   []bool          // length g or nil: only these are moved
	Seed     uint64
}

// Layouter is a running layout. It is used from one goroutine.
type Layouter interface {
	step.Stepper // in iterations
	// Pos returns the present positions; the caller must not change or keep them across a Step.
	Pos() matrix.Matrix32
	// SetLandmarks replaces what changed while it runs: somebody dragged a landmark, pinned one, cut an edge,
	// trained the codebook. The number of landmarks and of dimensions must be the same: for another one a new
	// Layouter is made. It goes on from these positions and does not jump.
	SetLandmarks(Input)
	// SetValues changes parameters while running.
	SetValues(step.Values)
	// Moving is how far landmarks moved in the last step, the root of the mean square as a part of the map's
	// diameter. A layout rests when it stays below Rest.
	Moving() float64
	// Stage is what a layout is about where that looks like something else.
	Stage() Stage
}

// Stage is a part of a run that its pictures alone do not explain; the zero Stage explains nothing.
type Stage struct {
	Word string // "forming"
	Help string // the effect in a few words: "unfolds at step 250"
}

// Rest is the movement in one step, as a part of the map's diameter, below which a layout comes to rest.
const Rest = 1e-3

// Algorithm is a registered way of laying out.
type Algorithm struct {
	ID     string // "force"
	Title  string // "Force-directed"
	Help   string
	Params []step.Param
	// Graph: it lays out along the edges of the graph, which its panel then offers.
	Graph bool
	// Once: it is done in one step (PCA), and needs no running.
	Once bool
	// Suggest returns the values to start with for so many landmarks; nil: the defaults.
	Suggest func(g int) step.Values
	// New starts a layout. An error is a problem.Problem: the parts of Input do not agree.
	New func(Input, step.Values) (Layouter, error)

	Order int // place in lists, rising
}

var algorithms = registry.New("layout", func(a Algorithm) string { return a.ID },
	func(a, b Algorithm) int { return a.Order - b.Order })

// Register adds an algorithm, from the init of its file. It panics if the ID is taken.
func Register(a Algorithm) { algorithms.Add(a) }

// All returns the algorithms in the order in which they are offered.
func All() []Algorithm { return algorithms.All() }

// ByID returns the algorithm with this ID.
func ByID(id string) (Algorithm, bool) { return algorithms.Find(id) }
