package splat

import (
	"sync"
	"sync/atomic"
)

// pool runs the items of a phase on a fixed set of workers without allocating.
type pool struct {
	workers int // besides the caller
	start   chan struct{}
	done    sync.WaitGroup
	once    sync.Once

	f    func(int)
	n    int64
	next atomic.Int64
}

func newPool(threads int) *pool {
	p := &pool{workers: threads - 1, start: make(chan struct{}, threads)}
	for range p.workers {
		go func() {
			for range p.start {
				p.work()
				p.done.Done()
			}
		}()
	}
	return p
}

// run calls f(0) .. f(n-1), each once, in any order, and returns when all have.
func (p *pool) run(n int, f func(int)) {
	p.f, p.n = f, int64(n)
	p.next.Store(0)
	helpers := min(p.workers, n-1)
	if helpers > 0 {
		p.done.Add(helpers)
		for range helpers {
			p.start <- struct{}{}
		}
	}
	p.work()
	p.done.Wait()
}

func (p *pool) work() {
	for i := p.next.Add(1) - 1; i < p.n; i = p.next.Add(1) - 1 {
		p.f(int(i))
	}
}

func (p *pool) close() { p.once.Do(func() { close(p.start) }) }
