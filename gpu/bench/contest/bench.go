// Package contest measures the engines: the two stages of the projection in points per second, every
// variant beside a baseline in the same run on the same machine. Ratios carry over to other machines
// and to busy ones; the absolute numbers do not.
package contest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"blossom/gpu/bench/table"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Row is one measurement of a contender. Its variant is an instruction set and a number of cores, or the kernels of the
// two stages; its stage one of Stages.
type Row struct {
	table.Row
	GFLOPS float64 `json:"gflops,omitempty"` // rate of the distances (2 d g per point), stage neighbours
	Peak   float64 `json:"peak,omitempty"`   // rate of multiply-adds with the same variant and cores
	Wall   float64 `json:"wall_ns_per_point,omitempty"`
	Share  float64 `json:"share_of_roof,omitempty"` // see Roof; 0 where the device's limits are not known
	MaxErr float64 `json:"error_max,omitempty"`     // against float64, in parts of the map's extent; stage total
	RMSErr float64 `json:"error_rms,omitempty"`
}

// Stages are what is measured, in the order of the rows: neighbours; project after them; project after all
// positions moved; project while one landmark is dragged (not the first frame of the drag); and the
// whole from data to map, which is the first two.
var Stages = []string{near, project, drag, one, total}

const (
	near    = "neighbours"
	project = "project"
	drag    = "drag"
	one     = "one"
	total   = "total"
)

// Shape is a problem size.
type Shape struct{ N, D, G, K int }

// Shapes are the sizes of the published tables, at n points.
func Shapes(n int) []Shape {
	return []Shape{{n, 16, 256, 16}, {n, 32, 512, 20}, {n, 64, 1024, 32}}
}

// Grid is the grid of sizes that the papers on GPU EmbedSOM measured, at n points. They count k as the
// neighbours found, one of which serves the cut-off alone: EmbedSOM's k is one less here.
func Grid(n int) []Shape {
	var list []Shape
	for _, d := range []int{4, 8, 16, 32, 64} {
		for _, g := range []int{128, 256, 512, 1024} {
			for _, found := range []int{8, 16, 32, 64} {
				list = append(list, Shape{n, d, g, found - 1})
			}
		}
	}
	return list
}

// Options say what and how long to measure.
type Options struct {
	Shapes     []Shape
	Contenders []Contender
	Repeats    int           // repetitions of each stage, at least 3; 0: 20 for a graphics card, 7 for the processor
	Budget     time.Duration // ends the repetitions of a contender on one shape after the third; 0: no end
	Prune      bool          // published kernels that are far from the best of a stage are measured once only
	Data       string        // Uniform (also "") or Clustered
	Seed       uint64
	Progress   func(done, total int) // or nil
	Each       func(rows []Row)      // given the rows of a size as soon as it is done; or nil
}

func (o *Options) check() error {
	if o.Repeats != 0 {
		o.Repeats = max(3, o.Repeats)
	}
	if o.Data == "" {
		o.Data = Uniform
	}
	if o.Data != Uniform && o.Data != Clustered {
		return problem.New("", "use "+Uniform+" or "+Clustered, "there is no data %q to measure with", o.Data)
	}
	for _, sh := range o.Shapes {
		if sh.N < 1 || sh.D < 1 || sh.G < 1 || sh.K < 1 {
			return problem.New("", "use positive sizes", "cannot measure n %d, d %d, g %d, k %d", sh.N, sh.D, sh.G,
				sh.K)
		}
	}
	if len(o.Contenders) == 0 {
		o.Contenders = CPU()
	}
	return nil
}

// Embed measures the stages of the projection. Repetitions of all contenders take turns, so that what
// else the machine does falls on all of them alike. The first CPU contender is the baseline of those
// on one core; one on several cores is compared with the same variant on one. The published kernels of
// an engine give the baseline of all engines that keep points in a memory of their own: the best one of
// each stage, found in this run. A contender that fails has a row that says so, and the error tells. Of
// what was cancelled, the rows are those of the sizes that were done.
func Embed(ctx context.Context, o Options) ([]Row, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	b := &bench{o: o, sets: newSets(o)}
	defer b.close()
	for _, c := range o.Contenders {
		r := &run{Contender: c}
		if err := r.open(); err != nil {
			return nil, err
		}
		b.runs = append(b.runs, r)
	}
	var rows []Row
	var failed []error
	for i, sh := range o.Shapes {
		if err := b.shape(ctx, sh, i); err != nil {
			return rows, err
		}
		size := report(b.runs, sh, o.Data)
		rows = append(rows, size...)
		if o.Each != nil {
			o.Each(size)
		}
		for _, r := range b.runs {
			if r.failed != nil {
				failed = append(failed, fmt.Errorf("%s at d %d, g %d, k %d: %w", r.title(), sh.D, sh.G, sh.K, r.failed))
			}
		}
	}
	if len(failed) > 0 {
		return rows, problem.Wrap(errors.Join(failed...), "", "see the rows that say failed",
			"%d of the measurements failed: %v", len(failed), failed[0])
	}
	return rows, nil
}

// bench is one call of Embed.
type bench struct {
	o    Options
	runs []*run
	sets *sets
	done int
}

func (b *bench) close() {
	for _, r := range b.runs {
		r.close()
	}
}

// shape measures all runs on one problem size; it is the i-th.
func (b *bench) shape(ctx context.Context, sh Shape, i int) error {
	b.sets.shape(sh)
	for _, r := range b.runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.begin(ctx, sh, b.sets, b.o)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		if b.o.Prune {
			prune(b.runs)
		}
		if b.finished() {
			break
		}
		left := 0
		for _, r := range b.runs {
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.repeatsLeft(b.o.Budget) == 0 {
				continue
			}
			r.repeat(ctx, b.sets, b.o.Budget)
			b.done++
			left += r.repeatsLeft(b.o.Budget)
		}
		if b.o.Progress != nil {
			left += b.perShape() * (len(b.o.Shapes) - 1 - i)
			b.o.Progress(b.done, b.done+left)
		}
	}
	want, err := b.sets.reference(ctx)
	if err != nil {
		return err
	}
	for _, r := range b.runs {
		r.sum()
		r.judge(b.sets, want)
	}
	return ctx.Err()
}

func (b *bench) finished() bool {
	for _, r := range b.runs {
		if r.repeatsLeft(b.o.Budget) > 0 {
			return false
		}
	}
	return true
}

// perShape is how many repetitions a shape takes at most.
func (b *bench) perShape() (sum int) {
	for _, r := range b.runs {
		sum += r.quota
	}
	return sum
}

// all is the range of all points of a run.
func all(n int) engine.Range { return engine.Range{From: 0, To: n} }
