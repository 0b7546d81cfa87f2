package work

import (
	"errors"
	"slices"
	"time"
)

// Advancer is what takes a share of each frame, on the main thread: a Run.
type Advancer interface {
	Title() string
	Running() bool
	// Active says whether it was started and has not come to an end, also while it waits for what it works on.
	Active() bool
	Aim() Aim
	// Advance goes on for about budget, at least by one step, and returns what that took. elapsed is the time
	// since it was last called, for runs that keep a speed.
	Advance(elapsed, budget time.Duration) (spent time.Duration, err error)
	// Pause stops it where it is. It may be called at any time.
	Pause()
}

// Arbiter shares a frame's time between runs. It keeps an account for each: over some frames they get the same
// time, whatever a step of each takes. What one has no use for goes to the others, and is not saved up.
type Arbiter struct {
	runs []account
	turn []int // indices into runs of the running ones, the one that has had least first
	hand Advancer
}

// account is what a run has had.
type account struct {
	run     Advancer
	resume  func() error  // lets it go on after a pause; nil: nobody does
	used    time.Duration // beyond what the one that has had least has
	elapsed time.Duration // since it was last advanced
	running bool          // in the last frame
	hungry  bool          // has used all that it was given
	apart   bool          // see AddApart
}

// worth: less than this part of a budget is not worth a turn. The run waits until more has come together.
const worth = 8

// Add makes a run known. It gets time whenever it says that it is running; resume lets it go on where it was suspended,
// nil: nobody does.
func (a *Arbiter) Add(r Advancer, resume func() error) {
	a.runs = append(a.runs, account{run: r, resume: resume})
	a.turn = make([]int, 0, len(a.runs))
}

// AddApart makes a run known that goes on whatever else is looked at, since it changes nothing that others show or
// keep: Running and PauseAll leave it aside. What it does beside the frame calls for a frame by itself.
func (a *Arbiter) AddApart(r Advancer) {
	a.Add(r, nil)
	a.runs[len(a.runs)-1].apart = true
}

// Remove forgets a run.
func (a *Arbiter) Remove(r Advancer) {
	a.runs = slices.DeleteFunc(a.runs, func(x account) bool { return x.run == r })
	if a.hand == r {
		a.hand = nil
	}
}

// Runs returns the runs that are known.
func (a *Arbiter) Runs() (out []Advancer) {
	for i := range a.runs {
		out = append(out, a.runs[i].run)
	}
	return out
}

// Running says whether any run is, but runs apart.
func (a *Arbiter) Running() bool {
	for i := range a.runs {
		if !a.runs[i].apart && a.runs[i].run.Running() {
			return true
		}
	}
	return false
}

// Hold says which run the user's hand is in, nil for none: all of the time goes to it.
func (a *Arbiter) Hold(r Advancer) { a.hand = r }

// Held says whether the user's hand is in a run that goes on.
func (a *Arbiter) Held() bool { return a.hand != nil && a.hand.Running() }

// PauseAll pauses whatever was started, also what is still waiting for what it works on, but runs apart.
func (a *Arbiter) PauseAll() {
	for i := range a.runs {
		if r := a.runs[i].run; !a.runs[i].apart && r.Active() {
			r.Pause()
		}
	}
}

// Suspend is PauseAll; what it returns lets those runs go on that were to go on until they rest, unless somebody has
// started or removed them meanwhile.
func (a *Arbiter) Suspend() (resume func() error) {
	var paused []Advancer
	for i := range a.runs {
		if x := &a.runs[i]; x.resume != nil && x.run.Active() && x.run.Aim() == ToRest {
			paused = append(paused, x.run)
		}
	}
	a.PauseAll()
	return func() (err error) {
		for _, r := range paused {
			at := slices.IndexFunc(a.runs, func(x account) bool { return x.run == r })
			if at >= 0 && !r.Active() {
				err = errors.Join(err, a.runs[at].resume())
			}
		}
		return err
	}
}

// Share advances runs for about budget and returns what they spent. A run that fails is paused, and the others
// go on: err is what went wrong, of each.
func (a *Arbiter) Share(elapsed, budget time.Duration) (spent time.Duration, err error) {
	a.queue(elapsed)
	spent, err = a.pass(budget, budget)
	// Runs that have used all that they were given share the time that the others left.
	if left := budget - spent; left >= budget/worth && a.hungry() {
		more, failed := a.pass(left, budget)
		spent, err = spent+more, errors.Join(err, failed)
	}
	least := time.Duration(-1)
	for i := range a.runs {
		if r := &a.runs[i]; r.running && (least < 0 || r.used < least) {
			least = r.used
		}
	}
	for i := range a.runs {
		a.runs[i].used -= max(0, least)
	}
	return spent, err
}

// pass gives so much time to the runs in turn.
func (a *Arbiter) pass(left, budget time.Duration) (spent time.Duration, err error) {
	held := a.Held()
	for i, n := range a.turn {
		r := &a.runs[n]
		level := a.level(a.turn[i:], left-spent)
		allot := level - r.used
		r.hungry = false
		if spent >= left || i > 0 && allot < budget/worth {
			continue
		}
		took, failed := advance(r.run, r.elapsed, allot)
		spent += took
		r.elapsed = 0
		r.hungry = took >= allot && r.run.Running()
		if !held { // no other run is owed the time that the hand took
			r.used = max(r.used+took, level)
		}
		if failed != nil {
			r.run.Pause()
			r.hungry, err = false, errors.Join(err, failed)
		}
	}
	return spent, err
}

// hungry leaves those in turn that could do with more, and says whether there are any.
func (a *Arbiter) hungry() bool {
	all := a.turn
	a.turn = a.turn[:0]
	for _, n := range all {
		if a.runs[n].hungry {
			a.insert(n)
		}
	}
	return len(a.turn) > 0
}

// insert puts a run into turn, after those that have had less or as much.
func (a *Arbiter) insert(n int) {
	at := len(a.turn)
	for at > 0 && a.runs[a.turn[at-1]].used > a.runs[n].used {
		at--
	}
	a.turn = slices.Insert(a.turn, at, n)
}

// queue finds the runs that are running and sorts them by what they have had. One that has just begun has
// had as much as the one that has had least.
func (a *Arbiter) queue(elapsed time.Duration) {
	a.turn = a.turn[:0]
	for i := range a.runs {
		r := &a.runs[i]
		if !r.running {
			r.used, r.elapsed = 0, 0
		}
		if r.running = r.run.Running(); !r.running {
			continue
		}
		r.elapsed += elapsed
		if a.hand != nil && a.hand.Running() && r.run != a.hand {
			continue
		}
		a.insert(i)
	}
}

// level returns up to what all accounts can be filled with so much time, those of turn being sorted.
func (a *Arbiter) level(turn []int, left time.Duration) time.Duration {
	sum := left
	for k, n := range turn {
		sum += a.runs[n].used
		level := sum / time.Duration(k+1)
		if k+1 == len(turn) || level <= a.runs[turn[k+1]].used {
			return level
		}
	}
	return 0
}

// advance takes a panic for an error like any other: one run must not take the others with it.
func advance(r Advancer, elapsed, budget time.Duration) (spent time.Duration, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = broken(r.Title(), v)
		}
	}()
	return r.Advance(elapsed, budget)
}
