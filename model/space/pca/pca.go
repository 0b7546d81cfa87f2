// Package pca finds the principal components of the points of a map, exactly: all points take part, and
// everything is summed in float64, in an order that does not depend on the number of cores.
//
// The formulas are those of I. T. Jolliffe, "Principal Component Analysis" (2002), chapters 1 to 3: axes are
// the eigenvectors of the covariance matrix, and the variance of the points along an axis is its eigenvalue.
package pca

import (
	"context"
	"math"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// Kept is how many axes are kept: as many as a map has coordinates at most.
const Kept = 3

// MaxSide bounds the smaller one of the numbers of columns and of points, whose square is the size of the
// matrix that is taken apart: 32 MiB of float64, and its cube the work.
const MaxSide = 2048

// negligible is the share of the largest variance under which a direction is one of rounding, not of data.
const negligible = 1e-12

// Axes are the first principal components of some points of d columns. They are immutable.
type Axes struct {
	Points   int             // points that took part: rows with finite values only
	Mean     []float64       // d: of those points
	Axis     [Kept][]float64 // d each: unit vectors, at right angles; all 0 where the data has fewer directions
	Variance []float64       // variance of the points along all axes, falling, divisor Points-1; at least Kept of them
	Total    float64         // sum of the variances of the columns
}

// Share returns how much of the total variance lies along axis a, from 0 to 1.
func (x *Axes) Share(a int) float64 {
	if a < 0 || a >= len(x.Variance) || x.Total == 0 {
		return 0
	}
	return min(1, x.Variance[a]/x.Total)
}

// Fit returns the axes of x (n x d); rows with a value that is not finite are left out. No valid row, or
// only one, gives axes of no length. progress may be nil and is called from several goroutines.
// The error is ctx's, or a Problem where both the points and the columns are more than MaxSide.
func Fit(ctx context.Context, x matrix.Matrix32, progress func(done, total int64)) (*Axes, error) {
	report := func(share float64) {
		if progress != nil {
			progress(int64(share*1000), 1000)
		}
	}
	a := &Axes{}
	valid, err := a.centre(ctx, x)
	if err != nil {
		return nil, err
	}
	report(0.1)
	d, side := x.Cols, min(x.Cols, a.Points)
	a.Variance = make([]float64, max(side, Kept))
	for i := range a.Axis {
		a.Axis[i] = make([]float64, d)
	}
	if side > MaxSide {
		return nil, problem.New("", "take fewer columns into the map, or open a sample of the points",
			"principal components of %d columns and %d points are too large a task: one of the two may be %d at most",
			d, a.Points, MaxSide)
	}
	if a.Points < 2 || d == 0 {
		return a, nil
	}
	var done atomic.Int64
	rows, scatter, err := a.scatter(ctx, x, valid, func(jobs int) {
		report(0.1 + 0.8*float64(done.Add(1))/float64(jobs))
	})
	if err != nil {
		return nil, err
	}
	for i := range side {
		a.Total += scatter[i*side+i] / float64(a.Points-1)
	}
	values, vectors, err := largest(ctx, scatter, side)
	if err != nil {
		return nil, err
	}
	report(0.95)
	for i, v := range values {
		if v > negligible*values[0] {
			a.Variance[i] = v / float64(a.Points-1)
		}
	}
	for i, v := range vectors {
		if a.Variance[i] == 0 {
			continue
		}
		if rows != nil {
			a.turn(x, rows, v, a.Axis[i])
		} else {
			copy(a.Axis[i], v)
		}
		Orient(a.Axis[i])
	}
	report(1)
	return a, nil
}

// scatter returns the products of all pairs of columns, or, where there are fewer points, of all pairs of points, which
// are rows then and nil else.
func (a *Axes) scatter(ctx context.Context, x matrix.Matrix32, valid []bool,
	part func(jobs int)) (rows []int, scatter []float64, err error) {
	if a.Points >= x.Cols {
		scatter, err = products(ctx, x.Cols, x.Rows, a.columns(x, valid), part)
		return nil, scatter, err
	}
	for i := range x.Rows {
		if valid[i] {
			rows = append(rows, i)
		}
	}
	scatter, err = products(ctx, a.Points, x.Cols, a.rows(x, rows), part)
	return rows, scatter, err
}

// turn makes the axis that belongs to an eigenvector v of the products of points with each other: the sum
// of the points, each times its entry, brought to length 1.
func (a *Axes) turn(x matrix.Matrix32, rows []int, v, axis []float64) {
	length := 0.0
	for k, r := range rows {
		for j, y := range x.Row(r) {
			axis[j] += v[k] * (float64(y) - a.Mean[j])
		}
	}
	for _, y := range axis {
		length += y * y
	}
	if length = math.Sqrt(length); length > 0 {
		for j := range axis {
			axis[j] /= length
		}
	}
}

// Orient turns v so that its largest entry is positive, the first of them where several are as large: the
// same data gives the same picture.
func Orient(v []float64) {
	best := 0
	for i, x := range v {
		if math.Abs(x) > math.Abs(v[best])*(1+1e-9) {
			best = i
		}
	}
	if len(v) > 0 && v[best] < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
}

// centre finds which rows are valid, their number and their mean. Sums are taken from the first valid row,
// so that a constant column has its very value as mean, and no variance.
func (a *Axes) centre(ctx context.Context, x matrix.Matrix32) (valid []bool, err error) {
	const block = 4096
	a.Mean = make([]float64, x.Cols)
	valid = make([]bool, x.Rows)
	if err := par.Blocks(ctx, x.Rows, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			var zero float32 // stays 0 while everything is finite
			for _, v := range x.Row(i) {
				zero += v - v
			}
			valid[i] = zero == 0
		}
	}); err != nil {
		return nil, err
	}
	first := -1
	for i, ok := range valid {
		if ok {
			a.Points++
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return valid, nil
	}
	origin := x.Row(first)
	sums := make([][]float64, par.Count(x.Rows, block))
	err = par.Blocks(ctx, x.Rows, block, func(b, from, to int) {
		sum := make([]float64, x.Cols)
		for i := from; i < to; i++ {
			if valid[i] {
				for j, v := range x.Row(i) {
					sum[j] += float64(v) - float64(origin[j])
				}
			}
		}
		sums[b] = sum
	})
	if err != nil {
		return nil, err
	}
	for _, sum := range sums {
		for j, s := range sum {
			a.Mean[j] += s
		}
	}
	for j := range a.Mean {
		a.Mean[j] = float64(origin[j]) + a.Mean[j]/float64(a.Points)
	}
	return valid, nil
}
