// Package work computes things beside a window or without one. It knows neither documents nor engines.
package work

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"blossom/model/base/step"
)

// Job is one long piece of work off the main thread, with progress that the status bar shows and a
// cancel that the user can press.
type Job struct {
	Title   string
	Started time.Time

	// Dropped is called on the main thread when the job was cancelled or failed. It may be nil.
	Dropped func()

	bar    step.Bar
	remark atomic.Pointer[string]
	cancel context.CancelFunc
}

// Report sets the progress. Safe from any goroutine.
func (j *Job) Report(done, total int64) { j.bar.Report(done, total) }

// Remark says how far it is in words, in the place of its percentage. Safe from any goroutine.
func (j *Job) Remark(text string) { j.remark.Store(&text) }

// Remarked is what Remark has said last; "": nothing.
func (j *Job) Remarked() string {
	if text := j.remark.Load(); text != nil {
		return *text
	}
	return ""
}

// Fraction returns the progress from 0 to 1, or 0 while it is unknown. It never falls.
func (j *Job) Fraction() float64 { return j.bar.Fraction() }

// Cancel asks the job to stop. Its result is thrown away.
func (j *Job) Cancel() { j.cancel() }

// Clock is a time that goes on by what is done.
type Clock interface {
	Now() time.Time                // called on any goroutine, as is
	Spent(title string, units int) // which is told of units that runs have done
	Frame(elapsed time.Duration)   // since the last frame
}

// Jobs are the jobs under way. All of its methods belong to the main thread; the work itself runs on
// goroutines, which hand back a function for the main thread to call.
type Jobs struct {
	// Post queues a function for the main thread and wakes it.
	Post func(func())
	// Failed is told of errors, once each. A cancelled job is no error.
	Failed func(error)
	// Clock is another time than that of the day, by which runs are shared out; nil: none.
	Clock Clock

	list  []*Job
	aside []*Job // jobs under way that the status bar does not show
	quiet int    // under way that are in no list
}

// Start runs work on a goroutine. When it is done and was not cancelled, the function it returned is
// called on the main thread. A panic in work is an error like any other.
func (js *Jobs) Start(title string, work func(context.Context, *Job) (apply func(), err error)) *Job {
	return js.begin(title, &js.list, work)
}

// Aside is Start for what the user did not ask for and need not see: it is in no list, though it can be cancelled.
func (js *Jobs) Aside(title string, work func(context.Context, *Job) (apply func(), err error)) *Job {
	return js.begin(title, &js.aside, work)
}

func (js *Jobs) begin(title string, list *[]*Job, work func(context.Context, *Job) (apply func(), err error)) *Job {
	ctx, cancel := context.WithCancel(context.Background())
	j := &Job{Title: title, Started: time.Now(), cancel: cancel}
	*list = append(*list, j)
	go func() {
		apply, err := guarded(ctx, j, work)
		js.Post(func() {
			cancelled := ctx.Err() != nil
			cancel()
			remove(list, j)
			switch {
			case cancelled || err != nil:
				if !cancelled && !errors.Is(err, context.Canceled) {
					js.Failed(err)
				}
				if j.Dropped != nil {
					j.Dropped()
				}
			case apply != nil:
				apply()
			}
		})
	}()
	return j
}

// List returns the jobs under way, oldest first. The caller must not keep it.
func (js *Jobs) List() []*Job { return js.list }

// Idle says that there is no job, nor work that is in no list.
func (js *Jobs) Idle() bool { return len(js.list) == 0 && len(js.aside) == 0 && js.quiet == 0 }

// CancelAll cancels every job.
func (js *Jobs) CancelAll() {
	for _, j := range js.list {
		j.cancel()
	}
	for _, j := range js.aside {
		j.cancel()
	}
}

func remove(list *[]*Job, j *Job) {
	if i := slices.Index(*list, j); i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
}

func guarded(ctx context.Context, j *Job, work func(context.Context, *Job) (func(), error)) (apply func(), err error) {
	defer func() {
		if v := recover(); v != nil {
			err = broken(j.Title, v)
		}
	}()
	return work(ctx, j)
}

// Quiet runs work that the user did not ask for and need not see: it is in no list and cannot be
// cancelled. Its error goes to Failed, and Dropped is called then.
func (js *Jobs) Quiet(work func(context.Context) (apply func(), err error)) *Job {
	j := &Job{Title: "Background work"}
	js.quiet++
	go func() {
		apply, err := guarded(context.Background(), j, func(ctx context.Context, _ *Job) (func(),
			error) {
			return work(ctx)
		})
		js.Post(func() {
			js.quiet--
			switch {
			case err != nil:
				js.Failed(err)
				if j.Dropped != nil {
					j.Dropped()
				}
			case apply != nil:
				apply()
			}
		})
	}()
	return j
}
