package run

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// Table returns the chosen columns of ds, transformed and scaled as asked for and otherwise raw: what
// `convert` writes. Without --columns all of them are chosen; transforms without a name and scaling
// change markers only then.
func (s *Space) Table(ctx context.Context, ds *dataset.Dataset) (*dataset.Dataset, error) {
	cols, err := s.Chosen(ds)
	if err != nil {
		return nil, err
	}
	changed := cols
	if s.Columns == "" {
		changed = slices.DeleteFunc(slices.Clone(cols), func(i int) bool {
			return ds.Columns[i].Role != dataset.Marker
		})
	}
	spec := transform.Spec{Scale: s.Scale, Robust: s.Robust, Columns: make([]transform.Column, len(ds.Columns))}
	for i := range spec.Columns {
		spec.Columns[i].Weight = 1
	}
	if own := transform.OwnCompensation(ds); s.Compensation == CompensationAuto && own.On {
		spec = spec.WithCompensation(ds, own.Mix)
	}
	if err := s.compensate(ctx, ds, &spec); err != nil {
		return nil, err
	}
	if m := transform.Filling(ds, changed, s.Fill); len(m.Cols) > 0 {
		spec.Mixes = append([]transform.Mix{m}, spec.Mixes...)
	}
	if err := s.applyTransforms(ds, changed, &spec); err != nil {
		return nil, err
	}
	columns, chosen := s.transformed(ds, spec, cols, changed)
	made, err := dataset.FromColumns(ctx, ds.Name, columns)
	if err == nil && s.Scale {
		scaled := ds.Among(changed)
		for j, i := range cols {
			if scaled[i] {
				s.scale(&made.Columns[j]) // made above: not the input's own
			}
		}
		made, err = dataset.FromColumns(ctx, ds.Name, made.Columns) // for the statistics
	}
	if err != nil {
		return nil, err
	}
	for j, i := range cols {
		made.Columns[j].Role, made.Columns[j].Why = ds.Columns[i].Role, ds.Columns[i].Why
	}
	var notes []string
	if s.Compensation != "" {
		notes = s.compensationNotes(ds, spec, cols, "")
	}
	notes = append(notes, s.channelNotes(ds, spec, cols)...)
	words, noted := s.noted(ds, spec, changed)
	notes = append(notes, noted...)
	made.Cells, made.Headed = ds.Cells, ds.Headed
	made.Path, made.Format, made.Metadata, made.Warnings, made.Total = ds.Path, ds.Format, words,
		slices.Concat(ds.Warnings, notes, chosen, left(ds, made, cols)), ds.Total
	if len(spec.Mixes) == 0 && len(s.Transforms) == 0 && !s.Scale { // a matrix is about values as they were measured
		made.Spillover = ds.Spillover
	}
	return made, nil
}

// noted are the keywords of a table whose columns are changed as spec says, and what there is to say: their names do
// not tell of it.
func (s *Space) noted(ds *dataset.Dataset, spec transform.Spec, changed []int) (words map[string]string,
	say []string) {
	if !s.Scale && !slices.ContainsFunc(changed, func(i int) bool { return spec.Columns[i].Op != transform.None }) {
		return ds.Metadata, nil
	}
	if words = maps.Clone(ds.Metadata); words == nil {
		words = map[string]string{}
	}
	words[dataset.ValuesKey] = dataset.ValuesTransformed
	return words, []string{"values are transformed and keep the names of their columns; files with keywords say so " +
		"in " + dataset.ValuesKey + ", and --values map puts it into the names"}
}

// shownChoices is of how many columns it is said what a transform has taken from them.
const shownChoices = 5

// transformed are the columns cols by the settings of spec; changed are those that scaling changes. Compensated ones
// are called so. chosen says what transforms took from the columns.
func (s *Space) transformed(ds *dataset.Dataset, spec transform.Spec, cols, changed []int) (out []dataset.Column,
	chosen []string) {
	mixed := map[int]bool{}
	for _, m := range spec.Mixes {
		for _, i := range m.Changed() {
			mixed[i] = true
		}
	}
	columns, scaling := transform.AllMixed(ds, spec, cols), ds.Among(changed)
	out, more := make([]dataset.Column, len(cols)), 0
	for j, i := range cols {
		c := ds.Columns[i]
		if spec.Compensated(i) {
			c.Name = transform.CompensatedName(c.Name)
		}
		if text := transform.Chosen(columns[i], spec.Columns[i]); text != "" {
			if len(chosen) < shownChoices {
				chosen = append(chosen, c.Name+": "+text)
			} else {
				more++
				chosen = append(chosen[:shownChoices], problem.Count(more, "more column")+": numbers of their own")
			}
		}
		scaled := s.Scale && scaling[i]
		if spec.Columns[i].Op != transform.None || scaled || mixed[i] {
			changeColumn(&c, columns[i], spec.Columns[i])
			c.Log, c.Gain, c.Range = nil, 0, 0 // these describe the raw scale
		}
		out[j] = c
	}
	return out, chosen
}

// scale divides a column by its deviation, if it has one.
func (s *Space) scale(c *dataset.Column) {
	sd := c.Stats.SD
	if s.Robust {
		sd = c.Spread()
	}
	if !(sd > 0) {
		return
	}
	for k, v := range c.Values {
		c.Values[k] = float32(float64(v) / sd)
	}
	if c.Exact != nil {
		for k := range c.Exact {
			c.Exact[k] /= sd
		}
		c.SetExact(c.Exact)
	}
}

// left says of how many finite numbers of ds a table that was made of its columns holds none: by a matrix, a scale or a
// logarithm they have left what numbers there are.
func left(ds, made *dataset.Dataset, cols []int) (warnings []string) {
	for j, i := range cols {
		was, now, n := &ds.Columns[i], &made.Columns[j], 0
		if was.Stats.Count <= now.Stats.Count {
			continue
		}
		for row, v := range now.Values {
			if x := was.Values[row]; v-v != 0 && x-x == 0 {
				n++
			}
		}
		if n > 0 {
			warnings = append(warnings, fmt.Sprintf("column %q: %d finite values have none after the transform: they "+
				"are beyond 3.4e38 or not defined, and count as invalid", now.Name, n))
		}
	}
	return warnings
}

// changeColumn gives c the values of from by the setting t, which float32 may or may not hold.
func changeColumn(c, from *dataset.Column, t transform.Column) {
	c.Values, c.Exact = transform.ColumnValues(from, t, nil), nil
	if from.Exact == nil {
		return
	}
	f, exact := transform.FunctionOf(from, t), make([]float64, len(from.Exact))
	for i, x := range from.Exact {
		exact[i] = f.Forward(x)
	}
	if t.Op == transform.None || dataset.Coarse(c.Values) {
		c.SetExact(exact)
	}
}
