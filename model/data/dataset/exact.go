package dataset

import (
	"math"
	"slices"
)

// Most columns come as float32, or lose nothing that matters when they become it. A column far from zero whose
// values lie close to each other, and whole numbers beyond 16,777,216, are kept as float64 beside that: what
// computes with a column or writes it asks At or Gather; what only draws may take Values.

// At returns the value of point i as exactly as it is known.
func (c *Column) At(i int) float64 {
	if c.Exact != nil {
		return c.Exact[i]
	}
	return float64(c.Values[i])
}

// Gather fills dst with the values of the points order[0], order[1] and so on; nil: from, from+1, ...
func (c *Column) Gather(dst []float64, from int, order []int32) {
	switch {
	case order == nil && c.Exact != nil:
		copy(dst, c.Exact[from:])
	case order == nil:
		for i, v := range c.Values[from : from+len(dst)] {
			dst[i] = float64(v)
		}
	case c.Exact != nil:
		for i, r := range order[:len(dst)] {
			dst[i] = c.Exact[r]
		}
	default:
		for i, r := range order[:len(dst)] {
			dst[i] = float64(c.Values[r])
		}
	}
}

// Bytes is the memory of the values of a column.
func (c *Column) Bytes() int64 { return 4*int64(len(c.Values)) + 8*int64(len(c.Exact)) }

// SetExact gives a column its values. They are kept as float64 only where float32 does not hold them all. What
// float32 cannot reach is infinite in both.
func (c *Column) SetExact(values []float64) {
	c.Values, c.Exact = make([]float32, len(values)), nil
	same := true
	for i, x := range values {
		v := float32(x)
		if v-v != 0 {
			values[i] = float64(v)
		}
		same = same && (float64(v) == x || x != x || v-v != 0)
		c.Values[i] = v
	}
	if !same {
		c.Exact = values
	}
}

// tolerance is how much of their spread a rounding of values may be.
const tolerance = 1e-6

// Coarse says whether rounding to float32 could have moved a value by more than 1e-6 of the spread of the
// column, for values that were rounded so. The spread s is what the quartiles make of the deviation, or the
// deviation itself where they are equal, and m the median.
//
// float32 has 24 bits, so a rounding of v moves it by no more than |v|/2^24 <= |m|/2^24 + |v-m|/2^24. Where
// |m|/2^24 <= s/10^6 each value is hence within s/10^6 + |v-m|/2^24: far outliers are off by no more than
// 6e-8 of their distance. Below 2^-126 float32 has fewer bits and moves values by up to 2^-150. The rounded
// values stand for the exact ones in m and s: where rounding changes s by much, it is of the order of |m|/2^24
// itself, and the answer is yes.
func Coarse(values []float32) bool {
	c := Column{Values: values, Stats: Summarise(values)}
	low, median, high := c.Quartiles()
	spread := (high - low) / 1.349
	if spread == 0 {
		spread = c.Stats.SD
	}
	return max(math.Abs(median)/(1<<24), 0x1p-150) > tolerance*spread
}

// exactOf returns some rows of the exact values, nil for a column that has none.
func (c *Column) exactOf(rows []int32) []float64 {
	if c.Exact == nil {
		return nil
	}
	out := make([]float64, len(rows))
	c.Gather(out, 0, rows)
	return out
}

// stackExact puts the values of columns one under the other, exactly where one of them is; else nil.
func stackExact(parts []*Column, tables []*Dataset, points int) []float64 {
	if !slices.ContainsFunc(parts, func(c *Column) bool { return c != nil && c.Exact != nil }) {
		return nil
	}
	out := make([]float64, points)
	at := 0
	for f, p := range parts {
		part := out[at : at+tables[f].Points]
		at += len(part)
		if p != nil {
			p.Gather(part, 0, nil)
			continue
		}
		for i := range part {
			part[i] = math.NaN()
		}
	}
	return out
}
