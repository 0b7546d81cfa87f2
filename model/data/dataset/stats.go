package dataset

import "math"

// Stats describes the finite values of a column. All accumulation is in float64, by Welford's update
// in blocks, so that a mean of 1e5 with a deviation of 1e2 over 1e6 rows comes out right. With no
// finite value every number but Invalid is 0.
type Stats struct {
	Count   int // finite values
	Invalid int // NaN and Inf
	Min     float64
	Max     float64
	Mean    float64
	SD      float64 // sample deviation (n-1); 0 for fewer than two values
}

// Summarise returns the statistics of values.
func Summarise[T float32 | float64](values []T) Stats {
	m := sum(values)
	return m.stats()
}

func sum[T float32 | float64](values []T) (total moments) {
	for len(values) > 0 {
		n := min(len(values), statsBlock)
		total.merge(blockMoments(values[:n]))
		values = values[n:]
	}
	return total
}

// Digits is how many significant digits tell values of the column apart as well as so many do for a column whose
// values are of the size of their deviation; 17 at most, which is all of float64.
func (s Stats) Digits(least int) int {
	far := math.Abs(s.Mean)
	if !(s.SD > 0) || !(far > s.SD) {
		return least
	}
	return min(17, least+max(0, int(math.Log10(far/s.SD))-1))
}

// statsBlock values are summed in two passes while they lie in the cache; the result of a column is
// the merge of its blocks in order, so that it does not depend on the number of threads.
const statsBlock = 4096

// moments are the running sums of finite values: m2 is the sum of squared differences to the mean.
type moments struct {
	count, invalid int
	min, max       float64
	mean, m2       float64
}

// blockMoments returns the moments of a block of values, in two passes.
func blockMoments[T float32 | float64](values []T) moments {
	sum, lo, hi, finite := laneSum(values)
	if !finite || len(values) == 0 {
		return finiteMoments(values)
	}
	m := moments{count: len(values), min: float64(lo), max: float64(hi)}
	m.mean = sum / float64(m.count)
	m.m2 = laneSquares(values, m.mean)
	return m
}

// laneSum sums in four lanes, which the processor works on side by side; the lanes are added in a fixed order. lo and
// hi are the extremes. None of the three means anything unless all values are finite.
func laneSum[T float32 | float64](values []T) (sum float64, lo, hi T, finite bool) {
	var s0, s1, s2, s3 float64
	var zero T // stays 0 while everything is finite: x-x is NaN for NaN and Inf
	lo, hi = T(math.MaxFloat32), T(-math.MaxFloat32)
	v := values
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d := v[0], v[1], v[2], v[3]
		zero += (a - a) + (b - b) + (c - c) + (d - d)
		s0 += float64(a)
		s1 += float64(b)
		s2 += float64(c)
		s3 += float64(d)
		if a < lo {
			lo = a
		}
		if a > hi {
			hi = a
		}
		if b < lo {
			lo = b
		}
		if b > hi {
			hi = b
		}
		if c < lo {
			lo = c
		}
		if c > hi {
			hi = c
		}
		if d < lo {
			lo = d
		}
		if d > hi {
			hi = d
		}
	}
	for _, a := range v {
		zero += a - a
		s0 += float64(a)
		lo, hi = min(lo, a), max(hi, a)
	}
	return s0 + s1 + s2 + s3, lo, hi, zero == 0
}

// laneSquares sums the squared differences from mean, in lanes as laneSum.
func laneSquares[T float32 | float64](v []T, mean float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d := float64(v[0])-mean, float64(v[1])-mean, float64(v[2])-mean, float64(v[3])-mean
		s0 += a * a
		s1 += b * b
		s2 += c * c
		s3 += d * d
	}
	for _, x := range v {
		a := float64(x) - mean
		s0 += a * a
	}
	return s0 + s1 + s2 + s3
}

// finiteMoments leaves out what is not finite.
func finiteMoments[T float32 | float64](values []T) moments {
	m := moments{min: math.MaxFloat32, max: -math.MaxFloat32}
	var sum float64
	for _, v := range values {
		if v-v != 0 { // NaN or Inf
			m.invalid++
			continue
		}
		m.min, m.max = min(m.min, float64(v)), max(m.max, float64(v))
		sum += float64(v)
	}
	m.count = len(values) - m.invalid
	if m.count == 0 {
		return moments{invalid: m.invalid}
	}
	m.mean = sum / float64(m.count)
	for _, v := range values {
		if v-v == 0 {
			d := float64(v) - m.mean
			m.m2 += d * d
		}
	}
	return m
}

// merge adds b: T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and a pairwise algorithm
// for computing sample variances" (1979), equations 2.1.
func (m *moments) merge(b moments) {
	if b.count == 0 {
		m.invalid += b.invalid
		return
	}
	if m.count == 0 {
		b.invalid += m.invalid
		*m = b
		return
	}
	n := float64(m.count + b.count)
	d := b.mean - m.mean
	m.mean += d * float64(b.count) / n
	m.m2 += b.m2 + d*d*float64(m.count)*float64(b.count)/n
	m.count += b.count
	m.invalid += b.invalid
	m.min, m.max = min(m.min, b.min), max(m.max, b.max)
}

// LabelStats are the statistics of labels 0, 1, ... of which there are so many each, among so many rows.
func LabelStats(counts []int, rows int) Stats {
	var m moments
	for label, n := range counts {
		x := float64(label)
		m.merge(moments{count: n, min: x, max: x, mean: x})
	}
	m.invalid = rows - m.count
	return m.stats()
}

func (m *moments) stats() Stats {
	s := Stats{Count: m.count, Invalid: m.invalid}
	if m.count == 0 {
		return s
	}
	s.Min, s.Max = m.min, m.max
	s.Mean = min(s.Max, max(s.Min, m.mean)) // rounding must not carry the mean out of the range
	if m.count > 1 && m.min != m.max {
		s.SD = math.Sqrt(m.m2 / float64(m.count-1))
	}
	return s
}
