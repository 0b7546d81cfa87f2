package job

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/sheet"
	"blossom/model/job/run"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// layingOut makes the map of a TSNE.
type layingOut struct {
	*mapper
	t *TSNE
	o tsne.Options
}

// make makes the map, or looks at a given one.
func (l *layingOut) make(ctx context.Context) error {
	var at []float32
	if l.t.At != "" {
		var err error
		if at, err = l.positions(ctx, l.t.At, 0, true); err != nil {
			return err
		}
		if len(l.rows) > 0 {
			l.out.Dims = len(at) / len(l.rows)
		}
	}
	var err error
	if l.o, err = l.t.options(l.out.Dims, l.w.Seed); err != nil {
		return err
	}
	r, err := l.w.Engines.Engine().Load(ctx, l.x)
	if err != nil {
		return err
	}
	defer r.Free()
	if err := l.method(r.Caps().TSNE); err != nil {
		return err
	}
	if err := tsne.Fits(l.x.Rows, l.x.Cols, l.o.Dims, l.o.Perplexity, false, available(), fewerPoints); err != nil {
		return err
	}
	p, err := l.affinities(ctx, r)
	if err != nil {
		return err
	}
	if at != nil {
		return l.evaluate(ctx, r, p, at)
	}
	start, err := l.start(ctx, r)
	if err != nil {
		return err
	}
	return l.form(ctx, r, p, start)
}

// method says whether the engine has the one that is asked for.
func (l *layingOut) method(d tsne.Device) error {
	has := d.Traits(l.o.Dims).Methods
	if l.o.Method == "" || l.o.Method == tsne.Auto || slices.Contains(has, l.o.Method) {
		return nil
	}
	names := []string{string(tsne.Auto)}
	for _, name := range has {
		names = append(names, string(name))
	}
	return run.Usage{Err: problem.New("", "use "+problem.OneOf(names...),
		"--repulsion %s: engine %s has no such method in %d dimensions", l.o.Method, l.w.Engines.Engine().Name(),
		l.o.Dims)}
}

// fewerPoints is what to do where so many points fit into memory.
func fewerPoints(n int) string {
	return fmt.Sprintf("take a sample with --max-points %d --sample random", n)
}

// affinities finds neighbours, and what they are worth.
func (l *layingOut) affinities(ctx context.Context, r engine.Resident) (*tsne.Sparse, error) {
	used, k := tsne.Allowed(l.x.Rows, l.o.Perplexity)
	if used != l.o.Perplexity && l.x.Rows > 1 {
		l.out.note("a perplexity of %g needs %d points; %d allow %.4g", l.o.Perplexity,
			int(math.Ceil(3*l.o.Perplexity))+1, l.x.Rows, used)
	}
	caps := r.Caps()
	var assign knn.Assign
	if caps.Searcher != nil {
		assign = caps.Searcher.Nearest
	}
	near, err := knn.Auto(ctx, l.x, caps.Neighbours, assign, knn.Plan{K: k, Exact: l.t.Neighbours == "exact",
		Seed: l.o.Seed, Progress: l.w.Options.Report})
	if err != nil {
		return nil, err
	}
	if l.out.Recall = near.Recall; !near.Exact {
		l.out.note("%.1f %% of the neighbours were found, in the nearest %d of %d groups of points; "+
			"--neighbours exact finds all", 100*near.Recall, near.Probe, near.Cells)
	}
	l.lap("neighbours")
	p, err := tsne.SparseOf(ctx, near.Lists, l.o.Perplexity, caps.Joiner)
	if err != nil {
		return nil, err
	}
	if l.x.Rows > 1 {
		l.out.Perplexity = p.Perplexity
	}
	l.lap("affinities")
	return p, nil
}

// start is where the points begin.
func (l *layingOut) start(ctx context.Context, r engine.Resident) (y []float32, err error) {
	n, dims, keep := l.x.Rows, l.o.Dims, l.t.StartAs == "keep"
	switch {
	case l.t.StartFile != "":
		y, err = l.positions(ctx, l.t.StartFile, dims, keep)
		if err == nil && !keep && spot(y, dims) {
			l.out.note("all points of %s lie at one place, from which noise parts them: it says nothing of "+
				"where they begin", l.t.StartFile)
		}
	case l.t.Start == StartRandom:
		return tsne.RandomStart(n, dims, l.o.Seed), nil
	case l.t.Start == StartEmbedSOM:
		y, err = l.embed(ctx, r)
	default:
		y, err = tsne.PCAStart(ctx, l.x, dims, l.o.Seed)
		l.lap("start")
		return y, err
	}
	if err == nil && !keep {
		y = tsne.SmallStart(y, dims, l.o.Seed)
	}
	l.lap("start")
	return y, err
}

