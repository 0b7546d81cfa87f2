package pca

import (
	"context"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// Project writes the coordinates of the points [from, to) of x along the first dims axes (1 to Kept), as seen
// from the mean, to out: dims for each point of x, row-major, as an embedding holds them. Points with a value
// that is not finite get NaN. It runs on all cores; the error is a Problem where sizes do not fit.
func (a *Axes) Project(x matrix.Matrix32, dims int, out []float32, from, to int) error {
	switch {
	case x.Cols != len(a.Mean):
		return problem.New("", "find the principal components again", "points have %d columns and their axes %d",
			x.Cols, len(a.Mean))
	case dims < 1 || dims > Kept:
		return problem.New("", "use 2 or 3", "a map cannot have %d dimensions", dims)
	case from < 0 || to > x.Rows || len(out) < to*dims:
		return problem.New("", "use a buffer of one position for each point",
			"points %d to %d of %d do not fit into %d numbers", from, to, x.Rows, len(out))
	}
	var mean [Kept]float64
	for c := range mean {
		mean[c] = dot(a.Axis[c], a.Mean)
	}
	const block = 4096
	return par.Blocks(context.Background(), to-from, block, func(_, lo, hi int) {
		for i := from + lo; i < from+hi; i++ {
			a.point(x.Row(i), &mean, out[i*dims:(i+1)*dims])
		}
	})
}

// point writes the coordinates of one point. A value that is not finite makes each sum NaN or infinite,
// even along an axis that has no part of it; finite ones never leave the range of float64.
func (a *Axes) point(x []float32, mean *[Kept]float64, to []float32) {
	var y [Kept]float64
	n := len(x)
	u, v, w := a.Axis[0][:n], a.Axis[1][:n], a.Axis[2][:n]
	if len(to) == 2 {
		for j, f := range x {
			g := float64(f)
			y[0] += u[j] * g
			y[1] += v[j] * g
		}
	} else {
		for j, f := range x {
			g := float64(f)
			y[0] += u[j] * g
			y[1] += v[j] * g
			y[2] += w[j] * g
		}
	}
	for c := range to {
		if y[c]-y[c] != 0 {
			for c := range to {
				to[c] = float32(math.NaN())
			}
			return
		}
		to[c] = float32(min(math.MaxFloat32, max(-math.MaxFloat32, y[c]-mean[c])))
	}
}

// dot sums in the order that point does, so that a point at the mean is at 0.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
