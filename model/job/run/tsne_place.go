package run

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
)

// place puts new points into the frozen map of others.
func (m *mapper) place(ctx context.Context, path string) error {
	own := *m.s
	own.More, own.MaxPoints = nil, 0 // those are of the new points
	reference := &mapper{s: &own, t: m.t, report: m.report, started: m.started, out: &TSNEMap{}}
	if err := reference.read(ctx, m.t.Into); err != nil {
		return named(err, m.t.Into)
	}
	y, err := reference.positions(ctx, m.t.Map, false)
	if err != nil {
		return err
	}
	dims := 0
	if n := len(reference.rows); n > 0 {
		dims = len(y) / n
	}
	m.out.Dims = dims
	frozen, err := tsne.Freeze(y, dims)
	if err != nil {
		return named(err, m.t.Map)
	}
	if err := m.like(ctx, path, reference.out.Points); err != nil {
		return err
	}
	r, err := m.load(ctx, reference.x, false)
	if err != nil {
		return err
	}
	defer r.Free()
	q := knn.Query{K: tsne.PlaceNear, New: m.x, Threads: m.s.Threads, Progress: m.report.Stage("neighbours")}
	near := knn.NewLists(reference.x, q)
	if m.x.Rows == 0 { // an empty New would ask for all points
		near = &knn.Lists{K: min(tsne.PlaceNear, reference.x.Rows)}
	} else if err := ask(ctx, r.Caps().Neighbours, reference.x, q, near); err != nil {
		return err
	}
	m.lap("neighbours")
	placed, err := frozen.Place(ctx, near, m.s.Threads, m.report.Stage("placing"))
	if err != nil {
		return err
	}
	m.out.Pos, m.out.Method, m.out.Placed = m.scatter(placed, dims), "frozen", true
	m.lap("placing")
	return nil
}

// like reads a table into the space of other points: the same columns, by name, with the same transforms and scales.
func (m *mapper) like(ctx context.Context, path string, as *Points) error {
	ds, err := m.s.Read(ctx, path, m.report)
	if err != nil {
		return err
	}
	set := &landmark.Set{Codebook: matrix.New(0, as.Table.X.Cols)}
	file := as.File(set)
	given := *m.s
	given.Columns, given.Exclude, given.Scale, given.Unscaled = "", "", false, false
	given.Landmarks, given.reference = m.t.Into, true
	cols, spec, err := given.trainedColumns(ctx, ds, file)
	if err != nil {
		return err
	}
	c := Chosen{Cols: cols, Spec: spec}
	c.Notes = m.s.spaceNotes(ds, c, "")
	return m.take(ctx, ds, c)
}

// ask has a device look for neighbours, or does it here.
func ask(ctx context.Context, find knn.Finder, x matrix.Matrix32, q knn.Query, out *knn.Lists) error {
	if find != nil {
		return find.Others(ctx, q, out)
	}
	return knn.Search(ctx, x, q, out)
}
