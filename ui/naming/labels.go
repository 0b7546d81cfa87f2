package naming

import (
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
)

// group is the rows of a label.
type group struct {
	name string
	rows *selection.Set
}

// labelsOf is how many labels of a column rows have.
func labelsOf(c *dataset.Column) (n int) {
	seen := make([]bool, len(c.Categories))
	for _, v := range c.Values {
		if v == v && int(v) < len(seen) && !seen[int(v)] {
			seen[int(v)] = true
			n++
		}
	}
	return n
}

// rowsOf are the rows of each label of a column that has any, the largest first.
func rowsOf(c *dataset.Column, rows int) (out []group) {
	words := make([][]uint64, len(c.Categories))
	for row, v := range c.Values {
		if v != v || int(v) >= len(words) {
			continue
		}
		w := &words[int(v)]
		if *w == nil {
			*w = make([]uint64, (rows+63)/64)
		}
		(*w)[row/64] |= 1 << (row % 64)
	}
	for i, w := range words {
		if w != nil {
			out = append(out, group{c.Categories[i], selection.FromBits(rows, w)})
		}
	}
	slices.SortStableFunc(out, func(a, b group) int { return b.rows.Count() - a.rows.Count() })
	return out
}
