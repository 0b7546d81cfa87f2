package opening

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
)

// Start is what the map of a table begins with, before anybody has chosen anything.
type Start struct {
	Spec      transform.Spec   // for all columns
	Table     *transform.Table // the points, in a random order
	Landmarks *landmark.Set    // a grid spread over the two main directions of the points, or along a demo's
	Algorithm string           // name of the training's algorithm
	Values    step.Values      // its parameters
	Then      string           // name of the layout that follows the training, "" for none
	Said      string           // the choice, in a line
}

// Begin chooses defaults for a table: the markers with what suits them, the points in an order by seed, and a
// grid of landmarks as their number allows. progress may be nil and is called from several goroutines.
// The error is a Problem, or ctx's.
func Begin(ctx context.Context, ds *dataset.Dataset, seed uint64, progress func(done, total int64)) (*Start, error) {
	return begin(ctx, ds, transform.Default(ds), seed, progress)
}

// begin does so with a transform.
func begin(ctx context.Context, ds *dataset.Dataset, spec transform.Spec, seed uint64,
	progress func(done, total int64)) (*Start, error) {
	if ds.Points == 0 {
		return nil, problem.New(ds.Path, "open a table with at least one row of numbers",
			"it has columns but no points")
	}
	if _, err := ds.MapColumns("", ""); err != nil {
		return nil, problem.Wrap(err, ds.Path, "open a table with at least one numeric column that varies", "%s",
			problem.As(err).What)
	}
	s := &Start{Spec: spec}
	var err error
	if s.Table, err = Space(ctx, ds, s.Spec, transform.Shuffle(ds.Points, seed), progress); err != nil {
		return nil, err
	}
	side := landmark.SideFor(ds.Points)
	own := demo.StartOf(ds.Path)
	size := fmt.Sprintf("%d × %d map", side, side)
	if own.Along {
		size = fmt.Sprintf("map of %d landmarks", side*side)
		s.Landmarks, err = landmark.StartAlong(ctx, s.Table.X, side*side, 2, seed)
	} else {
		shape := landmark.Shape{Cols: side, Rows: side}
		s.Landmarks, err = landmark.StartGrid(ctx, s.Table.X, shape, landmark.Rect, seed)
	}
	if err != nil {
		return nil, err
	}
	s.Algorithm = cmp.Or(own.Algorithm, train.DefaultID(false))
	s.Values = train.Values(s.Algorithm, ds.Points, s.Landmarks.Pos)
	maps.Copy(s.Values, own.Values)
	if s.Then = FirstLayout(ds, len(s.Table.Cols), side*side); s.Then != "" {
		size += " as islands"
	}
	s.Said = chosen(ds, s.Spec, size)
	if lost := s.Table.Lost(ds); len(lost) > 0 {
		s.Said += " · values that differ are taken for equal in " + ds.Columns[lost[0]].Short()
		if more := len(lost) - 1; more > 0 {
			s.Said += fmt.Sprintf(" and %d more", more)
		}
	}
	return s, nil
}

// FirstLayout is the layout by which the landmarks of a table's first map are laid out when they are trained; "": they
// stay the grid that they were. Four and more columns hold groups, and islands keep more of who is near whom than a
// grid; three and fewer are a shape, which a grid unfolds. docs/measured.md has the measurements ("First maps").
func FirstLayout(ds *dataset.Dataset, columns, landmarks int) string {
	const groups, few = 4, 25
	if columns < groups || landmarks < few || demo.StartOf(ds.Path).Along {
		return ""
	}
	return Islands
}

// Islands is the ID of the layout that brings landmarks that are alike together, apart from others.
const Islands = "tsne"

// Space brings the columns of ds that spec puts in the map into its space, in the given order of points (nil:
// that of the rows). It is transform.Build, and an error where no point of several has a place there.
func Space(ctx context.Context, ds *dataset.Dataset, spec transform.Spec, order []int32,
	progress func(done, total int64)) (*transform.Table, error) {
	table, err := transform.Build(ctx, ds, spec, order, progress)
	if err != nil {
		return nil, err
	}
	if n := table.X.Rows; n > 0 && table.Invalid == n {
		return nil, problem.New(ds.Path, "check the file, or leave columns without numbers out",
			"every point has a missing or infinite value in the %d columns of the map", table.X.Cols)
	}
	return table, nil
}

// chosen tells what Begin has chosen.
func chosen(ds *dataset.Dataset, spec transform.Spec, size string) string {
	cols := spec.MapColumns()
	how := ""
	for i, c := range cols {
		t := spec.Columns[c].String()
		if short := spec.Columns[c].Text(); len(short) < len(t) {
			t = short // as figures have it: "linear/111"
		}
		switch {
		case spec.Columns[c].String() != spec.Columns[cols[0]].String():
			how = ", several transforms"
		case i == 0 && t != transform.None.String():
			how = ", " + strings.ReplaceAll(t, ":", " ")
		}
	}
	out := fmt.Sprintf("%s on %s%s", size, count(len(cols), ds.ColumnWord()), how)
	for _, m := range transform.Suggestions(ds) {
		if m.Said != "" {
			out += " · " + m.Said
		}
	}
	if spec.Scale {
		if share, ok := transform.WantsScale(ds, spec, cols); ok {
			out += " · scaled to unit deviation because " + share.Text(ds)
		}
	}
	if left := len(ds.Columns) - len(cols); left > 0 {
		out += " · " + count(left, "other column") + " left out"
	}
	if ds.Total > ds.Points {
		out += " · " + dataset.SampleOf(int64(ds.Points), int64(ds.Total), "points")
	}
	return out
}

// count writes a number of things, in the plural unless it is one.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
