package cpu

import (
	"context"
	"sync"
	"sync/atomic"
)

// task does the points (or rows) of [from, to) with the memory of one worker.
type task interface{ doRange(worker, from, to int) }

// pool runs one task at a time in blocks on a fixed set of goroutines. run allocates nothing.
type pool struct {
	threads int
	mu      sync.Mutex
	wake    chan struct{}
	wait    sync.WaitGroup
	next    atomic.Int64
	ids     atomic.Int32 // workers that take part get numbers 1, 2, ...; the caller is 0

	// the current task
	ctx             context.Context
	from, to, block int
	task            task
}

func newPool(threads int) *pool {
	p := &pool{threads: threads}
	if threads > 1 {
		wake := make(chan struct{})
		p.wake = wake
		for range threads - 1 {
			go func() {
				for range wake { // not p.wake: close may be sooner than this
					p.work(int(p.ids.Add(1)))
					p.wait.Done()
				}
			}()
		}
	}
	return p
}

// close ends the goroutines; a later run does everything itself.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wake != nil {
		close(p.wake)
		p.wake = nil
	}
}

func (p *pool) work(id int) {
	for p.ctx.Err() == nil {
		b := int(p.next.Add(1)) - 1 // block number
		from, to := b*p.block, (b+1)*p.block
		if from >= p.to {
			return
		}
		p.task.doRange(id, max(from, p.from), min(to, p.to))
	}
}

// run does [from, to) in blocks that begin at multiples of block, which is a multiple of tile, so
// that no two workers share a tile. It returns ctx's error, when some blocks may not be done.
func (p *pool) run(ctx context.Context, from, to, block int, t task) error {
	if from >= to {
		return ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx, p.from, p.to, p.block, p.task = ctx, from, to, block, t
	first := from / block
	p.next.Store(int64(first))
	p.ids.Store(0)
	helpers := min(p.threads-1, (to+block-1)/block-first-1)
	if p.wake == nil {
		helpers = 0
	}
	p.wait.Add(helpers)
	for range helpers {
		p.wake <- struct{}{}
	}
	p.work(0)
	p.wait.Wait()
	p.ctx, p.task = nil, nil
	return ctx.Err()
}
