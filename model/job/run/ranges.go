package run

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// PointsByRange prepares the points of an outline, as PointsOf makes those of a table in memory: its Table has none,
// EachRange makes them. The error is dataset.ErrWhole where the settings ask for more than ranges give.
func PointsByRange(ctx context.Context, ds *dataset.Dataset, cols []int, spec transform.Spec,
	report Report) (*Points, error) {
	view, chosen := transform.View(ds, spec, cols)
	table, err := transform.Prepare(ctx, view, chosen, report.Stage("measuring"))
	if err != nil {
		return nil, err
	}
	few, err := ds.Few(ctx, transform.LostRows(ds.Points))
	if err != nil {
		return nil, err
	}
	return &Points{Data: ds, Cols: cols, Spec: spec, Table: table, view: view, few: few}, nil
}

// EachRange calls each with the points of an outline, some at a time and in their order: with all columns of the data,
// or with those that the map needs alone. It counts in the Table of p which are invalid. The error is each's, ctx's, or
// a Problem, also where no point has a place on the map.
func (p *Points) EachRange(ctx context.Context, all bool, each func(*Points) error) error {
	from := p.view
	if all {
		from = p.Data
	}
	invalid := 0
	err := from.EachRange(ctx, func(_ int, rows *dataset.Dataset) error {
		of := &Points{Data: rows, Cols: p.Cols, Spec: p.Spec, view: rows}
		if all {
			of.view, _ = transform.View(rows, p.Spec, p.Cols)
		}
		var err error
		if of.Table, err = p.Table.Of(ctx, of.view); err != nil {
			return err
		}
		invalid += of.Table.Invalid
		return each(of)
	})
	if err != nil {
		return err
	}
	counted := *p.Table
	counted.Invalid = invalid
	p.Table = &counted
	if n := p.Data.Points; n > 0 && invalid == n && !p.Part {
		return problem.New(p.Data.Path, "check the file, or leave columns without numbers out",
			"every point has a missing or infinite value in the %d columns of the map", p.Table.X.Cols)
	}
	return nil
}
