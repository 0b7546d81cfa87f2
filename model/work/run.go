package work

import (
	"context"
	"time"

	"blossom/model/base/step"
)

// Phase is where a run is.
type Phase uint8

const (
	Idle      Phase = iota // it was not started, or is paused
	Preparing              // it was started, and what it works on is on its way
	Stepping               // units are done in the frame
	Beside                 // units are under way beside the frame
	Stopping               // it is paused, and units under way beside the frame are not over yet
	Resting                // it came to rest by itself
	Failed
)

// Aim is until when a run was started to go on.
type Aim uint8

const (
	ToRest Aim = iota // until it rests, or is paused
	OneUnit
	InHand // as long as the hand is at it
)

// Place is where the next units are done.
type Place uint8

const (
	InFrame     Place = iota
	BesideFrame       // on a goroutine: they would hold up the frame
	Later             // not in this frame
)

// Sidewise is from what time on units are done beside the frame.
const Sidewise = 8 * time.Millisecond

// Member is what a kind of run does in the hands of a Run, which calls it on the main thread.
type Member interface {
	Title() string
	// Ready says whether what it works on is there: until then a run that was started is preparing.
	Ready() bool
	// Enter begins what is done in a frame: it heeds what was done to the document, and records the run in the history.
	// It says whether units follow. An error ends the run.
	Enter(elapsed time.Duration) (ok bool, err error)
	// Heed notices what was done to the document while units are under way beside the frame.
	Heed()
	// Next returns what is due.
	Next() Work
	// Where says where that is done, of a frame that has budget.
	Where(w Work, budget time.Duration) Place
	// Units returns how many units of those that fit into the frame are done in one go; 0: none now.
	Units(fit int) int
	// Take takes what a leg has brought, which is Err where that failed, and says whether Show follows. It may correct
	// how many units the leg Did, and how long they Took. An error ends the run.
	Take(l *Leg) (show bool, err error)
	// Show gives the document, or the buffer of positions, what the run has come to.
	Show()
	// Ends says whether a stepper that rests, or has nothing more to do, ends the run: not while the hand is at it.
	Ends(p step.Progress) bool
	// Left says that the run goes on no more: it is Idle, Resting or Failed. Units of it that were under way are over.
	Left(r *Run, aim Aim)
}

// Plain is what a member does that has nothing of its own to do there: to be embedded.
type Plain struct{}

func (Plain) Ready() bool                       { return true }
func (Plain) Enter(time.Duration) (bool, error) { return true, nil }
func (Plain) Heed()                             {}
func (Plain) Where(Work, time.Duration) Place   { return InFrame }
func (Plain) Units(fit int) int                 { return fit }
func (Plain) Show()                             {}
func (Plain) Ends(step.Progress) bool           { return true }
func (Plain) Left(*Run, Aim)                    {}

// Run goes on in small steps beside the window: training, a layout, an embedding that forms, a clustering. It shares
// each frame out into units by what they cost, or has them done beside the frame. It belongs to the main thread.
type Run struct {
	Cost Cost // the learnt time of a unit
	// Clock is the time, on any goroutine; nil: time.Now. Spent, which may be nil, is told of units that were done, by
	// whoever did them: a clock that goes on by them alone makes a count of how many fit into a frame.
	Clock func() time.Time
	Spent func(title string, units int)
	// Wake is called on another goroutine when units beside the frame are over.
	Wake func()
	// Failed is told what went wrong with units that were under way when the run was paused.
	Failed func(error)
	// Patience is how long a unit beside the frame may take that is waited for when the run is paused.
	Patience time.Duration

	member Member
	phase  Phase
	aim    Aim
	leg    *Leg // under way beside the frame
	frame  Leg  // the last in the frame
	at     step.Progress
	did    int64 // units since it was started
	rested time.Time
	pace   pace
}

// NewRun returns a run that has not been started.
func NewRun(m Member) *Run { return &Run{member: m} }

// Phase says where the run is.
func (r *Run) Phase() Phase {
	if r.Active() && !r.member.Ready() {
		return Preparing
	}
	return r.phase
}

