package tsne

import (
	"context"
	"time"

	"blossom/model/maps/places"
)

// Device computes maps on a device that an engine has: all that costs time. What it does when is decided here, once for
// all engines, by Forming: the schedule, the method, the lattice, when points are numbered anew, the mean, jitter,
// rest. It may be used from any goroutine, and a Body from one at a time: a map is prepared beside the window whose
// engine it is of, and then advanced by the window. A Body is closed before the engine is, and nobody is in Open by
// then.
type Device interface {
	// Traits says which methods it has, and what they cost.
	Traits(dims int) Traits
	// Open makes affinities resident, for a map of dims (2 or 3) coordinates. p must not change until Close. Where
	// memory does not suffice the error (problem.Problem) says how much would, before any is taken.
	Open(ctx context.Context, p *Sparse, dims int) (Body, error)
}

// Traits are facts about a Device, the same as long as it lives. Costs are of one unit's repulsion in ns, in any unit
// that is common to the three.
type Traits struct {
	Methods []Method // methods that it has, without Auto
	Exact   int      // up to so many points all pairs are the fastest
	Field   float64  // cost of the field: Field N^2 log2(2N), for a lattice of N x N
	Tree    float64  // cost of the tree: Tree n
	Nodes   int      // N at most; 0: MostNodes
	Pace    float64  // points of a large map that units move in a second, about; 0: it is not known
}

// Body is a map on a Device: positions y, velocities v and gains of n points, float32, and their affinities. Points are
// known by their rows in P; what order they are kept in is the device's own affair, and part of State. The same calls
// give the same bits whatever the number of threads, and however units are split into batches.
type Body interface {
	// Load takes a state; Save fills one, whose arrays are kept where they are large enough.
	Load(ctx context.Context, s *State) error
	Save(ctx context.Context, s *State) error
	// Swap puts other affinities of the same points in place of the present ones. y, v and gains stay.
	Swap(ctx context.Context, p *Sparse) error
	// Advance does the units of a batch and returns how many were done: all but where the error, ctx's too, says why
	// not. A device whose work goes on after it returns keeps less than a frame of it waiting.
	Advance(ctx context.Context, b Batch) (done int, err error)
	// Measure waits for the units that were asked for and says how the map lies after them.
	Measure(ctx context.Context) (Measure, error)
	// Evaluate computes forces at the present positions. It changes nothing.
	Evaluate(ctx context.Context, p Plan, out *Evaluation) error
	// Hold puts points at places (len(ids) x dims) and pins them there: v = 0 while they are held. They act on others.
	Hold(ctx context.Context, ids []int32, places []float32) error
	// Release lets them go: v = 0, gain = 1.
	Release(ctx context.Context, ids []int32) error
	// Positions writes y of all points, in order of their rows, and tells dst so.
	Positions(ctx context.Context, dst places.Target) error
	// Close gives the memory back.
	Close()
}

// Batch is units in a row that differ in nothing: for each
//
//	g = E A - R/Z; gain += 0.2 where sign(g) != sign(v), else max(0.01, 0.8 gain); v = Mu v - Eta gain g, |v| cut to
//	Cut, 0 for points held; y += v
//
// with sign(0) = 0.
type Batch struct {
	Units       int // 1 to PlanEvery
	E, Mu, Eta  float64
	Plan        Plan
	Renew       bool    // before the first: the order along a Hilbert curve that the tree uses is made anew
	Renumber    bool    // before the first: points may be put in another order, along that curve
	LeastRadius float64 // after each: where the rms of |y| is below it, y and v are scaled up to it; 0: never
	Centre      bool    // after the last: the mean is taken away
	// Timed, if not nil, is told what each step of each unit took, by a device that can say; the steps are its own.
	Timed func(step string, took time.Duration)
}

// Plan is how repulsion is computed.
type Plan struct {
	Method  Method  // never Auto
	Theta   float64 // for Tree and the papers' methods
	Lattice Lattice // for Field
}

// Lattice is N x N nodes, node (0, 0) at Origin times H: it does not move with the map. Charges are spread with
// B-splines of so many points an axis. Points are within Margin nodes of no edge; one that would leave is put back.
type Lattice struct {
	Spline int // 4 or 6
	N      int
	H      float64
	Origin [2]int64
}

// Margin is how many nodes at the edges of a lattice are left to splines.
const Margin = 8

// Box is where points may be, from lo to hi in both coordinates.
func (l Lattice) Box() (lo, hi [2]float64) {
	for c := range lo {
		lo[c] = float64(l.Origin[c]+Margin) * l.H
		hi[c] = float64(l.Origin[c]+int64(l.N)-1-Margin) * l.H
	}
	return lo, hi
}

// Measure is how a map lies, and how it moved in the last unit.
type Measure struct {
	Lo, Hi [3]float64 // its box
	Step   float64    // rms of |v|
	Z      float64    // sum of weights in the last unit, before it moved; 0: there was none
}

// Extent is the longest side of the box.
func (m Measure) Extent() float64 {
	return max(m.Hi[0]-m.Lo[0], m.Hi[1]-m.Lo[1], m.Hi[2]-m.Lo[2])
}

// Evaluation is what Evaluate computes; arrays (n x dims, by rows of P) that are nil are not asked for.
type Evaluation struct {
	Attraction, Repulsion []float32 // A_i; R_i, not divided by Z
	Z                     float64
	KL                    float64 // without exaggeration, with this Z
	Method                Method  // by which repulsion was computed; of Forming, nothing to a Body
}

// State is all that makes a map go on with the same bits. Arrays are by rows of P.
type State struct {
	Dims       int
	Y, V, Gain []float32 // n x dims
	Held       []int32   // rising
	// Slots is the row that each slot of the device holds, nil: its own number. Curve is the order of its tree, nil:
	// there is none yet; it names rows on a processor and slots on a card. From another device both are orders like any
	// other: they cost speed until they are made anew, and other bits.
	Slots, Curve []int32

	// The rest is Forming's, and nothing to a Body.
	Units   int
	Plan    Plan
	Last    Measure // when it was planned
	Planned int     // at this unit
	Stale   bool    // it must be planned anew
	Forming bool    // the last unit had exaggeration
	Rests   int     // measures in a row at which the map stood still
}
