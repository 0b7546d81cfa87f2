package transform

import (
	"fmt"
	"slices"

	"blossom/model/data/dataset"
)

// A first column that parts the points less than bland, about as normal values do, makes room for another that parts
// them better by clearly; both are shares of a column's variance.
const (
	bland   = 0.68
	clearly = 0.1
)

// Telling returns the column among cols, as ds has them, that a map is first coloured by, and why: the first, unless
// that parts them into no groups, as a channel in which nothing was stained, and another does: then the one that parts
// them best. It looks at some thousand values of each of the first hundred, and is -1 without any.
func Telling(ds *dataset.Dataset, s Spec, cols []int) (col int, why string) {
	if len(cols) == 0 {
		return -1, ""
	}
	first, best := parted(ds, s, cols[0]), 0.0
	at := cols[0]
	for _, c := range cols[:min(len(cols), 100)] {
		if p := parted(ds, s, c); p > best {
			best, at = p, c
		}
	}
	if first >= bland || best < first+clearly {
		return cols[0], ""
	}
	return at, fmt.Sprintf("it parts the points best, as two groups make up %.0f %% of its variance, and %.0f %% of "+
		"that of %s", 100*best, 100*first, ds.Columns[cols[0]].Short())
}

// parted is how well a column falls into two groups: the largest share of the variance of its transformed values that
// lies between two groups of at least a twentieth of the points (Otsu 1979). It is 2/3 of normal values, 3/4 of evenly
// spread ones, and 1 of two values. The ends, a hundredth each, are left aside.
func parted(ds *dataset.Dataset, s Spec, col int) float64 {
	f := FunctionOf(&ds.Columns[col], s.Columns[col])
	var v []float64
	for _, x := range Sample(ds, s, col, nil) {
		if x = f.Forward(x); x-x == 0 {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	v = v[len(v)/100 : len(v)-len(v)/100]
	n, mean, total := float64(len(v)), 0.0, 0.0
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		total += (x - mean) * (x - mean)
	}
	if total == 0 || len(v) < 20 {
		return 0
	}
	best, below := 0.0, 0.0
	for i, x := range v[:len(v)-1] {
		below += x - mean
		if k := float64(i + 1); k >= n/20 && k <= n-n/20 && v[i+1] > x {
			best = max(best, below*below*n/(k*(n-k)))
		}
	}
	return best / total
}
