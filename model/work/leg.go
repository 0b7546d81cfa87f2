package work

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
)

// Work is what a run has to do next, with all that it needs from the document: it may be done on another goroutine.
type Work interface {
	// Do goes on by so many units. It returns early at rest, and with the error of ctx when it is called back.
	Do(ctx context.Context, units int) (step.Progress, error)
}

// Leg is some units of a run, done in one go, in the frame or beside it.
type Leg struct {
	Work     Work
	Units    int           // number of units asked for
	Progress step.Progress // by now
	Did      int64         // units
	Took     time.Duration
	Err      error

	run    *Run
	title  string
	cancel context.CancelFunc // nil: in the frame
	done   chan struct{}
}

// Beside says whether it is done beside the frame.
func (l *Leg) Beside() bool { return l.done != nil }

// do does the work. A panic of an algorithm is an error like any other, and to be called back is none: what is done by
// then is done.
func (l *Leg) do(ctx context.Context) {
	from := l.run.now()
	defer func() {
		if v := recover(); v != nil {
			l.Err = broken(l.title, v)
		}
		if l.run.Spent != nil {
			l.run.Spent(l.title, l.Units)
		}
		l.Took = l.run.now().Sub(from)
	}()
	if l.Progress, l.Err = l.Work.Do(ctx, l.Units); errors.Is(l.Err, context.Canceled) {
		l.Err = nil
	}
}

// begin does the work on a goroutine of its own; wake, which may be nil, is called there when it is over.
func (l *Leg) begin(wake func()) {
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel, l.done = cancel, make(chan struct{})
	go func() {
		l.do(ctx)
		close(l.done)
		if wake != nil {
			wake()
		}
	}()
}

// over says whether work that was begun is done.
func (l *Leg) over() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// broken is the error that a panic of something called title is.
func broken(title string, v any) error {
	return problem.Wrap(fmt.Errorf("%v\n%s", v, debug.Stack()), "",
		"the rest of the program is unharmed; please report this with the log", "%s failed: %v", title, v)
}
