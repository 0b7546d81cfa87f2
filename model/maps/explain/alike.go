package explain

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
)

// Likeness is how far a set is from another.
type Likeness struct {
	Set      int     // its place in the list that was given
	Distance float64 // NaN where no column has values of both that can be compared
}

// Alike returns sets by how much they are like one, the most alike first: by the root of the mean, over the columns, of
// the squared difference of their medians in units of the column's spread over all rows (see Apart). Only finite values
// count; a column that is constant, or in which one of the two has no value, is left out of that distance. Equally
// distant sets go by their order, those at no distance are last.
//
// Of more than 2^14 rows, as many are drawn.
func Alike(ctx context.Context, columns []Column, one *selection.Set, others []*selection.Set) ([]Likeness, error) {
	if one.Empty() {
		return nil, problem.New("", "choose one that has points", "nothing is like a set of no points")
	}
	rows := [][]int{draw(selection.All(one.Len()), finely), draw(one, finely)}
	for _, s := range others {
		rows = append(rows, draw(s, finely))
	}
	off := make([][]float64, len(columns)) // the differences from each of the others, in spreads
	err := par.Blocks(ctx, len(columns), 1, func(c, _, _ int) {
		read := func(i int) []float64 { return finite(present(read(columns[c], rows[i]))) }
		unit, middle := spread(read(0)), dataset.Quantile(read(1), 0.5)
		off[c] = make([]float64, len(others))
		for i := range others {
			off[c][i] = (dataset.Quantile(read(2+i), 0.5) - middle) / unit
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]Likeness, len(others))
	for i := range others {
		var squares, n float64
		for c := range columns {
			if x := off[c][i]; !math.IsNaN(x) && !math.IsInf(x, 0) {
				squares, n = squares+x*x, n+1
			}
		}
		out[i] = Likeness{i, math.Sqrt(squares / n)}
	}
	slices.SortStableFunc(out, func(a, b Likeness) int {
		if a.Distance != a.Distance || b.Distance != b.Distance {
			return cmp.Compare(b.Distance, a.Distance) // NaN is less than all
		}
		return cmp.Compare(a.Distance, b.Distance)
	})
	return out, nil
}