// Active says whether the run was started and has not come to an end, also while it is preparing.
func (r *Run) Active() bool { return r.phase == Stepping || r.phase == Beside }

// Title, Running, Advance and Pause make it an Advancer.
func (r *Run) Title() string { return r.member.Title() }

// Running says whether the run would use time.
func (r *Run) Running() bool { return r.Active() && r.member.Ready() }

// Aim is what the run was started for.
func (r *Run) Aim() Aim { return r.aim }

// Progress is how far it has come, Done how many units that were since it was started.
func (r *Run) Progress() step.Progress { return r.at }
func (r *Run) Done() int64             { return r.did }

// SetProgress says how far a stepper is that was made, told or stepped by somebody else.
func (r *Run) SetProgress(p step.Progress) { r.at = p }

// Rate is units a second, 0 while it is unknown.
func (r *Run) Rate() float64 { return r.pace.rate }

// Rested is when it last came to rest by itself; zero where it did not.
func (r *Run) Rested() time.Time { return r.rested }

// Busy says whether units are under way beside the frame. Over is closed when those are over; nil: there are none.
func (r *Run) Busy() bool { return r.leg != nil }
func (r *Run) Over() <-chan struct{} {
	if r.leg == nil {
		return nil
	}
	return r.leg.done
}

// Start lets the run go on; one that goes on has another aim from now on.
func (r *Run) Start(aim Aim) {
	r.aim, r.rested = aim, time.Time{}
	if !r.Active() {
		r.did, r.pace = 0, pace{}
	}
	if r.phase = Stepping; r.leg != nil {
		r.phase = Beside
	}
}

// Pause stops the run where it is. Units that are under way are called back, and taken when they are over: at once
// where they are short.
func (r *Run) Pause() {
	if !r.Active() {
		return
	}
	if r.leg == nil {
		r.leave(Idle)
		return
	}
	r.phase = Stopping
	if r.leg.cancel(); r.Patience > 0 && r.Cost.Unit() <= float64(r.Patience) {
		r.Finish()
	}
}

// Finish waits for units that are under way and takes them.
func (r *Run) Finish() {
	if r.leg == nil {
		return
	}
	r.leg.cancel()
	<-r.leg.done
	r.fail(r.land())
}

// fail tells what nobody else is told.
func (r *Run) fail(err error) {
	if err != nil && r.Failed != nil {
		r.Failed(err)
	}
}

// Abandon lets nobody have what is under way, and ends the run without a word. It waits until nobody is at work if wait
// says so.
func (r *Run) Abandon(wait bool) {
	r.phase = Idle
	r.Drop(wait)
}

// Drop is Abandon of what is under way alone: the run goes on.
func (r *Run) Drop(wait bool) {
	if r.leg == nil {
		return
	}
	l := r.leg
	r.leg = nil
	switch r.phase {
	case Beside:
		r.phase = Stepping
	case Stopping: // nothing is waited for any more
		r.phase = Idle
	}
	if l.cancel(); wait {
		<-l.done
	}
}

// Tend takes what a run that was paused still had under way, when that is over.
func (r *Run) Tend() {
	if r.phase == Stopping && r.leg.over() {
		r.fail(r.land())
	}
}

// Advance goes on for about budget. Units that would hold up the frame are done beside it.
func (r *Run) Advance(elapsed, budget time.Duration) (spent time.Duration, err error) {
	begun := r.now()
	r.pace.passed(elapsed)
	if r.leg != nil {
		if !r.leg.over() {
			r.member.Heed()
			return 0, nil
		}
		if err := r.land(); err != nil || !r.Active() {
			return r.now().Sub(begun), err
		}
	}
	ok, err := r.member.Enter(elapsed)
	if err != nil {
		r.leave(Failed)
	}
	if err == nil && ok && r.Active() && r.leg == nil {
		spent, err = r.work(budget)
	}
	return max(spent, r.now().Sub(begun)), err
}

