package train

import (
	"math"

	"blossom/model/matrix"
)

// The arithmetic of points and landmarks whose squares leave the range of float32.

// nearestWide returns the row of code nearest to x, ties to the lower index.
func nearestWide(code matrix.Matrix32, x []float32) int {
	best, at := math.Inf(1), 0
	for i := range code.Rows {
		if d := distance64(code.Row(i), x); d < best {
			best, at = d, i
		}
	}
	return at
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

// pullWide moves row the share h in [0, 1] of the way to x. A difference of two float32 need not be one.
func pullWide(row, x []float32, h float32) {
	x = x[:len(row)]
	for i, c := range row {
		row[i] = float32(float64(c) + float64(h)*(float64(x[i])-float64(c)))
	}
}
