package live

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"blossom/model"
	"blossom/model/dataset"
	"blossom/model/demo"
	"blossom/model/embedsom"
	"blossom/model/format"
	"blossom/model/landmark"
	"blossom/model/problem"
	"blossom/model/revision"
	"blossom/model/session"
	"blossom/model/step"
	"blossom/model/train"
	"blossom/model/transform"
)

// Opened is a document made ready off the main thread: loaded, transformed, with its landmarks.
type Opened struct {
	Doc   *model.Document
	Table *transform.Table
	// Said is what was done on the user's behalf, in a line.
	Said string
	// Session is the path of the session it was opened from, or "". View is what that looked at.
	Session string
	View    *session.View
}

// Load opens a data file, a session, "demo:NAME[:POINTS]", or several data files as one table.
func Load(ctx context.Context, paths []string, o format.Options, j *Job) (*Opened, error) {
	if j != nil {
		o.Progress = j.Report
	}
	if session.Is(paths[0]) {
		if len(paths) > 1 {
			return nil, problem.New(paths[0], "open a session by itself",
				"a session cannot be put together with other files")
		}
		return loadSession(ctx, paths[0], o, j)
	}
	data, err := ReadAll(ctx, paths, o)
	if err != nil {
		return nil, err
	}
	out, err := Prepare(ctx, data, max(1, o.Seed), j)
	if err == nil {
		out.Doc.Sampling = model.Sampling{MaxPoints: o.MaxPoints, How: o.Sample, Seed: o.Seed}
	}
	return out, err
}

// ReadAll reads data files as one table. Of several, a sample is taken evenly from each.
func ReadAll(ctx context.Context, paths []string, o format.Options) (*dataset.Dataset, error) {
	if len(paths) == 1 {
		return Read(ctx, paths[0], o)
	}
	var tables []*dataset.Dataset
	each := o
	if o.MaxPoints > 0 {
		each.MaxPoints = max(1, o.MaxPoints/len(paths))
	}
	for i, p := range paths {
		if o.Progress != nil {
			each.Progress = func(done, total int64) {
				if total > 0 {
					o.Progress(int64(1000*(float64(i)+float64(done)/float64(total))), int64(1000*len(paths)))
				}
			}
		}
		data, err := Read(ctx, p, each)
		if err != nil {
			return nil, err
		}
		tables = append(tables, data)
	}
	return dataset.Concat(ctx, tables)
}

// Read reads a data file or generates a demo data set.
func Read(ctx context.Context, path string, o format.Options) (*dataset.Dataset, error) {
	name, n, ok, err := demo.Parse(path)
	if err != nil {
		return nil, err
	}
	if !ok {
		return format.Open(ctx, path, o)
	}
	if n == 0 {
		n = demo.DefaultPoints
	}
	data, err := demo.Generate(ctx, name, n, demoSeed)
	if err != nil {
		return nil, err
	}
	data.Path = path // with its number of points, so that a session finds the same again
	return dataset.Sample(ctx, data, o.MaxPoints, o.Sample, o.Seed)
}

// demoSeed draws the demo data that stands for a file: it is the same whatever the seed of training.
const demoSeed = 1

func loadSession(ctx context.Context, path string, o format.Options, j *Job) (*Opened, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, problem.Wrap(err, path, "check its name and permissions", "the session cannot be opened (%v)", err)
	}
	defer f.Close()
	s, err := session.Read(f, path)
	if err != nil {
		return nil, err
	}
	how := s.Sampling()
	o.MaxPoints, o.Sample, o.Seed = how.MaxPoints, how.How, how.Seed
	data, err := ReadAll(ctx, s.DataPaths(path), o)
	if err != nil {
		return nil, err
	}
	doc, err := s.Document(data, path)
	if err != nil {
		return nil, err
	}
	table, err := transform.Build(ctx, data, doc.State().Transform, transform.Shuffle(data.Points, s.Seed), o.Progress)
	if err != nil {
		return nil, err
	}
	view := s.View
	return &Opened{Doc: doc, Table: table, Session: path, View: &view,
		Said: fmt.Sprintf("session of %s, saved %s", data.Name, s.Saved.Local().Format("2 Jan 2006 15:04"))}, nil
}

