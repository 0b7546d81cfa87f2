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

// Digits of ln 2 for decline: of the first ones products with whole numbers below 2^21 are exact.
const (
	ln2First = 0x1.62e42feep-1
	ln2Rest  = 0x1.a39ef35793c76p-33
)

// decline returns exp(-q) for 0 <= q < Reach, but for 2^-51 of it. It is made of products and sums that are rounded
// each, in this order, and so has the same bits on every processor and card (kernels/train.cuh has it, too), which
// math.Exp has not: with q = k ln 2 - r and |r| <= ln 2 / 2 it is 2^-k times the first terms of the series of exp(r),
// those with even and odd powers apart. What is left out is below 2^-57.
func decline(q float64) float64 {
	k := math.Floor(float64(q*math.Log2E) + 0.5)
	r := float64(float64(k*ln2First)-q) + float64(k*ln2Rest)
	square := float64(r * r)
	even, odd := 1.0/479001600, 1.0/6227020800
	for i := range evenTerms {
		even = float64(even*square) + evenTerms[i]
		odd = float64(odd*square) + oddTerms[i]
	}
	return (even + float64(odd*r)) * math.Float64frombits(uint64(1023-int(k))<<52)
}

// The terms of exp of even and odd powers, from the tenth and the eleventh down to the first two.
var (
	evenTerms = [...]float64{1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2, 1}
	oddTerms  = [...]float64{1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1}
)

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
	along, edge := b.neighbourhood(b.values)
	a := around{b.pos, inverse(b.rule.sigma(b)), edge, b.sums.total, b.sums.counts}
	return par.Blocks(ctx, b.code.Rows, 8, func(_, from, to int) {
		sum := make([]float64, b.code.Cols)
		var w walk
		var steps []uint16
		for i := from; i < to; i++ {
			if b.pin(i) {
				b.place(next, i, nil, 0)
				continue
			}
			if along != nil {
				steps = along.steps(i, &w)
			}
			weight := a.landmark(i, steps, sum)
			b.place(next, i, sum, weight)
		}
	})
}

// Smooth is Summer.Smooth as the trainer does it itself.
func Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64, out,
	weights []float64) error {
	d := len(sums) / max(1, pos.Rows)
	a := around{pos, inverse(sigma), 0, sums, counts}
	return par.Blocks(ctx, pos.Rows, 8, func(_, from, to int) {
		for i := from; i < to; i++ {
			weights[i] = a.landmark(i, nil, out[i*d:i*d+d])
		}
	})
}

// inverse is what squared distances on the map are multiplied by.
func inverse(sigma float64) float64 { return 1 / float64(sigma*sigma) }

// around are the sums that landmarks take part in, and how far they are from each other.
type around struct {
	pos           matrix.Matrix32
	inverse, edge float64   // edge: the length of a step
	sums          []float64 // g x d
	counts        []int64   // g
}

// landmark writes the sums around landmark i, and returns how many points they are of. steps, if not nil, are those to
// the other landmarks.
func (a *around) landmark(i int, steps []uint16, sum []float64) (weight float64) {
	clear(sum)
	d, p := len(sum), a.pos.Row(i)
	for o, count := range a.counts {
		if count == 0 {
			continue
		}
		var q float64
		switch {
		case steps == nil:
			q = distance64(p, a.pos.Row(o)) * a.inverse
		case steps[o] == far:
			continue
		default:
			length := float64(steps[o]) * a.edge
			q = length * length * a.inverse
		}
		if !(q < Reach) {
			continue
		}
		h := decline(q)
		weight += float64(h * float64(count))
		for j, s := range a.sums[o*d : o*d+d] {
			sum[j] += float64(h * s)
		}
	}
	return weight
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
