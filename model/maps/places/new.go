package places

import (
	"context"
	"sync"
	"sync/atomic"

	"blossom/model/base/par"
)

// New returns places (n x dims) of n new points, each written by a function of its number, on so many threads; 0: all.
// placer makes such a function with memory of its own, for one goroutine. The error is ctx's.
func New(ctx context.Context, n, dims, threads int, placer func() func(i int, out []float32),
	progress func(done, total int64)) ([]float32, error) {
	if threads <= 0 {
		threads = par.Cores()
	}
	out := make([]float32, n*dims)
	var done atomic.Int64
	placers := sync.Pool{New: func() any { return placer() }}
	err := par.On(ctx, threads, n, 16, func(_, from, to int) {
		place := placers.Get().(func(int, []float32))
		defer placers.Put(place)
		for i := from; i < to && ctx.Err() == nil; i++ {
			place(i, out[i*dims:(i+1)*dims])
		}
		if progress != nil {
			progress(done.Add(int64(to-from)), int64(n))
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return out, err
}
