package export

import (
	"context"
	"maps"

	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// ValuesKey is the keyword that says which values the columns of a table are, where they are not raw.
const ValuesKey = dataset.ValuesKey

// As returns a table with the values v of its columns, under names that say so; labels stay. spec is how columns become
// dimensions, factor what each of these is multiplied with (1 where it says nothing). The error is ctx's.
func As(ctx context.Context, ds *dataset.Dataset, spec transform.Spec, factor map[int]float64,
	v transform.Values) (*dataset.Dataset, error) {
	if v == transform.Raw || v == "" {
		return ds, nil
	}
	all := make([]int, len(ds.Columns))
	for i := range all {
		all[i] = i
	}
	mixed, out := transform.AllMixed(ds, spec, all), make([]dataset.Column, len(all))
	changed := false
	for i := range all {
		c, name := ds.Columns[i], spec.NameOf(ds, i, v)
		if c.Categories == nil && name != c.Name {
			t := spec.Columns[i]
			if v != transform.Mapped {
				t = transform.Column{}
			}
			f := 1.0
			if x, ok := factor[i]; ok && v == transform.Mapped {
				f = x
			}
			c = valued(c, mixed[i], t, f)
			c.Name, changed = name, true
		}
		out[i] = c
	}
	if !changed {
		return ds, ctx.Err()
	}
	table, err := dataset.FromColumns(ctx, ds.Name, out)
	if err != nil {
		return nil, err
	}
	for i := range table.Columns {
		table.Columns[i].Role, table.Columns[i].Why = ds.Columns[i].Role, ds.Columns[i].Why
	}
	made := ds.Described(table.Columns)        // joined tables, sources and all else that is said of it stay
	made.Spillover, made.Spillovers = nil, nil // the values are not as a matrix is about
	if made.Metadata = maps.Clone(ds.Metadata); made.Metadata == nil {
		made.Metadata = map[string]string{}
	}
	made.Metadata[ValuesKey] = string(v)
	return made, nil
}

// valued is the column c with the values of from, transformed and multiplied, of no instrument's scale any more.
func valued(c dataset.Column, from *dataset.Column, t transform.Column, factor float64) dataset.Column {
	c.Stats, c.Log, c.Gain, c.Range = dataset.Stats{}, nil, 0, 0
	if c.Values, c.Exact = from.Values, from.Exact; t.Op == transform.None && factor == 1 {
		return c
	}
	c.Values, c.Exact = transform.ColumnValues(from, t, nil), nil // as the map's points have them
	for i, x := range c.Values {
		c.Values[i] = float32(float64(x) * factor)
	}
	return c
}
