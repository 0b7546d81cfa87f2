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

// Coarse says whether values that were rounded to float32 lost what may matter: those of the column as a whole, see
// Far, or those of a part of it, see crowded.
func Coarse(values []float32) bool { return Far(values) || crowded(values) }

// Far says whether rounding to float32 could have moved a value by more than 1e-6 of the spread of the
// column, for values that were rounded so. The spread s is what the quartiles make of the deviation, or the
// deviation itself where they are equal, and m the median.
//
// float32 has 24 bits, so a rounding of v moves it by no more than |v|/2^24 <= |m|/2^24 + |v-m|/2^24. Where
// |m|/2^24 <= s/10^6 each value is hence within s/10^6 + |v-m|/2^24: far outliers are off by no more than
// 6e-8 of their distance. Below 2^-126 float32 has fewer bits and moves values by up to 2^-150. The rounded
// values stand for the exact ones in m and s: where rounding changes s by much, it is of the order of |m|/2^24
// itself, and the answer is yes.
func Far(values []float32) bool {
	counted := Column{Values: values, Stats: Stats{Count: finite(values)}} // all that a sample asks for
	return far(&counted, func() float64 { return Summarise(values).SD })
}

// finite counts the finite values.
func finite(values []float32) (n int) {
	for _, v := range values {
		if v-v == 0 {
			n++
		}
	}
	return n
}

// FarAway says whether a column is kept as float64 as it is Far.
func (c *Column) FarAway() bool {
	return c.sample != nil && c.sample.far || c.Exact != nil && Far(c.Values)
}

// far is Far of a column of which the sample is known, or how many values are finite. deviation is only asked for where
// the quartiles are equal.
func far(c *Column, deviation func() float64) bool {
	low, median, high := c.Quartiles()
	spread := (high - low) / 1.349
	if spread == 0 {
		spread = deviation()
	}
	return max(math.Abs(median)/(1<<24), 0x1p-150) > tolerance*spread
}

// crowded looks at a sample of values, at the share of it that lies around each, and at how much of that rounding may
// be.
const (
	crowdSample = 4096
	crowdShare  = 0.05
	crowdRound  = 1e-3
	crowdMost   = 0.01
)

// crowded says whether in a hundredth of a column float32 rounds by more than 1e-3 of how far the values there lie
// apart. A group of close values far from zero is lost so, however wide the column is beside it: among N(0, 1) and
// 1e8 + N(0, 1) the spread is 1e8, and the second group has only multiples of 8. How far values lie apart is the width
// of the twentieth of them around each. Where these are all the same it is not known: they may be one number, as in a
// column of few values, or many that were run together. The latter is likely where rounding is a hundredth of how far
// values lie apart elsewhere, or from 2^23 on, where float32 has whole numbers only.
func crowded(values []float32) bool {
	rows := crowdRows(len(values))
	sample := make([]float32, len(rows))
	for i, row := range rows {
		sample[i] = values[row]
	}
	return crowdedSample(sample)
}

// crowdRows are the rows that crowded looks at, of n.
func crowdRows(n int) []int64 {
	step := max(1, n/crowdSample)
	rows := make([]int64, 0, min(n, 2*crowdSample))
	for i := 0; i < n; i += step {
		rows = append(rows, int64(i))
	}
	return rows
}

// crowdedSample is crowded of the values of crowdRows, which it sorts.
func crowdedSample(sample []float32) bool {
	sample = slices.DeleteFunc(sample, func(v float32) bool { return v-v != 0 })
	slices.Sort(sample)
	around := max(1, int(crowdShare*float64(len(sample))/2))
	apart, some := make([]float64, len(sample)), []float64{}
	for i := range sample {
		apart[i] = float64(sample[min(i+around, len(sample)-1)]) - float64(sample[max(i-around, 0)])
		if apart[i] > 0 {
			some = append(some, apart[i])
		}
	}
	slices.Sort(some)
	elsewhere := math.Inf(1)
	if len(some) > 0 {
		elsewhere = some[len(some)/20]
	}
	few := 0
	for i, v := range sample {
		switch round := math.Abs(float64(v)) / (1 << 24); {
		case apart[i] > 0 && round > crowdRound*apart[i],
			apart[i] == 0 && (round > elsewhere/100 || round >= 0.5):
			few++
		}
	}
	return float64(few) > crowdMost*float64(len(sample))
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
