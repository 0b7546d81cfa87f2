// Package transform turns the raw columns of a dataset into the points of the map: per column a
// transform, then optionally scaling to unit deviation, then a weight. Transforms are registered ops, each in a
// file of its own.
package transform

import (
	"fmt"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Use says what a column does.
type Use uint8

const (
	InMap      Use = iota // a dimension of the map, and can be coloured by
	ColourOnly            // can be coloured by
	Off                   // left out everywhere
)

func (u Use) String() string { return [...]string{"in the map", "colour only", "off"}[min(u, Off)] }

// Column is the setting of one column. Columns are compared with ==.
type Column struct {
	Op     ID      // the ID of a registered op
	Params Params  // parameters of the op
	Weight float64 // multiplies the column after scaling, >= 0; 1 by default
	SD     float64 // divisor of scaling; 0: the deviation of the data at hand. Set to freeze a map
	Use    Use
}

// WithTransform returns c with the transform of t, and its own use, weight and deviation.
func (c Column) WithTransform(t Column) Column {
	c.Op, c.Params = t.Op, t.Params
	return c
}

// With returns c with another transform.
func (c Column) With(op ID, p Params) Column {
	c.Op, c.Params = op, p
	return c
}

// sameTransform says whether c and o turn a raw value into the same transformed one.
func (c Column) sameTransform(o Column) bool { return c.Op == o.Op && c.Params == o.Params }

// Spec is the setting of a whole table: one Column per dataset column, in order. A Spec is a value:
// copy it (Clone) to change it.
type Spec struct {
	Columns []Column
	Scale   bool  // divide by the deviation of the transformed column
	Robust  bool  // which is, if Scale, that without outliers (dataset.Deviation)
	Mixes   []Mix // matrix ops, one after the other, before the columns' own transforms
}

// Clone returns a copy that shares nothing with s.
func (s Spec) Clone() Spec {
	s.Columns, s.Mixes = slices.Clone(s.Columns), slices.Clone(s.Mixes)
	return s
}

// Equal says whether both make the same of a table.
func (s Spec) Equal(o Spec) bool {
	return s.Scale == o.Scale && s.Robust == o.Robust && slices.Equal(s.Columns, o.Columns) &&
		slices.EqualFunc(s.Mixes, o.Mixes, Mix.Equal)
}

// MapColumns returns the dataset columns that are dimensions of the map, ascending.
func (s Spec) MapColumns() []int {
	var cols []int
	for i, c := range s.Columns {
		if c.Use == InMap {
			cols = append(cols, i)
		}
	}
	return cols
}

// Widened returns s for ds, which has more columns than the table of s after those: they are off.
func (s Spec) Widened(ds *dataset.Dataset) Spec {
	out := s.Clone()
	if n := len(s.Columns); n < len(ds.Columns) {
		out.Columns = append(out.Columns, Default(ds).Columns[n:]...)
		for i := n; i < len(out.Columns); i++ {
			out.Columns[i].Use = Off
		}
	}
	return out
}

// Validate returns a Problem for the first setting that makes no sense, nil if there is none. A map
// without any column is an error too.
func (s Spec) Validate(ds *dataset.Dataset) error {
	if len(s.Columns) != len(ds.Columns) {
		return problem.New(ds.Path, "set the columns of this file again",
			"the transform is for %d columns and the data has %d", len(s.Columns), len(ds.Columns))
	}
	for i, c := range s.Columns {
		if why := c.wrong(); why != "" {
			return problem.New(ds.Path, "change the transform of this column", "column %s: %s", ds.Columns[i].Title(),
				why)
		}
	}
	for _, m := range s.Mixes {
		if why := m.wrong(ds); why != "" {
			return problem.New(ds.Path, "leave it out", "%s", why)
		}
	}
	if len(s.MapColumns()) == 0 {
		return problem.New(ds.Path, "switch on at least one column", "no column is in the map")
	}
	return nil
}

// wrong says what is wrong with the numbers of c, "" if nothing.
func (c Column) wrong() string {
	o := ByID(c.Op)
	if o == nil {
		return fmt.Sprintf("the transform %s is not known", c.Op)
	}
	if why := o.wrong(c.Params); why != "" {
		return why
	}
	switch {
	case !(c.Weight >= 0 && c.Weight <= 1e9):
		return fmt.Sprintf("the weight must be between 0 and 1e9, it is %g", c.Weight)
	case !(c.SD >= 0) || c.SD-c.SD != 0:
		return fmt.Sprintf("the deviation must be 0 or more, it is %g", c.SD)
	case c.Use > Off:
		return fmt.Sprintf("use %d is not known", c.Use)
	}
	return ""
}
