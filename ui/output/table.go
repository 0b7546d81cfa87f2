package output

import (
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/maps/derived"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/ui/desk"
	"blossom/ui/view"
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// Coordinates writes the position of every point in the active view, in the order of the data file, with what is to
// stand beside it, as blossom embed does of a session.
func (o *Output) Coordinates(path string, t desk.Table) {
	if t.Append {
		t.Derived = o.withNearest(t.Derived)
	}
	o.columns = append(o.columns, t.Derived...) // they are computed before the picture is fresh
	if now := o.w.Desk().Populations(); t.Append && now.Tree().Len() > 0 {
		o.columns = append(o.columns, now.Column())
	}
	o.WhenFresh(func() {
		o.columns = nil
		data, space, v := o.w.Desk().Doc.Data, o.w.Desk().Table(), o.w.Desk().Stage.Scatter()
		if err := v.Field().Err(); err != nil {
			o.w.Fail(err)
			return
		}
		rows := &export.Rows{Data: data, Each: t.Each, Append: t.Append, Paint: o.paint()}
		if err := o.appended(rows); err != nil {
			o.w.Fail(err)
			return
		}
		paths, _ := rows.Paths(path)
		if !o.free(paths, path) {
			return
		}
		more, err := o.derivedColumns(t.Derived)
		if err != nil {
			o.w.Fail(err)
			return
		}
		if t.Append || t.Columns { // the sheet stands before them
			more = slices.DeleteFunc(more, derived.OfSamples)
		}
		places, known := o.places(v, more), o.w.Desk().Populations().Samples().Sheet()
		if t.Recipe {
			o.Documents.Saving.RecipeBeside(beside(path))
		}
		var before func(context.Context) (*dataset.Dataset, error)
		switch {
		case t.Append:
			before = func(ctx context.Context) (*dataset.Dataset, error) { return derived.Sampled(ctx, known, data) }
		case t.Columns:
			before = func(ctx context.Context) (*dataset.Dataset, error) {
				as, err := export.As(ctx, data, space.Spec, space.Factors(), t.Values)
				if err != nil {
					return nil, err
				}
				return derived.Sampled(ctx, known, as)
			}
		}
		o.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, j *work.Job) (func(), error) {
			said, err := save(ctx, rows, path, places, before, j.Report)
			return func() {
				o.Documents.Wrote(strings.Join(said, "; "), paths...)
			}, err
		})
	})
}

// places takes the positions of the points in a view, and returns what makes a table of them and more columns.
func (o *Output) places(v *view.Scatter, more []dataset.Column) func(context.Context) (*dataset.Dataset, error) {
	points, kind, order := v.Points(), v.Field().Kind().ID, o.w.Desk().Table().Order
	points.Sync() // they have come already, unless the engine has just been changed
	pos, dims, said := slices.Clone(points.Host()), points.Dims(), o.tableMeta(v)
	return func(ctx context.Context) (*dataset.Dataset, error) {
		table, err := export.Coordinates(ctx, kind, pos, dims, order)
		if err != nil {
			return nil, err
		}
		table.Metadata = said
		return export.WithDerived(table, more...), nil
	}
}

// derivedColumns returns the columns of these names, which have been made.
func (o *Output) derivedColumns(names []string) (out []dataset.Column, err error) {
	for _, name := range names {
		c, _, err := o.w.Desk().Column(name)
		if err == nil && c == nil {
			err = problem.New("", "wait until the map is at rest and export again", "%s could not be made", name)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, derived.PlainName(*c, o.w.Desk().Doc.Data))
	}
	return out, nil
}

// tableMeta is what a table of coordinates says of itself, in formats that have keywords.
func (o *Output) tableMeta(v *view.Scatter) map[string]string {
	m := map[string]string{}
	if v.IsMap() {
		m[export.EngineKey] = engine.FullName(o.Engines.Engine().Name(), o.Engines.Engine().Variant())
	}
	if v.Arranged() {
		m[export.ArrangedKey] = "by hand"
	}
	return m
}
