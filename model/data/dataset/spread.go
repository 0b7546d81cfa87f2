package dataset

import (
	"math"
	"slices"
)

// outermost is the share of values at each end that Deviation draws in, and drawnIn what that leaves of the
// deviation of normal values: sqrt(0.99 - 2 z p(z) + 0.01 z²) with the normal density p at z = 2.5758, the quantile
// of 0.995.
const (
	outermost = 0.005
	drawnIn   = 0.99088
)

// Spread returns the deviation of the column without regard to outliers, see Deviation, from the sample of Rank; 0
// for a constant column, or one without values.
func (c *Column) Spread() float64 {
	v := c.sortedSample()
	if d := deviation(v); d > 0 {
		return d
	}
	return c.Stats.SD // a few values lie far from all others
}

// Sample returns finite values of the column, ascending: all, or some thousand of more. They are not to be changed.
func (c *Column) Sample() []float64 { return c.sortedSample() }

// Deviation returns the deviation of values without regard to outliers: that of the values drawn in to their
// quantiles of 0.5 % and 99.5 %, such that normal values keep theirs. Where nothing is left (a few values beside many
// equal ones) it is their plain deviation. Values are sorted.
func Deviation(values []float64) float64 {
	slices.Sort(values)
	if d := deviation(values); d > 0 {
		return d
	}
	return plain(values)
}

// deviation draws sorted values in.
func deviation(sorted []float64) float64 {
	n := len(sorted)
	k := int(outermost * float64(n))
	if k == 0 {
		return plain(sorted)
	}
	in := slices.Clone(sorted)
	for i := range k {
		in[i], in[n-1-i] = sorted[k], sorted[n-1-k]
	}
	return plain(in) / drawnIn
}

// plain returns the sample deviation.
func plain(v []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	var sum, squares float64
	for _, x := range v {
		sum += x - v[0]
	}
	mean := v[0] + sum/float64(len(v))
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(v)-1))
}
