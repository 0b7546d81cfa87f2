package job

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/maps/places"
	"blossom/model/maps/quality"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
)

// Stage is what took a time.
type Stage struct {
	Name    string
	Seconds float64
}

// PointsMap is a map of all points, or what was asked about one.
type PointsMap struct {
	Points      *run.Points
	Dims        int
	Pos         []float32 // points x Dims; NaN for those with a missing or infinite value
	Forces      []float32 // forces at TSNE.At, points x 2 Dims: attraction, then repulsion; nil: not wanted
	KL, Z       float64   // NaN: there is none
	Quality     *quality.Whole
	Placed      bool // new points were put into a frozen map
	Units       int
	Method      string
	Perplexity  float64 // NaN: there is none
	Recall      float64 // the share of the true neighbours that were found; 1: exact
	Interrupted bool    // Pos is what there was by then
	Stages      []Stage
	Notes       []string
}

func (m *PointsMap) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// mapper makes a PointsMap.
type mapper struct {
	w       *Work
	out     *PointsMap
	started time.Time
	rows    []int32         // rows of the points that are valid: see valid
	x       matrix.Matrix32 // coordinates of rows
}

// mapper begins a map of the points of the job.
func (w *Work) mapper(dims int) *mapper {
	m := w.mapperOf(w.Points, dims)
	m.out.Notes = append(m.out.Notes, w.notes...)
	return m
}

// mapperOf begins a map of points.
func (w *Work) mapperOf(p *run.Points, dims int) *mapper {
	m := &mapper{w: w, started: w.started, out: &PointsMap{Points: p, Dims: dims, KL: math.NaN(), Z: math.NaN(),
		Perplexity: math.NaN(), Recall: 1, Notes: p.Notes("place on the map")}}
	m.lap("read")
	return m
}

// lap ends a stage.
func (m *mapper) lap(name string) {
	now := time.Now()
	m.out.Stages = append(m.out.Stages, Stage{name, now.Sub(m.started).Seconds()})
	m.started, m.w.started = now, now
}

// valid finds the points that are finite, which share the memory of all where all are.
func (m *mapper) valid() {
	x := m.out.Points.Table.X
	for i := range x.Rows {
		if knn.Finite(x.Row(i)) {
			m.rows = append(m.rows, int32(i))
		}
	}
	if m.x = x; len(m.rows) == x.Rows {
		return
	}
	m.x = matrix.New(len(m.rows), x.Cols)
	for at, i := range m.rows {
		copy(m.x.Row(at), x.Row(int(i)))
	}
}

// positions reads a table of coordinates with a row for each point, or for each valid one, and returns those of the
// valid ones. dims is how many are wanted, 0: any. keep: they are taken at their size, which then has to be possible.
func (m *mapper) positions(ctx context.Context, path string, dims int, keep bool) ([]float32, error) {
	ds, err := source.Read(ctx, path, format.Options{})
	if err != nil {
		return nil, err
	}
	columns := make([]int, len(ds.Columns))
	for i := range columns {
		columns[i] = i
	}
	all, has := ds.Matrix(columns), len(columns)
	if has != 2 && has != 3 || dims != 0 && has != dims {
		most := max(2, dims)
		return nil, problem.New(path, fmt.Sprintf("give a table of %d columns", most),
			"it has %s, the map %d dimensions", problem.Count(has, "column"), most)
	}
	if err := ds.Numbers(columns); err != nil {
		return nil, err
	}
	n := m.out.Points.Data.Points
	if all.Rows != n && all.Rows != len(m.rows) {
		return nil, problem.New(path, "give a table with a row for each point",
			"it has %d rows, and there are %d points", all.Rows, n)
	}
	y := make([]float32, 0, len(m.rows)*has)
	for at, i := range m.rows {
		if all.Rows != n {
			i = int32(at)
		}
		if !knn.Finite(all.Row(int(i))) {
			return nil, problem.New(path, "give finite numbers for all points that have finite values",
				"row %d has no place on the map", i+1)
		}
		y = append(y, all.Row(int(i))...)
	}
	if keep {
		return y, named(places.Check(y, len(m.rows), has), path)
	}
	return y, nil
}

// scatter puts what belongs to valid points in the rows of all; others get NaN.
func (m *mapper) scatter(v []float32, cols int) []float32 {
	n := m.out.Points.Data.Points
	if len(m.rows) == n {
		return v
	}
	out := slices.Repeat([]float32{float32(math.NaN())}, n*cols)
	for at, i := range m.rows {
		copy(out[int(i)*cols:], v[at*cols:(at+1)*cols])
	}
	return out
}

// measure says how well the map y of points x keeps neighbours, which the engine looks for.
func (m *mapper) measure(ctx context.Context, x matrix.Matrix32, y []float32) (err error) {
	w := quality.Work{Threads: m.w.Options.Engine.Threads, Progress: m.w.Options.Report.Stage("quality"), Find: m.find}
	if x.Rows > quality.Exact {
		order := transform.Shuffle(x.Rows, m.w.Seed)
		w.Sample = order[:min(quality.Ranked, len(order))]
	}
	m.out.Quality, err = quality.Among(ctx, x, y, m.out.Dims, w)
	m.lap("quality")
	return err
}

// find looks for neighbours on the engine, or on the processor where that cannot.
func (m *mapper) find(ctx context.Context, x matrix.Matrix32, q knn.Query, out *knn.Lists) error {
	r, err := m.w.Engines.Engine().Load(ctx, x)
	if err != nil {
		return err
	}
	defer r.Free()
	if find := r.Caps().Neighbours; find != nil {
		return find.Others(ctx, q, out)
	}
	return knn.Search(ctx, x, q, out)
}

// stopped says that the map is what there was when it was interrupted, if it was.
func (m *mapper) stopped(err error) {
	if err == nil || !errors.Is(err, context.Canceled) {
		return
	}
	m.out.Interrupted = true
	m.out.note("interrupted after %d units: what there was by then is kept", m.out.Units)
}

// coordinates is the map as a table in the order of the rows.
func (m *mapper) coordinates(ctx context.Context, name string) (*dataset.Dataset, error) {
	return export.Coordinates(ctx, name, m.out.Pos, m.out.Dims, m.out.Points.Table.Order)
}

// end writes the table of a map, also of one that was interrupted and is kept; stopped is by what.
func (m *mapper) end(ctx context.Context, stopped error, output string, data Beside,
	table func(context.Context) (*dataset.Dataset, error)) error {
	w := m.w
	if stopped != nil {
		ctx, w.unfinished = context.WithoutCancel(ctx), true
	}
	w.Notes = append(w.Notes, m.out.Notes...)
	if output == "" {
		return stopped
	}
	ds, err := table(ctx)
	if err != nil {
		return err
	}
	ds.Metadata = map[string]string{export.EngineKey: w.engineName()}
	if err := data.save(ctx, w, output, ds, m.out.Points, &w.Notes, &m.out.Notes); err != nil {
		return err
	}
	return stopped
}

// named puts the input's name on a Problem that has none.
func named(err error, file string) error {
	if p, ok := err.(*problem.Problem); ok && p.File == "" {
		return problem.Wrap(p, file, p.Remedy, "%s", p.What)
	}
	return err
}
