package train

import (
	"context"
	"math"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// Winner returns the row of codebook that is nearest to x, ties to the lower one, and -1 for an x that has NaN or Inf.
//
// All batch trainings on all engines have this one, so that they come to the same codebook: distances are sums of
// squares in float64, column by column, in which every difference, square and sum is rounded, and nothing is fused.
// Their squares fit float64 for all float32. A quick search in float32 may be used where it is certain: see Doubt.
func Winner(codebook matrix.Matrix32, x []float32) int {
	if !finite(x) {
		return -1
	}
	return nearest64(codebook, x)
}

// nearest64 is Winner of a finite x.
func nearest64(code matrix.Matrix32, x []float32) int {
	best, at := math.Inf(1), 0
	for i := range code.Rows {
		if d := distance64(code.Row(i), x); d < best {
			best, at = d, i
		}
	}
	return at
}

// distance64 is the squared distance in float64. The conversion keeps processors that could from fusing.
func distance64(a, b []float32) float64 {
	b = b[:len(a)]
	s := 0.0
	for i, x := range a {
		e := float64(x) - float64(b[i])
		s += float64(e * e)
	}
	return s
}

// distances64 sets d2 to distance64 of four pairs of rows of as many columns. Each addition waits for the one before,
// so a processor does those of four in little more than the time of one.
func distances64(a, b *[4][]float32, d2 *[4]float64) {
	a0 := a[0]
	a1, a2, a3 := a[1][:len(a0)], a[2][:len(a0)], a[3][:len(a0)]
	b0, b1, b2, b3 := b[0][:len(a0)], b[1][:len(a0)], b[2][:len(a0)], b[3][:len(a0)]
	var s0, s1, s2, s3 float64
	for j, x := range a0 {
		e0, e1 := float64(x)-float64(b0[j]), float64(a1[j])-float64(b1[j])
		e2, e3 := float64(a2[j])-float64(b2[j]), float64(a3[j])-float64(b3[j])
		s0 += float64(e0 * e0)
		s1 += float64(e1 * e1)
		s2 += float64(e2 * e2)
		s3 += float64(e3 * e3)
	}
	*d2 = [4]float64{s0, s1, s2, s3}
}

// Doubt returns up to which squared distance in float32 a landmark may be the Winner where the least one is best, for d
// columns; of a landmark beyond it is known that it is not. The distances are sums of squares of differences.
//
// Let u = 2^-24. A difference, its square and d-1 sums, fused or not, in any order, give a q with D (1-u)^(d+2) <= q <=
// D (1+u)^(d+2) of the exact D (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1), as
// all terms are positive, but for at most 2^-126 a term where squares vanish. Winner has the same with 2^-53. So a row
// that Winner takes for no farther than the one at best has q <= best ((1+u)/(1-u))^(d+2) (1+2^-50)^(d+2) + d 2^-125,
// which is at most best (1 + 2 (d+3) u (1+1/16)) + d 2^-125 for d below 2^19. The rest of the 8 below is for computing
// this in float32, as cards do.
func Doubt(best float32, d int) float32 {
	if d >= 1<<19 {
		return float32(math.Inf(1))
	}
	share := float32(d+8) * (1.0625 * 0x1p-23)
	return best + float32(best*share) + float32(float32(d)*0x1p-124)
}

// pullWide moves row the share h in [0, 1] of the way to x. A difference of two float32 need not be one.
func pullWide(row, x []float32, h float32) {
	x = x[:len(row)]
	for i, c := range row {
		row[i] = float32(float64(c) + float64(float64(h)*(float64(x[i])-float64(c))))
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
				at = nearest64(codebook, row)
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
