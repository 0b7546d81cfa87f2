package linkage

import (
	"context"
	"fmt"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/space/knn"
)

// Options say what is computed and how. The zero value is plain Euclidean linkage by the default algorithm, on all
// cores.
type Options struct {
	Metric     Metric
	Algorithm  string     // an ID, "": the default
	MinSamples int        // 2 and more: mutual reachability; 0 and 1: plain linkage
	K          int        // neighbours of the graph, of algorithms that have one; 0: as many as published
	Threads    int        // 0: all cores
	Seed       uint64     // seed of cuslink's noise on weights
	Device     Device     // nil: plain Go
	Near       knn.Finder // among the rows of the table, for MinSamples; nil: plain Go. Its errors are the run's
	// Report is told how far the preparation has come; it may be nil, and is called from several goroutines.
	Report func(stage string, done, total int64)

	stage func(name string, work func() error) error // times a part of the work
}

// Work counts what was looked at, of the points that are not equal.
type Work struct {
	Pairs     int64 `json:"pairs"`
	RuledOut  int64 `json:"ruled_out"` // by bounds of blocks and rows, without a look at the pair
	Tested    int64 `json:"tested"`
	Rechecked int64 `json:"rechecked"` // weighed in float64
	Light     int64 `json:"light"`     // lighter than the way through the tree at that time
	Kept      int64 `json:"kept"`
	Refreshes int64 `json:"refreshes"` // times that the tree was made anew
}

// Stage is what a part of the work took.
type Stage struct {
	Name    string
	Seconds float64
}

// Clustering clusters the rows of a table in steps. It is used from one goroutine.
type Clustering struct {
	x      matrix.Matrix32
	o      Options
	a      Algorithm
	p      *points
	body   growing
	done   int64
	stages []Stage
}

var _ step.Stepper = (*Clustering)(nil)

// New prepares a run on the rows of x, which must not change until the last step: rows that are not finite, and with
// Cosine those of zeros, are left out. When it returns there is a first tree. The error is ctx's or a Problem.
func New(ctx context.Context, x matrix.Matrix32, o Options) (*Clustering, error) {
	a, err := Named(o.Algorithm)
	if err != nil {
		return nil, err
	}
	if o.Threads <= 0 {
		o.Threads = par.Cores()
	}
	r := &Clustering{x: x, o: o, a: a}
	err = r.time("points", func() (err error) {
		r.p, err = newPoints(ctx, x, o.Metric, o.Threads)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := o.check(r.p.m); err != nil {
		return nil, err
	}
	if o.MinSamples > 1 {
		if err := r.time("cores", func() error { return r.p.findCores(ctx, o) }); err != nil {
			return nil, err
		}
	}
	o.stage = r.time
	if r.body, err = a.start(ctx, r.p, o); err != nil {
		return nil, err
	}
	return r, nil
}

// check says what is wrong with the options for m valid rows.
func (o Options) check(m int) error {
	switch {
	case o.MinSamples < 0:
		return problem.New("", "use 1 or more", "--min-samples %d is not possible", o.MinSamples)
	case o.MinSamples > 1 && o.MinSamples >= m:
		return problem.New("", "use fewer than there are valid points",
			"--min-samples %d is not possible for %s", o.MinSamples, problem.Count(m, "valid point"))
	case o.K < 0:
		return problem.New("", "leave it out, or use 1 or more", "--k %d is not possible", o.K)
	case o.K > MostNear:
		return problem.New("", fmt.Sprintf("use %d at most", MostNear), "--k %d is not possible", o.K)
	}
	return nil
}

func (r *Clustering) time(name string, work func() error) error {
	began := time.Now()
	err := work()
	took := time.Since(began).Seconds()
	if n := len(r.stages); n > 0 && r.stages[n-1].Name == name {
		r.stages[n-1].Seconds += took
		return err
	}
	r.stages = append(r.stages, Stage{name, took})
	return err
}

// Valid is the number of valid rows.
func (r *Clustering) Valid() int { return r.p.m }

// Algorithm is the one that runs.
func (r *Clustering) Algorithm() Algorithm { return r.a }

// Units is how many there are in all.
func (r *Clustering) Units() int64 { return r.body.total() }

// Step does so many units more, or what a device does together: points that join the tree, or blocks of rows that are
// looked at.
func (r *Clustering) Step(ctx context.Context, units int) (step.Progress, error) {
	err := r.time("pass", func() (err error) {
		r.done, err = r.body.step(ctx, units)
		return err
	})
	return r.Progress(), err
}

// Progress is how far the run is; of exact algorithms, the share of pairs that are settled.
func (r *Clustering) Progress() step.Progress {
	total := r.body.total()
	return step.Progress{Done: r.done, Total: total, Rest: r.done >= total}
}

// Finish does all steps that are left, and tells how far it is after each.
func (r *Clustering) Finish(ctx context.Context, report func(done, total int64)) error {
	for {
		p := r.Progress()
		if report != nil {
			report(p.Done, p.Total)
		}
		if p.Rest {
			return ctx.Err()
		}
		if _, err := r.Step(ctx, max(1, int(p.Total/256))); err != nil {
			return err
		}
	}
}

// Work is what was looked at so far.
func (r *Clustering) Work() Work { return r.body.work() }

// Stages is what the parts of the work took so far.
func (r *Clustering) Stages() []Stage { return r.stages }

// Proven says whether the hierarchy is that of all pairs.
func (r *Clustering) Proven() bool { return r.a.Exact && r.Progress().Rest }

// Linkage is the hierarchy as far as it is known: until the run is at rest its heights are upper bounds, rank by rank.
// The error is ctx's.
func (r *Clustering) Linkage(ctx context.Context) (*Linkage, error) {
	l := &Linkage{Rows: r.x.Rows, Leaves: r.p.leaves, Duplicates: r.p.m - r.p.n}
	err := r.time("linkage", func() error {
		tree, err := r.body.tree(ctx)
		if err != nil {
			return err
		}
		l.Tree = r.p.whole(tree)
		l.Z, err = fromTree(ctx, r.p.m, l.Tree, r.o.Threads)
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Close gives memory back; the Linkages made stay.
func (r *Clustering) Close() { r.body.close() }
