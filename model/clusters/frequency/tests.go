package frequency

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Least is how many samples each group needs, at the least, for a test.
const Least = 3

// exactMost is how many values of two groups together are tested exactly.
const exactMost = 40

// ranks are the places of values among all, from 1; those that are alike share the mean of theirs. They come twice as
// large, so that they are whole. ties is the sum of t³-t over all sets of t values that are alike.
func ranks(values []float64) (doubled []int, ties float64) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	doubled = make([]int, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			doubled[i] = from + 1 + to
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	return doubled, ties
}

// MannWhitney is the test of H. B. Mann and D. R. Whitney (1947) of two groups: U is how many pairs of a value of a and
// one of b there are of which that of a is larger, pairs of equal ones counting half. p is the probability, were the
// groups drawn alike, of a U at least as far from its mean, two-sided: of up to 40 values exactly, over all ways to
// deal the values that there are, ties included, to the groups; of more by the normal distribution, with the correction
// for ties and for continuity. Without values on a side p is NaN.
func MannWhitney(a, b []float64) (u, p float64) {
	na, nb := len(a), len(b)
	if na == 0 || nb == 0 {
		return 0, math.NaN()
	}
	doubled, ties := ranks(append(slices.Clone(a), b...))
	sum := 0 // the ranks of a together, doubled
	for _, r := range doubled[:na] {
		sum += r
	}
	u = float64(sum)/2 - float64(na*(na+1))/2
	n := na + nb
	off := math.Abs(float64(sum) - float64(na*(n+1))) // from the mean of the sum, doubled
	if n <= exactMost {
		return u, dealt(doubled, na, off)
	}
	nf := float64(n)
	sd := math.Sqrt(float64(na*nb) / 12 * (nf + 1 - ties/(nf*(nf-1))))
	if sd == 0 {
		return u, 1
	}
	return u, min(1, math.Erfc(max(0, off/2-0.5)/sd/math.Sqrt2))
}

// dealt is the share of the ways to choose so many of some doubled ranks whose sum is at least as far from its mean.
func dealt(doubled []int, choose int, off float64) float64 {
	top := 0
	for _, r := range doubled {
		top += r
	}
	ways := make([][]float64, choose+1) // ways to choose k ranks of a sum
	for k := range ways {
		ways[k] = make([]float64, top+1)
	}
	ways[0][0] = 1
	for i, r := range doubled {
		for k := min(choose, i+1); k > 0; k-- {
			for s := top; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	all, far, mean := 0.0, 0.0, float64(choose*(len(doubled)+1))
	for s, n := range ways[choose] {
		if all += n; math.Abs(float64(s)-mean) >= off {
			far += n
		}
	}
	return far / all
}

// KruskalWallis is the test of W. H. Kruskal and W. A. Wallis (1952) of several groups, with the correction for ties. p
// is from the chi-squared distribution with one degree of freedom less than there are groups, which is close from about
// five values in each. Groups without values do not count; of fewer than two p is NaN.
func KruskalWallis(groups [][]float64) (h, p float64) {
	var values []float64
	k := 0
	for _, g := range groups {
		if values = append(values, g...); len(g) > 0 {
			k++
		}
	}
	if k < 2 {
		return 0, math.NaN()
	}
	doubled, ties := ranks(values)
	n, at := float64(len(values)), 0
	for _, g := range groups {
		sum := 0.0
		for range g {
			sum += float64(doubled[at]) / 2
			at++
		}
		if len(g) > 0 {
			h += sum * sum / float64(len(g))
		}
	}
	h = 12/(n*(n+1))*h - 3*(n+1)
	if left := 1 - ties/(n*n*n-n); left > 0 {
		h /= left
	} else {
		return 0, 1 // all values are one
	}
	h = max(0, h)
	return h, mathext.GammaIncRegComp(float64(k-1)/2, h/2)
}

// Adjusted are p-values as they are when so many are looked at: by the procedure of Y. Benjamini and Y. Hochberg
// (1995), which bounds the share of false ones among those below a limit. NaN stays, and does not count.
func Adjusted(p []float64) []float64 {
	out, order := slices.Clone(p), []int{}
	for i, x := range p {
		if x == x {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) }) // the largest first
	least := 1.0
	for i, at := range order {
		least = min(least, p[at]*float64(len(order))/float64(len(order)-i))
		out[at] = least
	}
	return out
}
