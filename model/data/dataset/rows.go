package dataset

import (
	"context"
	"slices"

	"blossom/model/base/revision"
)

// Rows are those of a table whose values are not in memory: they are read when they are asked for, and do not change.
type Rows interface {
	// Read returns the values of rows [from, to) of some columns, in the order in which these are named: nothing else
	// of a Column is set. The error is ctx's, or a Problem.
	Read(ctx context.Context, from, to int, columns []int) ([]Column, error)
}

// Outlined says whether the table is an outline: all is known of its columns but their values, which Range reads.
func (ds *Dataset) Outlined() bool { return ds.Rows != nil }

// Range returns rows [from, to) of an outline as a table of their own. Its columns are those of the outline, with the
// statistics of the whole. The error is ctx's, or a Problem.
func (ds *Dataset) Range(ctx context.Context, from, to int) (*Dataset, error) {
	all := make([]int, len(ds.Columns))
	for i := range all {
		all[i] = i
	}
	values, err := ds.Rows.Read(ctx, from, to, all)
	if err != nil {
		return nil, err
	}
	out := *ds
	out.Columns = make([]Column, len(all))
	for i := range out.Columns {
		c := ds.Columns[i]
		c.Values, c.Exact = values[i].Values, values[i].Exact
		out.Columns[i] = c
	}
	out.Points, out.Total, out.Rows, out.Rev = to-from, to-from, nil, revision.Next()
	return &out, nil
}

// Fetched returns a column of the table with all of its values, which an outline has read. The error is ctx's, or a
// Problem.
func (ds *Dataset) Fetched(ctx context.Context, col int) (*Column, error) {
	c := ds.Columns[col]
	if !ds.Outlined() {
		return &c, ctx.Err()
	}
	values, err := ds.Rows.Read(ctx, 0, ds.Points, []int{col})
	if err != nil {
		return nil, err
	}
	c.Values, c.Exact = values[0].Values, values[0].Exact
	return &c, nil
}

// Holding returns the table of an outline with the values of some of its columns in memory: the others have none. The
// error is ctx's, or a Problem.
func (ds *Dataset) Holding(ctx context.Context, cols []int) (*Dataset, error) {
	cols = slices.Compact(slices.Sorted(slices.Values(cols)))
	values, err := ds.Rows.Read(ctx, 0, ds.Points, cols)
	if err != nil {
		return nil, err
	}
	columns := slices.Clone(ds.Columns)
	for k, i := range cols {
		columns[i].Values, columns[i].Exact = values[k].Values, values[k].Exact
	}
	out := ds.Described(columns)
	out.Rows = nil
	return out, nil
}

// A range of EachRange has as many rows as take rangeBytes, a multiple of rangeRows.
const (
	rangeBytes = 16 << 20
	rangeRows  = 1 << 10
)

// EachRange calls each with all rows of an outline, some at a time and in their order, from being the first of them.
// The error is each's, ctx's or a Problem.
func (ds *Dataset) EachRange(ctx context.Context, each func(from int, rows *Dataset) error) error {
	step := max(1, rangeBytes/(4*max(1, len(ds.Columns)))/rangeRows) * rangeRows
	for from := 0; from < ds.Points; from += step {
		rows, err := ds.Range(ctx, from, min(ds.Points, from+step))
		if err == nil {
			err = each(from, rows)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Picked are the rows of an outline that has some of its columns, in the order in which cols names them.
func (ds *Dataset) Picked(cols []int) Rows {
	if !ds.Outlined() {
		return nil
	}
	return picked{ds.Rows, cols}
}

// picked are rows of which some columns are left.
type picked struct {
	rows Rows
	cols []int
}

// Read reads columns by their numbers among those that are left.
func (p picked) Read(ctx context.Context, from, to int, columns []int) ([]Column, error) {
	of := make([]int, len(columns))
	for i, c := range columns {
		of[i] = p.cols[c]
	}
	return p.rows.Read(ctx, from, to, of)
}

// Few returns some rows of an outline as a table of their own, as Range does; they ascend. The error is ctx's, or a
// Problem.
func (ds *Dataset) Few(ctx context.Context, rows []int) (*Dataset, error) {
	all := make([]int, len(ds.Columns))
	for i := range all {
		all[i] = i
	}
	columns := slices.Clone(ds.Columns)
	for _, row := range rows {
		one, err := ds.Rows.Read(ctx, row, row+1, all)
		if err != nil {
			return nil, err
		}
		for i, c := range one {
			columns[i].Values, columns[i].Exact = append(columns[i].Values, c.Values...),
				append(columns[i].Exact, c.Exact...)
		}
	}
	out := ds.Described(columns)
	out.Points, out.Total, out.Rows = len(rows), len(rows), nil
	return out, nil
}
