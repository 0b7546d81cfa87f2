package glcompute

import (
	"runtime"

	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// thread is where OpenGL calls are made: the caller's own, which has the window's context, or one that
// the engine started with a context of its own.
type thread struct {
	jobs chan func()
	done chan struct{}
}

// openThread makes the context current and returns its thread.
func openThread(o engine.Options) (*thread, error) {
	if o.Window {
		_, err := o.GL()
		return &thread{}, err
	}
	t := &thread{jobs: make(chan func()), done: make(chan struct{})}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine, whatever the driver left on it
		release, err := o.GL()
		ready <- err
		if err != nil {
			return
		}
		for f := range t.jobs {
			f()
			t.done <- struct{}{}
		}
		release()
		t.done <- struct{}{}
	}()
	return t, <-ready
}

// run runs f where OpenGL is and waits for it.
func (t *thread) run(f func()) {
	if t.jobs == nil {
		f()
		return
	}
	t.jobs <- f
	<-t.done
}

// close gives the context back. Only a thread of the engine's own has something to give.
func (t *thread) close() {
	if t.jobs != nil {
		close(t.jobs)
		<-t.done
	}
}

func defect(format string, args ...any) error {
	return problem.New("", "this is a defect of the program", format, args...)
}
