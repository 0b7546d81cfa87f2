// Package frequency compares how many points of populations samples have: shares by groups of samples, with their
// quartiles, and tests of whether groups differ.
package frequency

import (
	"math"
	"slices"

	"blossom/model/clusters/population"
)

// Share is the share of a population in a sample, 0 to 1.
type Share struct {
	Sample int // its place among the samples
	Of     float64
}

// Box is the shares of a population in the samples of one group.
type Box struct {
	Shares []Share // ascending
	// Quartiles are the first, the median and the third: of n values in order that at the place (n-1) q, from 0, on the
	// line between the two beside it (R. J. Hyndman and Y. Fan, 1996, definition 7, as R and NumPy have it). Low and
	// High are the outermost values within 1.5 times the distance of the quartiles from them (J. W. Tukey, 1977).
	// All are NaN without a share.
	First, Median, Third, Low, High float64
}

// Comparison is how a population differs between groups.
type Comparison struct {
	Place int   // the population's in its tree
	Boxes []Box // by group
	// P is of the test of Mann and Whitney for two groups that have samples, of Kruskal and Wallis for more; NaN where
	// a group has fewer than Least, or there is one group alone. Adjusted is for all populations that are compared.
	P, Adjusted float64
	// Difference is the median of the second group less that of the first, of two; else NaN.
	Difference float64
}

// Quantile is the quantile q, 0 to 1, of ascending values, as Box has it; NaN without values.
func Quantile(ascending []float64, q float64) float64 {
	n := len(ascending)
	if n == 0 {
		return math.NaN()
	}
	at := q * float64(n-1)
	k := min(int(at), n-1)
	if k+1 >= n {
		return ascending[k]
	}
	return ascending[k] + (at-float64(k))*(ascending[k+1]-ascending[k])
}

// boxOf summarises shares.
func boxOf(shares []Share) Box {
	slices.SortStableFunc(shares, func(a, b Share) int {
		if a.Of != b.Of {
			if a.Of < b.Of {
				return -1
			}
			return 1
		}
		return a.Sample - b.Sample
	})
	v := values(shares)
	b := Box{Shares: shares, First: Quantile(v, 0.25), Median: Quantile(v, 0.5), Third: Quantile(v, 0.75),
		Low: math.NaN(), High: math.NaN()}
	reach := 1.5 * (b.Third - b.First)
	for _, x := range v {
		if x >= b.First-reach && b.Low != b.Low {
			b.Low = x
		}
		if x <= b.Third+reach {
			b.High = x
		}
	}
	return b
}

func values(shares []Share) []float64 {
	out := make([]float64, len(shares))
	for i, s := range shares {
		out[i] = s.Of
	}
	return out
}

// Compare compares populations of a tree, those at the places, as counted in samples, of which in says the group, below
// groups, or -1 for none. Shares are of the points of a sample, or of those of the population above; a sample that has
// none of these, or in which a population cannot be told, has no share.
func Compare(t population.Tree, c *population.Counts, places []int, in []int, groups int, parent bool) []Comparison {
	out, ps := make([]Comparison, len(places)), make([]float64, len(places))
	for i, place := range places {
		shares := make([][]Share, groups)
		for s, g := range in {
			if of := c.Of(t, place, s, parent); g >= 0 && of > 0 && c.Known(place, s) {
				shares[g] = append(shares[g], Share{s, float64(c.Points[place][s]) / float64(of)})
			}
		}
		x := &out[i]
		x.Place = place
		for _, s := range shares {
			x.Boxes = append(x.Boxes, boxOf(s))
		}
		x.test()
		ps[i] = x.P
	}
	for i, p := range Adjusted(ps) {
		out[i].Adjusted = p
	}
	return out
}

// test tests the groups that have samples.
func (x *Comparison) test() {
	x.P, x.Difference = math.NaN(), math.NaN()
	var there []Box
	few := false
	for _, b := range x.Boxes {
		if n := len(b.Shares); n > 0 {
			there = append(there, b)
			few = few || n < Least
		}
	}
	if len(there) == 2 {
		x.Difference = there[1].Median - there[0].Median
	}
	switch {
	case few || len(there) < 2:
	case len(there) == 2:
		_, x.P = MannWhitney(values(there[0].Shares), values(there[1].Shares))
	default:
		var all [][]float64
		for _, b := range there {
			all = append(all, values(b.Shares))
		}
		_, x.P = KruskalWallis(all)
	}
}
