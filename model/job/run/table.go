package run

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
	if err := s.compensate(ctx, ds, &spec); err != nil {
		return nil, err
	}
	if m := transform.Filling(ds, changed, s.Fill); len(m.Cols) > 0 {
		spec.Mixes = append([]transform.Mix{m}, spec.Mixes...)
	}
	if err := s.applyTransforms(ds, changed, spec); err != nil {
		return nil, err
	}
	made, err := dataset.FromColumns(ctx, ds.Name, s.transformed(ds, spec, cols, changed))
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
	made.Path, made.Format, made.Metadata, made.Warnings, made.Total = ds.Path, ds.Format, ds.Metadata,
		slices.Concat(ds.Warnings, taken(ds, spec, cols), left(ds, made, cols)), ds.Total
	if len(spec.Mixes) == 0 && len(s.Transforms) == 0 && !s.Scale { // a matrix is about values as they were measured
		made.Spillover = ds.Spillover
	}
	return made, nil
}

// transformed are the columns cols by the settings of spec; changed are those that scaling changes.
func (s *Space) transformed(ds *dataset.Dataset, spec transform.Spec, cols, changed []int) []dataset.Column {
	mixed := map[int]bool{}
	for _, m := range spec.Mixes {
		for _, i := range m.Changed() {
			mixed[i] = true
		}
	}
	columns, scaling := transform.AllMixed(ds, spec, cols), ds.Among(changed)
	out := make([]dataset.Column, len(cols))
	for j, i := range cols {
		c := ds.Columns[i]
		scaled := s.Scale && scaling[i]
		if spec.Columns[i].Op != transform.None || scaled || mixed[i] {
			changeColumn(&c, columns[i], spec.Columns[i])
			c.Log, c.Gain, c.Range = nil, 0, 0 // these describe the raw scale
		}
		out[j] = c
	}
	return out
}

// mostTaken is how many columns are told of at most.
const mostTaken = 8

// taken says which numbers transforms have taken from the columns: "PE-A: logicle top 262144, width 0.63868".
func taken(ds *dataset.Dataset, spec transform.Spec, cols []int) (notes []string) {
	for _, i := range cols {
		c := spec.Columns[i]
		op := transform.ByID(c.Op)
		if op == nil || !op.Needs(c.Params) {
			continue
		}
		if len(notes) == mostTaken {
			return append(notes, "and other columns, each by its own values")
		}
		now := transform.Function(ds, spec, i).Params
		var numbers []string
		for k, p := range op.Params {
			if p.Auto {
				numbers = append(numbers, fmt.Sprintf("%s %s", strings.ToLower(p.Title), strconv.FormatFloat(math.Round(now[k]*1e5)/1e5, 'f', -1, 64)))
			}
		}
		notes = append(notes, fmt.Sprintf("%s: %s with %s", ds.Columns[i].Name, c.Op, strings.Join(numbers, ", ")))
	}
	return notes
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
