package output

import (
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/maps/derived"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/ui/desk"
	"blossom/ui/view"
	"context"
	"path/filepath"
	"slices"
)

// Coordinates writes the position of every point in the active view, in the order of the data file, with the
// columns of the data before them if asked for.
func (o *Output) Coordinates(path string, t desk.Table) {
	o.columns = append(o.columns, t.Derived...) // they are computed before the picture is fresh
	o.WhenFresh(func() {
		o.columns = nil
		data, space, v := o.w.Desk().Doc.Data, o.w.Desk().Table(), o.w.Desk().Stage.Scatter()
		if err := v.Field().Err(); err != nil {
			o.w.Fail(err)
			return
		}
		if o.Documents.IsInput(path) {
			return
		}
		more, err := o.derivedColumns(t.Derived)
		if err != nil {
			o.w.Fail(err)
			return
		}
		places, known := o.places(v, more), o.w.Desk().Populations().Samples().Sheet()
		if t.Recipe {
			o.Documents.Saving.RecipeBeside(path)
		}
		o.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, j *work.Job) (func(), error) {
			table, err := places(ctx)
			if err == nil && t.Columns {
				rows := data.RowNumbers()
				if data, err = export.As(ctx, data, space.Spec, space.Factors(), t.Values); err == nil {
					data, err = derived.Sampled(ctx, known, data)
				}
				if err == nil {
					table = export.Onto(data, rows, table)
				}
			}
			if err == nil {
				err = format.Save(ctx, path, table, j.Report)
			}
			return func() { o.Documents.Wrote(path) }, err
		})
	})
}

// places takes the positions of the points in a view, and returns what makes a table of them and more columns.
func (o *Output) places(v *view.Scatter, more []dataset.Column) func(context.Context) (*dataset.Dataset, error) {
	points, kind, order := v.Points(), v.Field().Kind().ID, o.w.Desk().Table().Order
	points.Sync() // they have come already, unless the engine has just been changed
	pos, dims, said := slices.Clone(points.Host()), points.Dims(), o.tableMeta(v, more)
	return func(ctx context.Context) (*dataset.Dataset, error) {
		table, err := export.Coordinates(ctx, kind, pos, dims, order)
		if err != nil {
			return nil, err
		}
		table = dataset.Beside(table, more...)
		table.Metadata = said
		return table, nil
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
func (o *Output) tableMeta(v *view.Scatter, more []dataset.Column) map[string]string {
	m := map[string]string{}
	if v.IsMap() {
		m[export.EngineKey] = engine.FullName(o.Engines.Engine().Name(), o.Engines.Engine().Variant())
	}
	if v.Arranged() {
		m[export.ArrangedKey] = "by hand"
	}
	if len(more) > 0 {
		m[export.DerivedKey] = export.Provenance(more)
	}
	return m
}