// spot says whether two or more places are all the same.
func spot(y []float32, dims int) bool {
	for i := dims; i < len(y); i++ {
		if y[i] != y[i-dims] {
			return false
		}
	}
	return len(y) > dims
}

// embed is the EmbedSOM map of the points, with landmarks as a command makes them of which nothing is said.
func (l *layingOut) embed(ctx context.Context, r engine.Resident) ([]float32, error) {
	p := *l.out.Points
	table := *p.Table
	table.X, table.Invalid = l.x, 0
	p.Table = &table
	s := run.Defaults().Origin
	s.Dims = l.o.Dims
	b, how, err := s.Training(p.Data)
	if err != nil {
		return nil, err
	}
	f, err := run.Train(ctx, &p, r, b, nil, how, sheet.Sheet{}, l.o.Seed, l.w.Options.Report)
	if err != nil {
		return nil, err
	}
	dst, err := run.Project(ctx, r, f.Set, embedsom.Defaults(), l.x.Rows, l.w.Options.Report)
	if err != nil {
		return nil, err
	}
	return dst.Data, nil
}

// form does the units, and keeps what there is when it is interrupted, if that is wanted.
func (l *layingOut) form(ctx context.Context, r engine.Resident, p *tsne.Sparse, start []float32) error {
	d, err := tsne.Start(ctx, r.Caps().TSNE, p, start, l.o)
	if err != nil {
		return err
	}
	defer d.Close()
	stopped := l.run(ctx, d)
	if stopped != nil && !l.t.Keep {
		return stopped
	}
	l.out.Units = d.Units()
	l.stopped(stopped)
	ctx = context.WithoutCancel(ctx) // interrupted positions are kept all the same
	target := embedsom.NewHostTarget(l.x.Rows, l.o.Dims)
	if err := d.Positions(ctx, target); err != nil {
		return err
	}
	l.out.Pos = l.scatter(target.Data, l.o.Dims)
	at := tsne.Evaluation{}
	if err := d.Evaluate(ctx, &at); err != nil {
		return err
	}
	l.fits(&at)
	if stopped != nil {
		return stopped
	}
	if most := l.o.Total; l.x.Rows > 0 && d.Units() < most {
		l.out.note("it came to rest after %d of %d units", d.Units(), most)
	}
	l.lap("layout")
	return l.quality(ctx, target.Data)
}

// fits keeps how well the map fits: of fewer points than two there are no pairs.
func (l *layingOut) fits(at *tsne.Evaluation) {
	if l.out.Method = string(at.Method); l.x.Rows > 1 {
		l.out.KL, l.out.Z = max(0, at.KL), at.Z // it is below 0 by rounding alone
	}
}

// run does the units, with KL in the progress.
func (l *layingOut) run(ctx context.Context, d *tsne.Forming) error {
	stage, shown := "layout", time.Time{}
	_, err := step.ToRest(ctx, d, 1, unitsTake, func(p step.Progress, took time.Duration) error {
		if l.w.Options.Report == nil {
			return nil
		}
		if time.Since(shown) > 500*time.Millisecond && took < 300*time.Millisecond {
			at := tsne.Evaluation{}
			if err := d.Evaluate(ctx, &at); err != nil {
				return err
			}
			stage, shown = fmt.Sprintf("layout · KL %.3f", max(0, at.KL)), time.Now()
		}
		l.w.Options.Report(stage, p.Done, p.Total)
		return nil
	})
	return err
}

// evaluate says how a given map lies.
func (l *layingOut) evaluate(ctx context.Context, r engine.Resident, p *tsne.Sparse, y []float32) error {
	d, err := tsne.Start(ctx, r.Caps().TSNE, p, y, l.o)
	if err != nil {
		return err
	}
	defer d.Close()
	dims := l.o.Dims
	at := tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
	if err := d.Evaluate(ctx, &at); err != nil {
		return err
	}
	both := make([]float32, 0, 2*len(y))
	for i := 0; i < len(y); i += dims {
		both = append(append(both, at.Attraction[i:i+dims]...), at.Repulsion[i:i+dims]...)
	}
	l.out.Forces, l.out.Pos = l.scatter(both, 2*dims), l.scatter(y, dims)
	l.fits(&at)
	l.lap("evaluate")
	return l.quality(ctx, y)
}

// quality says how well neighbours are kept, by the engine's search, if that is wanted.
func (l *layingOut) quality(ctx context.Context, y []float32) error {
	if !l.t.Measure {
		return nil
	}
	return l.measure(ctx, l.x, y)
}
