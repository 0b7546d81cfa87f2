package live

import (
	"context"
	"fmt"
	"math"
	"strings"

	"blossom/model"
	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/format"
	"blossom/model/landmark"
	"blossom/model/problem"
	"blossom/model/revision"
	"blossom/model/step"
	"blossom/model/train"
	"blossom/model/transform"
)

// Opened is a document made ready off the main thread: loaded, transformed, with its first landmarks.
type Opened struct {
	Doc   *model.Document
	Table *transform.Table
	// Said is what was done on the user's behalf, in a line.
	Said string
}

// Load reads the file, or generates "demo:NAME", and makes a document of it.
func Load(ctx context.Context, path string, o format.Options, j *Job) (*Opened, error) {
	if j != nil {
		o.Progress = j.Report
	}
	data, err := Read(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return Prepare(ctx, data, max(1, o.Seed), j)
}

// Prepare makes a document of a data set: defaults for its columns, points in a random order, and a
// grid of landmarks spread over the two main directions of the data.
func Prepare(ctx context.Context, data *dataset.Dataset, seed uint64, j *Job) (*Opened, error) {
	spec := transform.Default(data)
	cols := spec.MapColumns()
	if len(cols) == 0 {
		return nil, problem.New(data.Path, "open a table with at least one numeric column that varies", "no column can be put on a map")
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
		return nil, problem.New(data.Path, "check the file, or leave the empty columns out", "every point has a missing or infinite value")
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
		Train:      model.Train{Algorithm: "som", Values: FirstTraining(data.Points, side)},
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

// firstSamples is the length of the run that starts by itself: long enough for the map to unfold,
// short enough to rest within seconds on a laptop.
const firstSamples = 300_000

// FirstTraining returns the schedule of the run that starts when a file is opened.
func FirstTraining(n, side int) step.Values {
	v := step.Values{}
	a, _ := train.ByID("som")
	for _, p := range a.Params {
		switch p.ID {
		case "epochs":
			v[p.ID] = p.Clamp(math.Max(1, math.Round(firstSamples/float64(max(1, n)))))
		case "sigma_from":
			v[p.ID] = p.Clamp(float64(side) / 2)
		}
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
	out := fmt.Sprintf("%d × %d map on %d markers%s", side, side, len(cols), how)
	if left > 0 {
		out += fmt.Sprintf(" · %d other columns left out", left)
	}
	if data.Total > data.Points {
		out += fmt.Sprintf(" · a sample of %d of %d points", data.Points, data.Total)
	}
	return out
}
