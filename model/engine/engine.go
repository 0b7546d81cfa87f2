// Package engine is the contract of the compute engines and the registry from which one is chosen at
// run time. The engines are packages below gpu; all of them pass the suite in gpu/enginetest.
package engine

import (
	"context"
	"sort"
	"sync"
	"time"

	"blossom/model/embedsom"
	"blossom/model/matrix"
	"blossom/model/train"
)

// Range is a range of points.
type Range = matrix.Range

// Engine opens sets of points on a device. An Engine is used from one goroutine.
type Engine interface {
	Name() string   // the registered name: "cpu"
	Device() string // for people: "2 cores, AVX-512", "NVIDIA H200"
	// Load makes n x d points resident. The matrix is not copied by engines that compute on the
	// host, so it must not change until Free. Rows with NaN or Inf are allowed: they project to NaN.
	Load(ctx context.Context, points matrix.Matrix32) (Resident, error)
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

	Searcher train.Searcher
	Summer   train.Summer
}

// Status is what a Resident does at the moment.
type Status struct {
	Path string // that the last positions took, for people: "shared buffer"; "" where there is nothing to say
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
	Points int // that the stage was asked for; of a drag, all points of the range
	Time   time.Duration
	Copy   time.Duration // of that, bringing positions to memory of the host
}

// Stage is a part of the projection.
type Stage uint8

const (
	StageNear  Stage = iota // A, neighbours; with the upload of points that were not there yet
	StagePlace              // B, positions
)

// Options are what the user can set about an engine.
type Options struct {
	Threads int   // 0: all cores
	Device  int   // which card, where there are several
	Memory  int64 // at most so many bytes of the device; 0: what is free
	// Knn and Projection name the kernels of the two stages, for comparisons; "" for the fastest.
	Knn, Projection string
	// GL makes an OpenGL context current on the calling thread and returns how to leave it. Window says
	// that this is the window's own context: all calls then come from its thread, and buffers can be
	// shared with drawing. nil: there is no OpenGL here.
	GL     func() (release func(), err error)
	Window bool
}

// Registration is how an engine package announces itself from its init.
type Registration struct {
	Name     string
	Priority int // the highest available one is chosen by "auto"
	// Probe says, without taking memory, whether the engine works here; why explains a no in words a
	// user can act on; device names what it would run on.
	Probe func(Options) (ok bool, why, device string)
	// Prefer says whether "auto" may choose the engine, with the care of Probe, which it includes; nil:
	// wherever Probe says yes. An engine that works but is slower than those of lower priority says no.
	Prefer func(Options) bool
	New    func(Options) (Engine, error)
	// Variants names the kernels that Options.Knn and Options.Projection choose among; nil: there is one
	// of each.
	Variants func() (knn, projection []string)
	// Card says (problem.Problem) why there is no card of the number Options.Device; nil: the engine has one
	// device, and the number means nothing to it.
	Card func(device int) error
}

var (
	mu       sync.Mutex
	registry []Registration
)

// Register adds an engine. It panics if the name is taken: two packages claim one name.
func Register(r Registration) {
	mu.Lock()
	defer mu.Unlock()
	for _, x := range registry {
		if x.Name == r.Name {
			panic("engine: registered twice: " + r.Name)
		}
	}
	registry = append(registry, r)
	sort.SliceStable(registry, func(i, j int) bool { return registry[i].Priority > registry[j].Priority })
}

// Registered returns all engines, highest priority first.
func Registered() []Registration {
	mu.Lock()
	defer mu.Unlock()
	return append([]Registration(nil), registry...)
}
