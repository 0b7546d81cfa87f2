package dataset

import (
	"context"
	"slices"
)

// Provenance says where the values of a column come from.
type Provenance uint8

const (
	File    Provenance = iota // read from a file, or generated with the table
	Derived                   // computed from the table, the landmarks or an embedding: see Column.From
)

func (p Provenance) String() string { return [...]string{"file", "derived"}[min(p, Derived)] }

// fromFiles is what Concat's column was made from.
const fromFiles = "the files that were opened together"

// Derive makes a derived column out of c, which has a name and values, and categories if it is a label:
// statistics are computed on all cores as those of a table's columns are, unless c has some, it is a Label,
// a Marker, or a Measure if c is one, and gets a new revision. from says what it was made from, in words. The error is
// ctx's.
func Derive(ctx context.Context, c Column, from string) (Column, error) {
	was := c.Role
	c.Provenance, c.From, c.Role, c.Why = Derived, from, Marker, ""
	switch {
	case c.Categories != nil:
		c.Role = Label
	case was == Measure:
		c.SetRole(Measure)
	}
	one := []Column{c}
	if c.Stats != (Stats{}) {
		if err := ctx.Err(); err != nil {
			return Column{}, err
		}
	} else if err := summariseAll(ctx, one); err != nil {
		return Column{}, err
	}
	renew(one)
	return one[0], nil
}

// Origin returns the label column that tells which file each point is from, or nil where the table is
// of one file.
func (ds *Dataset) Origin() *Column {
	if at := ds.OriginAt(); at >= 0 {
		return &ds.Columns[at]
	}
	return nil
}

// IndexAt is the column that names the rows, -1 where there is none: texts rather than numbers, else the first.
func (ds *Dataset) IndexAt() int {
	names := func(c Column) bool { return c.Role == Index && c.Provenance == File }
	if at := slices.IndexFunc(ds.Columns, func(c Column) bool { return names(c) && c.Categories != nil }); at >= 0 {
		return at
	}
	return slices.IndexFunc(ds.Columns, names)
}

// OriginAt is the number of Origin, -1 where there is none.
func (ds *Dataset) OriginAt() int {
	return slices.IndexFunc(ds.Columns, func(c Column) bool { return c.Provenance == Derived && c.From == fromFiles })
}
