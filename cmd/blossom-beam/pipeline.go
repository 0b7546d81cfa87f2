package main

import (
	"context"
	"fmt"
	"reflect"
	"runtime"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/scale"
	"blossom/model/work/engine"
)

func init() {
	register.DoFn3x1[context.Context, int64, func(int64), error](&making{})
	register.Function1x0(counted)
	register.Emitter1[int64]()
	beam.RegisterType(reflect.TypeOf((*making)(nil)).Elem())
}

// pipeline makes parts: their numbers are dealt out to workers, and how many they have made is added up. No row goes
// through it. That every stage gives something, which another takes, is for Prism: it spins while one gives nothing.
func pipeline(m *making, parts []int) *beam.Pipeline {
	numbers := make([]int64, len(parts))
	for i, p := range parts {
		numbers[i] = int64(p)
	}
	p, s := beam.NewPipelineWithRoot()
	dealt := beam.Reshuffle(s, beam.CreateList(s, numbers))
	beam.ParDo0(s, counted, stats.Sum(s, beam.ParDo(s, m, dealt)))
	return p
}

// counted takes how many parts were made; the receipts say which.
func counted(int64) {}

// making makes a part in a worker. Its exported fields travel there.
type making struct {
	Plan            string // its file, which all workers see
	Sum             string // SHA-256 of the plan
	Threads, Device int

	plan *scale.Plan
}

// alone lets one part be made at a time in a process: with all its threads, and the memory of one.
var alone = make(chan struct{}, 1)

// Setup opens the plan.
func (m *making) Setup() error {
	plan, err := scale.Open(m.Plan)
	if err == nil && plan.Sum() != m.Sum {
		err = problem.New(m.Plan, "let all workers see the same folder",
			"is another plan for a worker than where it was submitted")
	}
	if err != nil {
		return marked(err)
	}
	if m.Threads > 0 {
		runtime.GOMAXPROCS(min(m.Threads, runtime.GOMAXPROCS(0)))
	}
	m.plan = plan
	return nil
}

// ProcessElement makes a part and gives 1, or 0 where it cannot be made, which is noted beside the parts. It fails
// where others could not be made either, or where it is to end: then Beam's runner may try it again elsewhere.
func (m *making) ProcessElement(ctx context.Context, part int64, emit func(int64)) error {
	select {
	case alone <- struct{}{}:
		defer func() { <-alone }()
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err := m.plan.Make(ctx, int(part), job.Options{Program: programFor(m.plan.Program, version),
		Engine: engine.Options{Threads: m.Threads, Device: m.Device}})
	switch {
	case err == nil:
		emit(1)
	case ctx.Err() != nil:
		return ctx.Err()
	case plain.Full(err):
		return marked(err)
	default:
		emit(0)
	}
	return nil
}

// mark begins what a worker says in its error, which Beam puts into a page of its own.
const mark = "blossom says: "

func marked(err error) error { return fmt.Errorf("%s%s", mark, problem.As(err).Error()) }