// Prepare makes a document of a data set: defaults for its columns, points in a random order, and a
// grid of landmarks spread over the two main directions of the data.
func Prepare(ctx context.Context, data *dataset.Dataset, seed uint64, j *Job) (*Opened, error) {
	if data.Points == 0 {
		return nil, problem.New(data.Path, "open a table with at least one row of numbers",
			"it has columns but no points")
	}
	spec := transform.Default(data)
	cols := spec.MapColumns()
	if len(cols) == 0 {
		why := "no column can be put on a map"
		if _, err := data.MapColumns("", ""); err != nil {
			why = problem.As(err).What
		}
		return nil, problem.New(data.Path, "open a table with at least one numeric column that varies", "%s", why)
	}
	var report func(done, total int64)
	if j != nil {
		report = j.Report
	}
	table, err := transform.Build(ctx, data, spec, transform.Shuffle(data.Points, seed), report)
	if err != nil {
		return nil, err
	}
	if table.Invalid == table.X.Rows {
		return nil, problem.New(data.Path, "check the file, or leave the empty columns out",
			"every point has a missing or infinite value")
	}
	side := Side(data.Points)
	set, err := landmark.StartGrid(ctx, table.X, landmark.Shape{Cols: side, Rows: side}, landmark.Rect, seed)
	if err != nil {
		return nil, err
	}
	rev := revision.Next()
	s := model.State{
		Transform: spec, TransformRev: rev, CodeSpace: rev, Landmarks: set,
		Projection: embedsom.Defaults(),
		Train:      model.Train{Algorithm: "som", Values: TrainValues("som", data.Points, set)},
		Look:       model.DefaultLook(),
	}
	s.Look.Column = data.Columns[cols[0]].Name
	return &Opened{Doc: model.New(data, data.Name, seed, s), Table: table, Said: said(data, spec, side)}, nil
}

// Side returns the side of the square grid of landmarks for n points: 20 by 20 from some thousand
// points on, fewer where there are too few points to tell so many landmarks apart.
func Side(n int) int {
	return max(2, min(20, int(math.Sqrt(float64(n)/10))))
}

// TrainValues returns all parameters of a training: what suits the size of data and map, and for the rest
// the defaults, written out so that a session means the same when a later version has other defaults.
func TrainValues(id string, n int, l *landmark.Set) step.Values {
	v := step.Values{}
	if a, ok := train.ByID(id); ok {
		for _, p := range a.Params {
			v[p.ID] = p.Default
		}
	}
	for k, x := range train.Suggest(id, n, l.Pos) {
		v[k] = x
	}
	return v
}

func said(data *dataset.Dataset, spec transform.Spec, side int) string {
	cols := spec.MapColumns()
	kinds := map[string]int{}
	for _, c := range cols {
		kinds[spec.Columns[c].String()]++
	}
	how := ""
	for k, n := range kinds {
		if n == len(cols) && k != transform.None.String() {
			how = ", " + strings.ReplaceAll(k, ":", " ")
		}
		if len(kinds) > 1 {
			how = ", several transforms"
		}
	}
	left := len(data.Columns) - len(cols)
	out := fmt.Sprintf("%d × %d map on %s%s", side, side, count(len(cols), Word(data)), how)
	if left > 0 {
		out += " · " + count(left, "other column") + " left out"
	}
	if data.Total > data.Points {
		out += fmt.Sprintf(" · a sample of %d of %d points", data.Points, data.Total)
	}
	return out
}

// Word is what a column of the map is called: marker in cytometry, column elsewhere.
func Word(data *dataset.Dataset) string {
	for i := range data.Columns {
		if data.Columns[i].Role == dataset.Scatter {
			return "marker"
		}
	}
	if data.Format == "fcs" {
		return "marker"
	}
	return "column"
}

// count writes a number of things, in the plural where it is one.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
