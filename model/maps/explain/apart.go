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

// Difference is how a column sets the rows of a set A apart from those of a set B.
type Difference struct {
	Column  int
	A, B    float64 // the medians of the finite values; NaN where there are none
	Above   float64 // the probability that a random value of A exceeds one of B, equal ones counted half
	Shifted float64 // A less B in units of the spread within the sets; NaN where one is
}

// Apart returns the columns by how far they set two sets apart: by Above, the effect size that Mann and Whitney's test
// is of (the area under the ROC curve), from 0 or 1 to 1/2; equally far ones by Shifted, then by their order. Infinite
// values count in Above alone. A column in which one of the sets has no value is left out.
//
// Shifted is the difference of the medians over the root of the mean of the squared spreads of both sets. A spread is
// the range of the middle half over 1.349, which for normal values is their standard deviation, or, where that is 0,
// the standard deviation itself. Where both are 0, medians that differ are infinitely far apart.
//
// Of a set of more than 2^14 rows, as many are drawn.
func Apart(ctx context.Context, columns []Column, a, b *selection.Set) ([]Difference, error) {
	for _, s := range []*selection.Set{a, b} {
		if s.Empty() {
			return nil, problem.New("", "choose two that have points", "a set of no points cannot be compared")
		}
	}
	return apart(ctx, columns, draw(a, finely), draw(b, finely))
}

func apart(ctx context.Context, columns []Column, as, bs []int) ([]Difference, error) {
	found := make([]*Difference, len(columns))
	err := par.Blocks(ctx, len(columns), 1, func(c, _, _ int) {
		x, y := present(read(columns[c], as)), present(read(columns[c], bs))
		if len(x) == 0 || len(y) == 0 {
			return
		}
		fx, fy := finite(x), finite(y)
		d := Difference{Column: c, A: dataset.Quantile(fx, 0.5), B: dataset.Quantile(fy, 0.5), Above: above(x, y)}
		if d.Shifted = d.A - d.B; d.Shifted != 0 {
			d.Shifted /= math.Hypot(spread(fx), spread(fy)) / math.Sqrt2
		}
		found[c] = &d
	})
	if err != nil {
		return nil, err
	}
	var out []Difference
	for _, d := range found {
		if d != nil {
			out = append(out, *d)
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Above-0.5), math.Abs(a.Above-0.5)),
			cmp.Compare(math.Abs(b.Shifted), math.Abs(a.Shifted)))
	})
	return out, nil
}

// above is the share of the pairs of ascending values in which that of a is greater, equal ones counted half.
func above(a, b []float64) float64 {
	twice, below, notAbove := 0, 0, 0 // the values of b that are less than one of a, and that are at most equal
	for _, x := range a {
		for below < len(b) && b[below] < x {
			below++
		}
		for notAbove < len(b) && b[notAbove] <= x {
			notAbove++
		}
		twice += below + notAbove
	}
	return float64(twice) / (2 * float64(len(a)) * float64(len(b)))
}

// finite leaves out the infinite ones of ascending values.
func finite(sorted []float64) []float64 {
	for len(sorted) > 0 && math.IsInf(sorted[0], -1) {
		sorted = sorted[1:]
	}
	for len(sorted) > 0 && math.IsInf(sorted[len(sorted)-1], 1) {
		sorted = sorted[:len(sorted)-1]
	}
	return sorted
}

// spread is a scale of ascending finite values, see Apart; NaN where there are none.
func spread(sorted []float64) float64 {
	if wide := dataset.Quantile(sorted, 0.75) - dataset.Quantile(sorted, 0.25); wide != 0 {
		return wide / 1.349
	}
	var mean, squares float64
	for i, x := range sorted {
		step := x - mean
		mean += step / float64(i+1)
		squares += step * (x - mean)
	}
	return math.Sqrt(squares / float64(len(sorted)))
}
