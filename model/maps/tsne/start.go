package tsne

import (
	"context"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/maps/places"
	"blossom/model/space/pca"
)

// How far from the middle a map starts, in its units, and the noise on that.
const (
	startDeviation = 1e-4
	startJitter    = 1e-6
)

// components are the points of x on their first principal components, the first of which gets the deviation of a start,
// with noise.
func components(ctx context.Context, x matrix.Matrix32, dims int, seed uint64) ([]float64, error) {
	y := make([]float64, x.Rows*dims)
	if x.Rows < 2 {
		return y, ctx.Err()
	}
	axes, err := pca.Fit(ctx, places.Sample(x), nil)
	if err != nil {
		return nil, err
	}
	f := 0.0
	if axes.Variance[0] > 0 {
		f = startDeviation / math.Sqrt(axes.Variance[0])
	}
	rows(x.Rows, func(from, to int) {
		for i := from; i < to; i++ {
			for c := range dims {
				at := 0.0
				for j, v := range x.Row(i) {
					at += (float64(v) - axes.Mean[j]) * axes.Axis[c][j]
				}
				y[i*dims+c] = f * at
			}
		}
	})
	Jitter(y, seed, 0, startJitter)
	return y, nil
}

// PCAStart puts the points of x (n x d, finite) on their first principal components, small, with noise of this seed.
// The error is a problem.Problem, or ctx's.
func PCAStart(ctx context.Context, x matrix.Matrix32, dims int, seed uint64) ([]float32, error) {
	y, err := components(ctx, x, dims, seed)
	return narrow(y), err
}

// RandomStart puts n points at random about the origin, small.
func RandomStart(n, dims int, seed uint64) []float32 {
	y := make([]float64, n*dims)
	Jitter(y, seed, 1<<32, startDeviation)
	return narrow(y)
}

// SmallStart makes a start of another map (n x dims, finite) of these points: about the origin, its widest axis with
// the deviation of a start, with noise.
func SmallStart(places []float32, dims int, seed uint64) []float32 {
	y := make([]float64, len(places))
	n := len(y) / dims
	if n < 2 {
		return narrow(y)
	}
	widest := 0.0
	for c := range dims {
		axis := make([]float64, n)
		for i := range axis {
			axis[i] = float64(places[i*dims+c])
		}
		mean := Total(axis) / float64(n)
		for i := range axis {
			y[i*dims+c] = axis[i] - mean
			axis[i] = y[i*dims+c] * y[i*dims+c]
		}
		widest = max(widest, Total(axis)/float64(n))
	}
	f := 0.0
	if widest > 0 {
		f = startDeviation / math.Sqrt(widest)
	}
	for c := range y {
		y[c] *= f
	}
	Jitter(y, seed, 0, startJitter)
	return narrow(y)
}

func narrow(y []float64) []float32 {
	out := make([]float32, len(y))
	for c, v := range y {
		out[c] = float32(v)
	}
	return out
}
