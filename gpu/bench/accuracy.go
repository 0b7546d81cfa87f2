package bench

import (
	"context"
	"math"

	"blossom/gpu"
	"blossom/model/embedsom"
	"blossom/model/matrix"
	"blossom/model/problem"
)

// Points compared with float64: pieces of consecutive ones, spread over all.
const (
	pieces      = 16
	pieceLength = 256
)

// sampled returns the ranges of points that are compared with float64.
func sampled(n int) (list []gpu.Range) {
	for i := range pieces {
		from := int(int64(i) * int64(n) / pieces)
		to := min(from+pieceLength, int(int64(i+1)*int64(n)/pieces))
		if from < to {
			list = append(list, gpu.Range{From: from, To: to})
		}
	}
	return list
}

// reference projects the sample in float64.
func (s *sets) reference(ctx context.Context) (matrix.Matrix32, error) {
	x := s.get(0)
	ref, err := embedsom.NewReference(s.base.Codebook, s.base.Pos, s.params)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	out := matrix.New(pieces*pieceLength, 2)
	at := 0
	for _, r := range sampled(s.sh.N) {
		err := ref.Each(ctx, r.From, r.To, 0, func(w *embedsom.Worker, i int) {
			var y [2]float64
			w.Point(x.Row(i), y[:])
			row := out.Row(at + i - r.From)
			row[0], row[1] = float32(y[0]), float32(y[1])
		})
		if err != nil {
			return out, err
		}
		at += r.Len()
	}
	out.Rows, out.Data = at, out.Data[:2*at]
	return out, nil
}

// judge compares a run's positions with those in float64.
func (r *run) judge(ctx context.Context, s *sets, want matrix.Matrix32) {
	if r.failed != nil || len(r.res) == 0 {
		return
	}
	l := fresh(s.base)
	ranges := []gpu.Range{all(r.n)} // a card's kernels may take another way for few points
	if r.host {
		ranges = sampled(s.sh.N)
	}
	for _, part := range ranges {
		if part.To > r.n {
			break
		}
		if err := r.res[0].Neighbours(ctx, l, s.params, part); err != nil {
			r.fail(err)
			return
		}
		if err := r.res[0].Project(ctx, l, s.params, r.dst[0], part); err != nil {
			r.fail(err)
			return
		}
	}
	if err := r.wait(); err != nil {
		r.fail(err)
		return
	}
	var worst, squares float64
	count, at := 0, 0
	for _, part := range sampled(s.sh.N) {
		if part.To > r.n {
			break
		}
		for i := part.From; i < part.To; i++ {
			var e float64
			for q, w := range want.Row(at) {
				e = math.Max(e, math.Abs(float64(r.dst[0].Data[2*i+q])-float64(w))) // NaN stays NaN
			}
			worst = math.Max(worst, e)
			squares += e * e
			count++
			at++
		}
	}
	if count == 0 {
		return
	}
	extent := float64(math.Ceil(math.Sqrt(float64(s.sh.G)))) // positions are on a grid of unit spacing
	r.maxErr, r.rmsErr = worst/extent, math.Sqrt(squares/float64(count))/extent
	if math.IsNaN(worst) {
		r.maxErr, r.rmsErr = 0, 0
		r.fail(problem.New("", "report it", "%s gives positions that are no numbers", r.title()))
	}
}
