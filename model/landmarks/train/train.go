// Package train moves the codebook of the landmarks towards the data: self-organizing maps and
// k-means, online and batch, all as steppers.
package train

import (
	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// Input is what a trainer starts from.
type Input struct {
	X        matrix.Matrix32 // n x d points; rows with NaN or Inf are skipped
	Codebook matrix.Matrix32 // g x d, copied by the trainer
	Pos      matrix.Matrix32 // g x 2|3
	Pinned   []bool          // length g or nil
	Edges    [][2]int32      // the map's own net, for distances along edges; nil: there is none
	Seed     uint64
	// A device that holds the points may search and sum; where these are nil the trainer does it itself.
	Searcher Searcher
	Summer   Summer
}

// Trainer is a running training. It is used from one goroutine.
type Trainer interface {
	step.Stepper
	// Codebook returns the current codebook; the caller must not change or keep it across a Step.
	Codebook() matrix.Matrix32
	// SetLandmarks replaces positions and pins (the user dragged a landmark) and, when codebook is
	// not empty, the codebook (added, removed, undone). Progress goes on where it was.
	SetLandmarks(codebook, pos matrix.Matrix32, pinned []bool)
	// SetEdges replaces the net of the map. Edges between landmarks that there are not count for nothing.
	SetEdges(edges [][2]int32)
	// SetValues changes parameters while running.
	SetValues(step.Values)
	// Live returns what the parameters that fall on a schedule are right now (sigma, alpha), by id.
	Live() map[string]float64
	// At is the place in the schedule, 0 to 1, as Algorithm.Plan has it.
	At() float64
	// Hold lets the schedule stand still at t of 0 to 1 while training goes on, which then makes no progress and does
	// not come to rest by the schedule's end. A negative t lets it go on from where it stands.
	Hold(t float64)
	// GoOn lets a training go on for at least units more from the end of its schedule, whether it has come to rest
	// there or has not begun: what falls stays as it is at the end. One without an end goes on anyway.
	GoOn(units int)
	// Ahead is how many units are computed already beyond Done, because a device does whole pieces at once:
	// the next Ahead units cost nothing. What a Step computes is the growth of Done + Ahead.
	Ahead() int
	// Next is after how many units landmarks move again: 1, or what is left of an epoch.
	Next() int
}

// Algorithm is a registered way of training.
type Algorithm struct {
	ID     string // "som"
	Title  string
	Help   string
	Params []step.Param
	// Centres: it finds centres, for which positions on the map play no part, and starts well from chosen points.
	// Else it keeps neighbours on the map alike, and starts from a grid.
	Centres bool
	// Default: it is taken where none is named, of those that are alike in Centres.
	Default bool
	// Suggest returns the values to start with for n points and landmarks at pos: those that depend on their
	// numbers, by Param.ID. The others keep their defaults; nil: all do.
	Suggest func(n int, pos matrix.Matrix32) step.Values
	// Plan returns the values that fall, by id ("sigma", "alpha"), at t of 0 to 1 of the schedule, for its plot; one
	// that is missing plays no part there. nil: nothing falls.
	Plan func(v step.Values, t float64) map[string]float64
	// Length says how many epochs it takes unless told otherwise, in words: "20"; "" where it has none.
	Length string
	// New starts a training. It reads all points once, at the speed of memory: for many millions of
	// them, call it outside of the frame. An error means that the parts of Input do not agree.
	New func(Input, step.Values) (Trainer, error)
	// Pass starts one of points that memory does not hold: they go by once in each epoch. Input has none of them. nil:
	// the algorithm needs all points at once.
	Pass func(Input, *Census, step.Values) (*Passes, error)

	Order int // place in lists, rising
}

// Param describes a parameter of an algorithm.
type Param = step.Param
