// Package engine is the contract of the compute engines and the registry from which one is chosen at
// run time. The engines are packages below gpu; all of them pass the suite in gpu/enginetest.
package engine

import (
	"context"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/clusters/linkage"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/maps/umap"
	"blossom/model/space/knn"
)

// Range is a range of points.
type Range = matrix.Range

// Engine opens sets of points on a device. An Engine is used from one goroutine.
type Engine interface {
	Name() string    // the registered name: "cpu"
	Variant() string // which of Registration.Variants it is, or its kernels; "" where there is nothing to choose
	Device() string  // for people: "2 cores, AVX-512", "NVIDIA H200"
	// Load makes n x d points resident. What lies in memory is not copied by engines that compute on the host, so it
	// must not change until Free; of another source they keep the one copy that they read, by ranges, before Load
	// returns. Rows with NaN or Inf are allowed: they project to NaN. An error of the source is returned as it is.
	Load(ctx context.Context, points matrix.Source) (Resident, error)
	Close() error
}

// Resident is one set of points on one engine. Every engine projects; what else it offers is in Caps.
type Resident interface {
	embedsom.Device
	Caps() Caps
	Status() Status
	Free()
}

// Caps is what a Resident offers besides the projection, the same as long as it lives: facts, and the
// device interfaces of the algorithms that it can serve, each declared by the package of the algorithm and nil
// where the engine has none. Nothing is found out by asking a Resident for its type.
type Caps struct {
	Keeps bool // points in a memory of its own; else it computes on those of the caller
	Async Async
	// Chunk is how many points a call for neighbours or positions should be of at least, so that all of the device has
	// work; 0: any number.
	Chunk int

	Searcher train.Searcher
	Summer   train.Summer
	Linkage  linkage.Device
	TSNE     tsne.Device // forms maps of any points, from their affinities alone; Body.Close before Free
	UMAP     umap.Device // the same of their graph

	Neighbours knn.Finder  // finds the points nearest to each point
	Joiner     tsne.Joiner // joins lists of any points
}

// Status is what a Resident does at the moment.
type Status struct {
	Path string // the way by which the last positions came, for people: "shared buffer"; "" if there is nothing to say
	// Plan says in words for the user how the points are kept: "" for all of them and their neighbours
	// on the device; else what is recomputed or sent again to make do with less.
	Plan                      string
	Points, Neighbours, Other int64 // bytes of the device's own memory
}

// Async is a Resident whose work may go on after Neighbours and Project return; with nil in its place calls
// return when their work is done. Positions for a target in host memory are there when Project returns; those
// in a GL buffer are there for OpenGL commands that are sent after it.
type Async interface {
	// Timings calls yield for every piece of work that has finished since the last call, in the order
	// in which it was asked for. It never waits.
	Timings(yield func(Timing))
	// Wait returns when all work is done, with the first error of it.
	Wait() error
}

// Timing is what a piece of work took on the device, from its own clock.
type Timing struct {
	Stage  Stage
	Points int // number of points that the stage was asked for; in a drag, all of the range
	Time   time.Duration
	Copy   time.Duration // the share of Time in which positions came to memory of the host
}

// Stage is a part of the projection.
type Stage uint8

const (
	StageNeighbours Stage = iota // finding neighbours; with the upload of points that were not there yet
	StageProject                 // computing positions
)
