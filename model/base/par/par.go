// Package par runs a loop over blocks on all cores. The blocks do not depend on the number of
// cores, so whatever is computed per block and merged in block order gives the same bits anywhere.
package par

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Blocks calls fn for [0, n) cut into blocks of size rows: fn(b, from, to) with from = b*size. Calls
// run at the same time on up to GOMAXPROCS goroutines, in no fixed order. Once ctx is cancelled no
// further block starts, and its error is returned when the running ones are done.
func Blocks(ctx context.Context, n, size int, fn func(block, from, to int)) error {
	return On(ctx, Cores(), n, size, fn)
}

// On is Blocks on so many goroutines at most, for work that must leave cores to others; below 1 it is one.
func On(ctx context.Context, threads, n, size int, fn func(block, from, to int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if n <= 0 {
		return nil
	}
	blocks := (n + size - 1) / size
	workers := min(threads, blocks)
	if workers <= 1 {
		for b := range blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			fn(b, b*size, min(n, (b+1)*size))
		}
		return nil
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				b := int(next.Add(1)) - 1
				if b >= blocks {
					return
				}
				fn(b, b*size, min(n, (b+1)*size))
			}
		})
	}
	wg.Wait()
	if int(next.Load()) >= blocks+workers {
		return nil // every block was done, whatever became of ctx since
	}
	return ctx.Err()
}

// Count returns the number of blocks that Blocks makes of n rows.
func Count(n, size int) int { return (n + size - 1) / size }

// Cores is how many goroutines Blocks runs on.
func Cores() int { return runtime.GOMAXPROCS(0) }