// work does what is due where that belongs.
func (r *Run) work(budget time.Duration) (time.Duration, error) {
	w := r.member.Next()
	switch r.member.Where(w, budget) {
	case Later:
		return 0, nil
	case BesideFrame:
		if n := r.member.Units(1); n > 0 {
			leg := r.plan(w, n)
			r.leg, r.phase = &leg, Beside
			r.leg.begin(r.Wake)
		}
		return 0, nil
	}
	return r.here(w, budget)
}

// plan returns some units that are to be done in one go.
func (r *Run) plan(w Work, units int) Leg {
	return Leg{Work: w, Units: units, run: r, title: r.Title()}
}

// Do does so many units in this very call, whatever they take: of a run that was started for a step.
func (r *Run) Do(units int) error {
	r.frame = r.plan(r.member.Next(), units)
	r.frame.do(context.Background())
	show, err := r.take(&r.frame)
	if err != nil {
		return err
	}
	if show {
		r.member.Show()
	}
	r.settle(&r.frame)
	return nil
}

// here does as many units in the frame as fit.
func (r *Run) here(w Work, budget time.Duration) (spent time.Duration, err error) {
	begun, shown := r.now(), false
	r.frame = Leg{}
	for l := &r.frame; ; w = r.member.Next() {
		fit := 1
		if r.aim != OneUnit {
			fit = r.Cost.Units(float64(budget - spent))
		}
		if fit = r.member.Units(fit); fit == 0 {
			break
		}
		*l = r.plan(w, fit)
		l.do(context.Background())
		show, failed := r.take(l)
		shown, spent = shown || show, max(spent+1, r.now().Sub(begun))
		if err = failed; err != nil || !show || !r.Active() || r.ended(l) || spent >= budget {
			break
		}
	}
	if err != nil {
		return spent, err
	}
	if shown {
		r.member.Show()
	}
	r.settle(&r.frame)
	return spent, nil
}

// land takes the leg that was done beside the frame.
func (r *Run) land() error {
	l := r.leg
	l.cancel()
	r.leg = nil
	stopped := r.phase == Stopping
	if !stopped {
		r.phase = Stepping
	}
	show, err := r.take(l)
	if show {
		r.member.Show()
	}
	switch {
	case err != nil:
	case stopped:
		r.leave(Idle)
	default:
		r.settle(l)
	}
	return err
}

// take takes what a leg has brought, and learns what it cost.
func (r *Run) take(l *Leg) (show bool, err error) {
	if l.Did = max(0, l.Progress.Done-r.at.Done); l.Err == nil {
		r.at = l.Progress
	}
	if show, err = r.member.Take(l); err != nil {
		r.leave(Failed)
		return show, err
	}
	if l.Did > 0 {
		r.Cost.Took(float64(l.Did), float64(l.Took))
		r.did += l.Did
		r.pace.counted += l.Did
	}
	return show, nil
}

// ended says whether a leg was the last of the run.
func (r *Run) ended(l *Leg) bool {
	return r.aim == OneUnit && r.did > 0 || l.Progress.Rest
}

// settle ends a run that is over.
func (r *Run) settle(l *Leg) {
	if !r.Active() || l.Work == nil {
		return
	}
	switch {
	case l.Progress.Rest && r.member.Ends(l.Progress):
		r.Rest()
	case r.aim == OneUnit && r.did > 0:
		r.leave(Idle)
	}
}

// Rest ends a run that has come to rest.
func (r *Run) Rest() {
	r.rested = r.now()
	r.leave(Resting)
}

// leave ends the run.
func (r *Run) leave(to Phase) {
	if r.Active() || r.phase == Stopping {
		r.phase = to
		r.member.Left(r, r.aim)
	}
}

func (r *Run) now() time.Time {
	if r.Clock != nil {
		return r.Clock()
	}
	return time.Now()
}

// pace is how fast units follow each other.
type pace struct {
	rate    float64 // units a second
	window  time.Duration
	counted int64 // units in the window
}

// rateOver is how long units are counted.
const rateOver = 400 * time.Millisecond

// passed counts the time between frames.
func (p *pace) passed(elapsed time.Duration) {
	if p.window += elapsed; p.window >= rateOver {
		p.rate, p.counted, p.window = float64(p.counted)/p.window.Seconds(), 0, 0
	}
}
