package umap

import (
	"context"

	"blossom/model/maps/places"
)

// Device computes maps on a device that an engine has: all that costs time. What it does when is decided here, once for
// all engines, by Forming. It may be used from any goroutine, and a Body from one at a time. A Body is closed before
// the engine is.
type Device interface {
	// Pace is how many points of a large map of dims coordinates epochs move in a second, about.
	Pace(dims int) float64
	// Open makes a graph resident, for a map of dims (2 or 3) coordinates. g must not change until Close. Where memory
	// does not suffice the error is a problem.Problem.
	Open(ctx context.Context, g *Graph, dims int) (Body, error)
}

// Body is a map on a Device: positions of n points, float32, and their graph. Points are known by their rows in the
// graph. The same calls give the same bits whatever the number of threads, and however epochs are split into batches.
type Body interface {
	// Load takes a state; Save fills one, whose arrays are kept where they are large enough.
	Load(ctx context.Context, s *State) error
	Save(ctx context.Context, s *State) error
	// Swap puts another graph of the same points in place of the present one. Positions stay.
	Swap(ctx context.Context, g *Graph) error
	// Advance does the epochs of a batch and returns how many were done: all but where the error, ctx's too, says why
	// not. An epoch that is called back has not been: the map is as it was before.
	Advance(ctx context.Context, b Batch) (done int, err error)
	// Hold puts points at places (len(ids) x dims) and keeps them there. They act on others.
	Hold(ctx context.Context, ids []int32, places []float32) error
	Release(ctx context.Context, ids []int32) error
	// Warm says how much the steps of each point count (n, from 0 to 1) that is not held; nil, and after Load: all
	// alike, 1. heat is not written meanwhile.
	Warm(ctx context.Context, heat []float32) error
	// Positions writes those of all points, in order of their rows, and tells dst so.
	Positions(ctx context.Context, dst places.Target) error
	// Close gives the memory back.
	Close()
}

// Batch is epochs in a row. Each has Parts sub-steps, at which all points move at once: point i by Alpha times the sum,
// over those edges (i, j) that act (Acts) and whose number among them, from 0, is Part - Epoch modulo Parts,
//
//	of 2 Clip(Draw(s) r), as both (i, j) and (j, i) are edges, and for each of these edges
//	of Clip(Push(s) r) to Negatives points of n; not to i, and Apart where s = 0.
//
// Those are Drawn with the Keys of the sub-step, by the counters Negatives Start[i] and up.
type Batch struct {
	Epoch     int       // the first, from 1
	Alpha     []float64 // rate of each epoch
	Kernel    Kernel
	Negatives int
	Seed      uint64
}

// State is all that makes a map go on with the same bits.
type State struct {
	Dims int
	Y    []float32 // n x dims, by rows of the graph
	Held []int32   // rising
	// Epoch is how many were done, Warm how many are due beyond the last, since Dragged (rising) were: of Forming,
	// nothing to a Body.
	Epoch, Warm int
	Dragged     []int32
}
