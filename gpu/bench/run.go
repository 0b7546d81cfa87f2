package bench

import (
	"context"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/model/work/engine"
)

// Run is one measure at work: what it was asked for, and where its rows go. Its functions may be called by the
// goroutine that measures alone.
type Run struct {
	Values
	Inputs []string
	Tools

	Sizes *Sizes         // problem sizes done, where the measure counts them
	Means []contest.Mean // over them

	rows []any      // not told yet
	tell func(*Run) // hands them over
}

// Tools are what a measure is given to measure with.
type Tools struct {
	GL       func() (release func(), err error) // makes an OpenGL context without a display current; nil: there is none
	Say      func(what string)                  // is told what is being measured
	Note     func(text string)                  // is told a remark for the user
	Progress func(stage string, done, total int64)
}

// Sizes says how many problem sizes were measured of those that were to be: fewer after an interrupt.
type Sizes struct {
	Done int `json:"done"`
	Of   int `json:"of"`
}

// Compute are the options of engines: threads, the first card, OpenGL.
func (r *Run) Compute() engine.Options {
	first, _ := r.cards()
	return engine.Options{Threads: r.Int(threadsFlag.Name), Device: first, GL: r.GL}
}

// Add adds a row to those that are told together.
func (r *Run) Add(row any) { r.rows = append(r.rows, row) }

// Tell tells the rows that were added since the last time: of a size that took long, so that an interrupt does not lose
// them. What is left is told when the measure ends.
func (r *Run) Tell() {
	if len(r.rows) > 0 {
		r.tell(r)
		r.rows = nil
	}
}

// lastCall is how long the call under way may take to end after an interrupt: that of a slow kernel cannot be cut
// short.
const lastCall = 500 * time.Millisecond

// attend runs a measure in a goroutine of its own. told is called with the run whenever rows are there, while the
// measure waits, so that nothing else is done while the next size is measured.
func attend(ctx context.Context, m *Measure, r *Run, told func(*Run)) error {
	tell, heard := make(chan *Run), make(chan struct{})
	ended, left := make(chan error, 1), make(chan struct{})
	defer close(left)
	r.tell = func(r *Run) {
		select {
		case tell <- r:
			<-heard
		case <-left:
		}
	}
	r.Tools = r.Tools.until(ctx)
	go func() {
		err := m.Run(ctx, r)
		r.Tell()
		ended <- err
	}()
	stop, late := ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case r := <-tell:
			told(r)
			heard <- struct{}{}
		case err := <-ended:
			return err
		case <-stop:
			stop, late = nil, time.After(lastCall)
		case <-late:
			return ctx.Err()
		}
	}
}

// until are tools that say nothing more after an interrupt, nor where there is nobody to be told.
func (t Tools) until(ctx context.Context) Tools {
	quiet := t
	quiet.Say = func(what string) {
		if t.Say != nil && ctx.Err() == nil {
			t.Say(what)
		}
	}
	quiet.Note = func(text string) {
		if t.Note != nil && ctx.Err() == nil {
			t.Note(text)
		}
	}
	quiet.Progress = func(stage string, done, total int64) {
		if t.Progress != nil && ctx.Err() == nil {
			t.Progress(stage, done, total)
		}
	}
	return quiet
}
