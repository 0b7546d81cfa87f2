package embedsom

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Each calls work for every point in [from, to) from several goroutines (threads; 0: all cores), in
// blocks, and checks ctx between blocks. Its Worker belongs to the calling goroutine alone.
func (r *Reference) Each(ctx context.Context, from, to, threads int, work func(w *Worker, i int)) error {
	const block = 64
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	threads = max(1, min(threads, (to-from+block-1)/block))
	var next atomic.Int64
	next.Store(int64(from))
	var wait sync.WaitGroup
	for range threads {
		wait.Go(func() {
			w := r.Worker()
			for ctx.Err() == nil {
				a := int(next.Add(block)) - block
				if a >= to {
					return
				}
				for i := a; i < min(a+block, to); i++ {
					work(w, i)
				}
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// Embed projects n x d points to an n x m matrix, row by row, in float64 arithmetic on all cores.
// Invalid points give NaN.
func Embed(ctx context.Context, points, codebook, pos matrix.Matrix32, p Params) (matrix.Matrix32, error) {
	r, err := NewReference(codebook, pos, p)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	if points.Cols != r.d {
		return matrix.Matrix32{}, problem.New("", "use landmarks made from these columns",
			"points have %d columns and landmarks %d", points.Cols, r.d)
	}
	out := matrix.New(points.Rows, r.m)
	err = r.Each(ctx, 0, points.Rows, 0, func(w *Worker, i int) {
		var y [3]float64
		w.Point(points.Row(i), y[:r.m])
		for q := range out.Cols {
			out.Data[i*out.Cols+q] = float32(y[q])
		}
	})
	return out, err
}
