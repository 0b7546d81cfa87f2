package train

import (
	"context"
	"errors"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// liveSOM is what falls in a batch SOM.
func liveSOM(b *batch) map[string]float64 { return map[string]float64{"sigma": b.rule.sigma(b)} }

// Reach is the exponent at which the neighbourhood of a batch ends: exp(-20) = 2e-9. A landmark without
// a point nearer than that stays where it is.
const Reach = 20

// finishSOM is the batch update of Kohonen's map: c_i = sum_b h S_b / sum_b h N_b with
// h = exp(-|p_b - p_i|^2 / sigma^2), S_b the sum and N_b the number of the points nearest to b. Devices know distances
// on the map; along edges it is done here.
func finishSOM(ctx context.Context, b *batch) error {
	next := matrix.New(b.code.Rows, b.code.Cols)
	err := errors.ErrUnsupported
	if along, _ := b.neighbourhood(b.values); b.summer != nil && along == nil {
		err = smoothOnDevice(ctx, b, next)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = smooth(ctx, b, next)
	}
	if err == nil {
		b.code = next
	}
	return err
}

// smooth writes the new landmarks to next.
func smooth(ctx context.Context, b *batch, next matrix.Matrix32) error {
	sigma := b.rule.sigma(b)
	inverse := 1 / (sigma * sigma)
	d := b.code.Cols
	along, edge := b.neighbourhood(b.values)
	return par.Blocks(ctx, b.code.Rows, 8, func(_, from, to int) {
		sum := make([]float64, d)
		var w walk
		var steps []uint16
		for i := from; i < to; i++ {
			if b.pin(i) {
				b.place(next, i, nil, 0)
				continue
			}
			clear(sum)
			weight := 0.0
			p := b.pos.Row(i)
			if along != nil {
				steps = along.steps(i, &w)
			}
			for o, count := range b.sums.counts {
				if count == 0 {
					continue
				}
				var q float64
				switch {
				case along == nil:
					q = distance64(p, b.pos.Row(o)) * inverse
				case steps[o] == far:
					continue
				default:
					q = float64(steps[o]) * edge * float64(steps[o]) * edge * inverse
				}
				if !(q < Reach) {
					continue
				}
				h := math.Exp(-q)
				weight += h * float64(count)
				for j, s := range b.sums.total[o*d : o*d+d] {
					sum[j] += h * s
				}
			}
			b.place(next, i, sum, weight)
		}
	})
}

// smoothOnDevice is smooth by Input.Summer.
func smoothOnDevice(ctx context.Context, b *batch, next matrix.Matrix32) error {
	g, d := b.code.Rows, b.code.Cols
	out, weights := make([]float64, g*d), make([]float64, g)
	if err := b.summer.Smooth(ctx, b.pos, b.rule.sigma(b), b.sums.total, b.sums.counts, out, weights); err != nil {
		return err
	}
	for i, weight := range weights {
		b.place(next, i, out[i*d:i*d+d], weight)
	}
	return nil
}

// place writes landmark i: the mean of these sums, or where it is if it is pinned or has no weight.
func (b *batch) place(next matrix.Matrix32, i int, sum []float64, weight float64) {
	row := next.Row(i)
	if !(weight > 0) || b.pin(i) {
		copy(row, b.code.Row(i))
		return
	}
	for j, s := range sum {
		row[j] = toFloat32(s / weight)
	}
}
