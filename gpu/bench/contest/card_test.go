package contest

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"blossom/gpu/reference"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// A card that is none: it computes with the reference, has a clock of its own on which each kernel takes
// the time that speeds says, and reports finished work only after Wait.
func init() {
	engine.Register(engine.Registration{
		Name:     "card",
		Priority: -1,
		Probe:    func(engine.Options) (bool, string, string) { return true, "", "NVIDIA H200 that is none" },
		New: func(o engine.Options) (engine.Engine, error) {
			e, err := reference.New(o)
			return &card{e, o}, err
		},
		Kind: engine.Card,
		Kernels: func() (knn, projection []string) {
			return []string{"base", "tiles", "bitonic", "gridinsert:32x8", "tensor"},
				[]string{"table", "base", "registers"}
		},
		Published: counted,
	})
	engine.Register(engine.Registration{
		Name:     "absent",
		Priority: -2,
		Probe:    func(engine.Options) (bool, string, string) { return false, "it is not here", "" },
	})
}

// counted are those of its kernels that count as published.
func counted() (knn, projection []string) {
	return []string{"base", "shared", "gridinsert", "bitonic"}, []string{"base", "registers"}
}

// speeds of the kernels, ns per point.
var speeds = map[string]int{
	"base": 9000, "bitonic": 100, "gridinsert:32x8": 200, "tiles": 10, "tensor": 5, "shared": 110, "registers": 50,
	"table": 2, "": 4,
}

var loads atomic.Int64 // calls on all cards together

// asked counts the points that neighbours were asked for, by kernel; the benches of a test run one by one.
var asked = map[string]int{}

type card struct {
	engine.Engine
	o engine.Options
}

func (c *card) Device() string { return "NVIDIA H200 that is none" }

func (c *card) Load(ctx context.Context, x matrix.Source) (engine.Resident, error) {
	loads.Add(1)
	res, err := c.Engine.Load(ctx, x)
	return &onCard{Resident: res, o: c.o}, err
}

type onCard struct {
	engine.Resident
	o       engine.Options
	find    int // landmarks of the last search
	pending []engine.Timing
	done    []engine.Timing
}

var errBroken = errors.New("the kernel cannot be launched")

func (r *onCard) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, g engine.Range) error {
	if r.o.Knn == "tensor" && l.Len() > 30 {
		return errBroken
	}
	asked[r.o.Knn] += g.Len()
	t := time.Duration(g.Len() * speeds[r.o.Knn])
	if r.o.Knn == "shared" && l.Len() != r.find { // a kernel that is slow at first
		t *= 90
	}
	r.find = l.Len()
	r.pending = append(r.pending, engine.Timing{Stage: engine.StageNeighbours, Points: g.Len(), Time: t})
	return r.Resident.Neighbours(ctx, l, p, g)
}

func (r *onCard) Project(ctx context.Context, l *landmark.Set, p embedsom.Params, dst embedsom.Target,
	g engine.Range) error {
	// in two pieces, as an engine would that makes its tables first
	t := engine.Timing{Stage: engine.StageProject, Points: g.Len(),
		Time: time.Duration(g.Len() * speeds[r.o.Projection] / 2)}
	r.pending = append(r.pending, t, t)
	if r.o.Knn == "mute" {
		return nil
	}
	err := r.Resident.Project(ctx, l, p, dst, g)
	if strings.HasPrefix(r.o.Knn, "gridinsert") { // a kernel that is a little off
		dst.Host()[0] += 0.01
	}
	return err
}

func (r *onCard) Timings(yield func(engine.Timing)) {
	for _, t := range r.done {
		yield(t)
	}
	r.done = r.done[:0]
}

func (r *onCard) Wait() error {
	r.done = append(r.done, r.pending...)
	r.pending = r.pending[:0]
	return nil
}

func (r *onCard) Caps() engine.Caps { return engine.Caps{Keeps: true, Async: r} }
