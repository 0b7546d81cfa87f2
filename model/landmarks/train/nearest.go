package train

import (
	"context"
	"math"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
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

// Nearest calls found for every point of x (n x d) with the landmark of codebook (g x d) that is nearest to it and
// the distance, or with -1 for a point that is not finite or where there is no landmark. It searches in float32 as
// online training does, so two landmarks within its rounding may be taken for each other; ties go to the lower
// index. found is called from several goroutines; progress may be nil, and is too. The error is ctx's.
func Nearest(ctx context.Context, x, codebook matrix.Matrix32, found func(point, landmark int, distance float64),
	progress func(done, total int64)) error {
	const size = 1024
	var l lanes
	l.load(codebook)
	wide := isWide(top(codebook.Data))
	var done atomic.Int64
	return par.Blocks(ctx, x.Rows, size, func(_, from, to int) {
		block := x.Data[from*x.Cols : to*x.Cols]
		wide := wide || isWide(top(block))
		for i := from; i < to; i++ {
			row := x.Row(i)
			if !finite(row) || codebook.Rows == 0 {
				found(i, -1, 0)
				continue
			}
			at := 0
			if wide || x.Cols == 0 {
				at = nearestWide(codebook, row)
			} else {
				at = l.nearest(row)
			}
			found(i, at, math.Sqrt(distance64(codebook.Row(at), row)))
		}
		if now := done.Add(int64(to - from)); progress != nil {
			progress(now, int64(x.Rows))
		}
	})
}
