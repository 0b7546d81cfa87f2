package train

import (
	"math"

	"blossom/model/matrix"
)

// nearest returns the row of code nearest to x, ties to the lower index. Both have at least one row
// and finite values. wide computes in float64.
func nearest(code matrix.Matrix32, x []float32, wide bool) int {
	if wide {
		best, at := math.Inf(1), 0
		for i := range code.Rows {
			if d := distance64(code.Row(i), x); d < best {
				best, at = d, i
			}
		}
		return at
	}
	d := code.Cols
	if d <= 4 {
		return nearestFew(code, x)
	}
	data := code.Data
	best, at := float32(math.Inf(1)), 0
	for i := 0; len(data) >= d; i++ {
		if s := distance32(data[:d], x, best); s < best {
			best, at = s, i
		}
		data = data[d:]
	}
	return at
}

// nearestFew is nearest for up to four dimensions.
func nearestFew(code matrix.Matrix32, x []float32) int {
	d := code.Cols
	best, at := float32(math.Inf(1)), 0
	data := code.Data
	for i := 0; len(data) >= d; i++ {
		s := float32(0)
		for j, v := range data[:d] {
			e := v - x[j]
			s += e * e
		}
		if s < best {
			best, at = s, i
		}
		data = data[d:]
	}
	return at
}

// distance32 returns the squared distance of a and b, or any number that is at least limit as soon
// as it is known to be: partial sums only grow.
func distance32(a, b []float32, limit float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	for len(a) >= 8 {
		u, v := a[:8:8], b[:8:8]
		e0, e1, e2, e3 := u[0]-v[0], u[1]-v[1], u[2]-v[2], u[3]-v[3]
		s0 += e0 * e0
		s1 += e1 * e1
		s2 += e2 * e2
		s3 += e3 * e3
		e0, e1, e2, e3 = u[4]-v[4], u[5]-v[5], u[6]-v[6], u[7]-v[7]
		s0 += e0 * e0
		s1 += e1 * e1
		s2 += e2 * e2
		s3 += e3 * e3
		if s := (s0 + s1) + (s2 + s3); s >= limit {
			return s
		}
		a, b = a[8:], b[8:]
	}
	b = b[:len(a)]
	for i, x := range a {
		e := x - b[i]
		s0 += e * e
	}
	return (s0 + s1) + (s2 + s3)
}

// distance64 is the squared distance in float64, which squares of all float32 fit in.
func distance64(a, b []float32) float64 {
	b = b[:len(a)]
	s := 0.0
	for i, x := range a {
		e := float64(x) - float64(b[i])
		s += e * e
	}
	return s
}

// pull moves row the share h in [0, 1] of the way to x.
func pull(row, x []float32, h float32, wide bool) {
	x = x[:len(row)]
	if wide { // a difference of two float32 need not be one
		for i, c := range row {
			row[i] = float32(float64(c) + float64(h)*(float64(x[i])-float64(c)))
		}
		return
	}
	for len(row) >= 4 {
		r, v := row[:4:4], x[:4:4]
		r[0] += h * (v[0] - r[0])
		r[1] += h * (v[1] - r[1])
		r[2] += h * (v[2] - r[2])
		r[3] += h * (v[3] - r[3])
		row, x = row[4:], x[4:]
	}
	x = x[:len(row)]
	for i := range row {
		row[i] += h * (x[i] - row[i])
	}
}
