package contest

import (
	"context"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// Points compared with float64: pieces of consecutive ones, spread over all.
const (
	pieces      = 32
	pieceLength = 64
)

// sampled returns the ranges of points that are compared with float64.
func sampled(n int) (list []engine.Range) {
	for i := range pieces {
		from := int(int64(i) * int64(n) / pieces)
		to := min(from+pieceLength, int(int64(i+1)*int64(n)/pieces))
		if from < to {
			list = append(list, engine.Range{From: from, To: to})
		}
	}
	return list
}

// reference projects the sample in float64, on all cores.
func (s *sets) reference(ctx context.Context) (matrix.Matrix32, error) {
	x := s.get(0)
	ref, err := embedsom.NewReference(s.base.Codebook, s.base.Pos, s.params)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	var points []int
	for _, r := range sampled(s.sh.N) {
		for i := r.From; i < r.To; i++ {
			points = append(points, i)
		}
	}
	out := matrix.New(len(points), 2)
	err = ref.Each(ctx, 0, len(points), 0, func(w *embedsom.Worker, i int) {
		var y [2]float64
		w.Point(x.Row(points[i]), y[:])
		row := out.Row(i)
		row[0], row[1] = float32(y[0]), float32(y[1])
	})
	return out, err
}

// keepSample keeps the positions of the sample: those of the first run, where that was of all points.
func (r *run) keepSample(ctx context.Context, s *sets) {
	if r.failed != nil {
		return
	}
	for _, part := range sampled(s.sh.N) {
		if part.To > r.n {
			break
		}
		if r.host {
			if err := r.res[0].Neighbours(ctx, s.base, s.params, part); err != nil {
				r.fail(err)
				return
			}
			if err := r.res[0].Project(ctx, s.base, s.params, s.target, part); err != nil {
				r.fail(err)
				return
			}
			if err := r.wait(); err != nil {
				r.fail(err)
				return
			}
		}
		r.sample = append(r.sample, s.target.Data[2*part.From:2*part.To]...)
	}
}

// judge compares a run's positions with those in float64.
func (r *run) judge(s *sets, want matrix.Matrix32) {
	if r.failed != nil || len(r.sample) == 0 {
		return
	}
	var worst, squares float64
	for i := range len(r.sample) / 2 {
		var e float64
		for q, w := range want.Row(i) {
			e = math.Max(e, math.Abs(float64(r.sample[2*i+q])-float64(w))) // NaN stays NaN
		}
		worst = math.Max(worst, e)
		squares += e * e
	}
	extent := float64(math.Ceil(math.Sqrt(float64(s.sh.G)))) // positions are on a grid of unit spacing
	r.maxErr, r.rmsErr = worst/extent, math.Sqrt(squares/float64(len(r.sample)/2))/extent
	if math.IsNaN(worst) {
		r.maxErr, r.rmsErr = 0, 0
		r.fail(problem.New("", "report it", "%s gives positions that are no numbers", r.title()))
	}
}
