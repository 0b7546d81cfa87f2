package population

import (
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// Columns are the columns that the rules of a tree look at, each once, in their order.
func (t Tree) Columns() (names []string) {
	for _, p := range t.list {
		for _, name := range p.Rule.Needs().Columns {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// RenameColumn returns the tree with another name of a column in all rules that look at it.
func (t Tree) RenameColumn(from, to string) Tree {
	for _, p := range t.list {
		if now := p.Rule.Renamed(from, to); now != p.Rule {
			t = t.Redefine(p.ID, now)
		}
	}
	return t
}

// Needs is what its rules need together, but for columns; each map once.
func (t Tree) Needs() (n Needs) {
	for _, p := range t.list {
		x := p.Rule.Needs()
		n.Landmarks, n.Rows = n.Landmarks || x.Landmarks, n.Rows || x.Rows
		for _, m := range x.Maps {
			if !slices.ContainsFunc(n.Maps, func(o Map) bool { return o.Key() == m.Key() }) {
				n.Maps = append(n.Maps, m)
			}
		}
	}
	return n
}

// Table returns the inputs of so many rows with columns by the names that rules have for them.
func Table(rows int, columns map[string]*dataset.Column) Inputs {
	return Inputs{Rows: rows,
		Column: func(name string) func(row int) float64 {
			if c := columns[name]; c != nil && c.Categories == nil {
				return c.At
			}
			return nil
		},
		Shown: func(name string, t transform.Column) []float32 {
			if c := columns[name]; c != nil && c.Categories == nil {
				return transform.ColumnValues(c, t, nil)
			}
			return nil
		},
		Category: func(name string) func(row int) string {
			c := columns[name]
			if c == nil || c.Categories == nil {
				return nil
			}
			return func(row int) string {
				if v := c.Values[row]; v == v && int(v) < len(c.Categories) {
					return c.Categories[int(v)]
				}
				return ""
			}
		}}
}

// Groups are the populations that landmarks carry, by their numbers.
func Groups(numbers []int32) []ID {
	out := make([]ID, len(numbers))
	for i, n := range numbers {
		out[i] = ID(n)
	}
	return out
}

// Nearest brings the landmarks of points of a map into the order of rows. A row that is no point of the map has none.
func Nearest(rows int, near, order []int32) []int32 {
	out := make([]int32, rows)
	for i := range out {
		out[i] = -1
	}
	for point, landmark := range near {
		row := point
		if order != nil {
			row = int(order[point])
		}
		out[row] = landmark
	}
	return out
}
