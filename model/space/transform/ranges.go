package transform

import (
	"context"
	"slices"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
)

// Prepare takes of an outline what Build takes of a table in memory, to the last bit, and makes no points: those of a
// range of its rows are made by Of. The error is dataset.ErrWhole where the settings ask for more than ranges give,
// else ctx's or a Problem. progress may be nil.
func Prepare(ctx context.Context, ds *dataset.Dataset, s Spec, progress func(done, total int64)) (*Table, error) {
	if err := s.Validate(ds); err != nil {
		return nil, err
	}
	cols := s.MapColumns()
	d := len(cols)
	t := &Table{Cols: cols, Spec: s.Clone(), DataRev: ds.Rev, X: matrix.Matrix32{Cols: d},
		Mean: make([]float64, d), SD: make([]float64, d), Factor: make([]float64, d), Funcs: make([]Func, d)}
	measure := false
	for j, c := range cols {
		mixed, setting := len(s.mixesOf(c)) > 0, s.Columns[c]
		var from *dataset.Column
		if ByID(setting.Op).Needs(setting.Params) {
			if mixed {
				return nil, dataset.ErrWhole
			}
			var err error
			if from, err = ds.Fetched(ctx, c); err != nil {
				return nil, err
			}
		}
		t.Funcs[j] = FunctionOf(from, setting)
		if s.Scale && setting.SD == 0 {
			if measure = true; s.Robust && mixed {
				return nil, dataset.ErrWhole
			}
		}
	}
	if slices.ContainsFunc(s.Mixes, Mix.Fills) {
		return nil, dataset.ErrWhole
	}
	b := building{Table: t, ds: ds, measure: every(d), stats: make([]exact.Moments, d)}
	if measure {
		if err := t.measured(ctx, ds, b.stats, progress); err != nil {
			return nil, err
		}
	}
	b.setStatistics()
	return t, nil
}

// every is 0 to n-1.
func every(n int) []int {
	all := make([]int, n)
	for j := range all {
		all[j] = j
	}
	return all
}

// measured adds the moments of all rows to stats.
func (t *Table) measured(ctx context.Context, ds *dataset.Dataset, stats []exact.Moments,
	progress func(done, total int64)) error {
	return ds.EachRange(ctx, func(from int, rows *dataset.Dataset) error {
		b := t.over(rows)
		b.measure, b.stats = b.redo, stats
		if err := b.transform(ctx); err != nil {
			return err
		}
		if progress != nil {
			progress(int64(from+rows.Points), int64(ds.Points))
		}
		return nil
	})
}

// over is the making of the points of some rows.
func (t *Table) over(rows *dataset.Dataset) *building {
	of := *t
	of.X, of.DataRev = matrix.New(rows.Points, len(t.Cols)), rows.Rev
	return &building{Table: &of, ds: rows, redo: every(len(t.Cols)), report: func(int) {}}
}

// Of returns the points of some rows of the outline that t was prepared for. Invalid counts those among them. The error
// is ctx's.
func (t *Table) Of(ctx context.Context, rows *dataset.Dataset) (*Table, error) {
	b := t.over(rows)
	if err := b.transform(ctx); err != nil {
		return nil, err
	}
	return b.Table, b.scale(ctx)
}
