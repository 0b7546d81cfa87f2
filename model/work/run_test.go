package work

import (
	"context"
	"errors"
	"testing"
	"time"

	"blossom/model/base/step"
)

// fake is a member whose units take a set time by a clock that only they move, in the frame or, held at a gate, beside
// it.
type fake struct {
	*Run
	now   time.Time
	unit  time.Duration
	total int64
	place Place
	gate  chan struct{} // a unit beside the frame waits for it, or for being called back
	begun chan struct{} // such a unit has begun

	unready, deaf bool // nothing is there to work on; the hand is at it
	fails         error
	panics        bool
	most          int // units in one go; 0: as many as fit

	done          int64
	shown, heeded int
	marks         int // entries of the history
	left          []Phase
	calls         []int
	landed        []bool // whether each leg ran beside the frame
	elapsed       time.Duration
}

func newFake() *fake {
	f := &fake{unit: time.Millisecond, total: 1000, gate: make(chan struct{}), begun: make(chan struct{}, 1)}
	f.Run = NewRun(f)
	f.Clock = func() time.Time { return f.now }
	return f
}

func (f *fake) Title() string { return "fake" }
func (f *fake) Ready() bool   { return !f.unready }
func (f *fake) Heed()         { f.heeded++ }
func (f *fake) Show()         { f.shown++ }

func (f *fake) Enter(elapsed time.Duration) (bool, error) {
	if f.elapsed += elapsed; f.did == 0 && f.marks == 0 {
		f.marks++
	}
	return true, nil
}

func (f *fake) Next() Work { return f }

func (f *fake) Where(Work, time.Duration) Place { return f.place }

func (f *fake) Units(fit int) int {
	if f.most > 0 {
		return min(fit, f.most)
	}
	return fit
}

func (f *fake) Do(ctx context.Context, units int) (step.Progress, error) {
	if f.place == BesideFrame {
		f.begun <- struct{}{}
		select {
		case <-f.gate:
		case <-ctx.Done():
			return step.Progress{Done: f.done, Total: f.total}, ctx.Err()
		}
	} else {
		f.now = f.now.Add(time.Duration(units) * f.unit)
	}
	if f.panics {
		panic("the fake broke")
	}
	f.done = min(f.total, f.done+int64(units))
	return step.Progress{Done: f.done, Total: f.total, Rest: f.done == f.total}, f.fails
}

func (f *fake) Take(l *Leg) (bool, error) {
	f.calls, f.landed = append(f.calls, l.Units), append(f.landed, l.Beside())
	return true, l.Err
}

func (f *fake) Ends(step.Progress) bool { return !f.deaf }

func (f *fake) Left(r *Run, _ Aim) { f.left = append(f.left, r.Phase()) }

func (f *fake) advance(t *testing.T) (spent time.Duration) {
	t.Helper()
	spent, err := f.Advance(16*time.Millisecond, 4*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	return spent
}

func (f *fake) in(t *testing.T, want Phase) {
	t.Helper()
	if got := f.Phase(); got != want {
		t.Fatalf("in phase %d, should be in %d", got, want)
	}
}

// A run goes from idle over preparing and stepping to rest, and is told once how it has ended.
func TestPhasesOfARun(t *testing.T) {
	f := newFake()
	f.in(t, Idle)
	f.unready = true
	f.Start(ToRest)
	if f.in(t, Preparing); f.Running() || !f.Active() {
		t.Fatal("a run that is preparing asks for time, or is over")
	}
	f.unready = false
	f.in(t, Stepping)
	for i := 0; f.Active() && i < 1000; i++ {
		f.advance(t)
	}
	f.in(t, Resting)
	if f.done != f.total || len(f.left) != 1 || f.left[0] != Resting || f.Rested() != f.now || f.Done() != f.total {
		t.Fatalf("%d units, left in %v, rested at %v", f.done, f.left, f.Rested())
	}
	f.Pause()
	if f.in(t, Resting); len(f.left) != 1 || f.marks != 1 {
		t.Fatalf("left in %v, %d entries of one run", f.left, f.marks)
	}
}

// The cost of units is learnt: a frame's budget is filled, and is not passed by more than a unit.
func TestUnitsFillTheBudget(t *testing.T) {
	f := newFake()
	f.total, f.unit = 1e9, 37*time.Microsecond
	f.Start(ToRest)
	for i := range 50 {
		spent := f.advance(t)
		if i > 3 && (spent < 4*time.Millisecond || spent > 4*time.Millisecond+2*f.unit) {
			t.Fatalf("frame %d: %v of 4ms", i, spent)
		}
	}
	if len(f.calls) > 150 {
		t.Errorf("%d calls in 50 frames", len(f.calls))
	}
	if f.shown != 50 {
		t.Errorf("shown %d times in 50 frames", f.shown)
	}
	if f.Rate() <= 0 {
		t.Error("nothing is known of its rate")
	}
}

// One unit is one unit, whatever would fit into the frame; a run that goes on has another aim at once.
func TestOneUnit(t *testing.T) {
	f := newFake()
	for i := range 3 {
		f.Start(OneUnit)
		f.advance(t)
		if f.in(t, Idle); f.done != int64(i+1) {
			t.Fatalf("%d units after %d steps", f.done, i+1)
		}
	}
	f.Start(ToRest)
	f.advance(t)
	f.Start(OneUnit)
	f.advance(t)
	f.in(t, Idle)
}

// The hand decides when a run in hand ends that has nothing to do.
func TestTheHandKeepsARunGoing(t *testing.T) {
	f := newFake()
	f.total, f.deaf = 2, true
	f.Start(InHand)
	for range 5 {
		f.advance(t)
	}
	f.in(t, Stepping)
	f.Pause()
	f.in(t, Idle)
}

// Units beside the frame are taken when they are over, and the frames between spend nothing and heed the document.
func TestUnitsBesideTheFrame(t *testing.T) {
	f := newFake()
	f.place, f.total = BesideFrame, 2
	f.Start(ToRest)
	f.advance(t)
	<-f.begun
	if f.in(t, Beside); f.advance(t) != 0 || f.heeded != 1 || f.shown != 0 {
		t.Fatalf("heeded %d times, shown %d", f.heeded, f.shown)
	}
	f.gate <- struct{}{}
	<-f.leg.done
	f.advance(t) // which takes the unit and begins the next one
	<-f.begun
	if f.in(t, Beside); f.shown != 1 || f.done != 1 || !f.landed[0] {
		t.Fatalf("shown %d times after %d units", f.shown, f.done)
	}
	f.gate <- struct{}{}
	<-f.leg.done
	f.advance(t)
	f.in(t, Resting)
}

// A run that is paused with units under way takes what they have done when they are over, and can be started again
// before that.
func TestPausingBesideTheFrame(t *testing.T) {
	f := newFake()
	f.place = BesideFrame
	f.Start(ToRest)
	f.advance(t)
	<-f.begun
	f.Pause()
	if f.in(t, Stopping); f.Active() || len(f.left) != 0 || !f.Busy() {
		t.Fatal("it is left while units are under way")
	}
	<-f.leg.done
	f.Tend()
	if f.in(t, Idle); len(f.left) != 1 || f.left[0] != Idle || f.shown != 1 {
		t.Fatalf("left in %v, shown %d times", f.left, f.shown)
	}
	f.Start(ToRest)
	f.advance(t)
	<-f.begun
	f.Pause()
	f.Start(ToRest)
	f.in(t, Beside)
	f.Finish()
	f.in(t, Stepping)
	f.advance(t)
	<-f.begun
	f.Abandon(true)
	if f.in(t, Idle); f.Busy() || len(f.landed) != 2 || len(f.left) != 1 {
		t.Fatalf("%d legs were taken, left in %v", len(f.landed), f.left)
	}
}

// Short units that are under way are waited for when the run is paused, and what went wrong with them is told.
func TestPausingWaitsForShortUnits(t *testing.T) {
	f := newFake()
	f.place, f.Patience = BesideFrame, time.Second
	f.Cost.Guess(float64(time.Millisecond))
	var told []error
	f.Failed = func(err error) { told = append(told, err) }
	f.Start(ToRest)
	f.advance(t)
	<-f.begun
	f.Pause()
	if f.in(t, Idle); len(f.landed) != 1 || len(told) != 0 {
		t.Fatalf("%d legs were taken, told %v", len(f.landed), told)
	}
	f.Start(ToRest)
	f.advance(t)
	<-f.begun
	f.fails = errors.New("the fake broke")
	f.gate <- struct{}{}
	f.Pause()
	if f.Active() || len(told) != 1 {
		t.Fatalf("told %v", told)
	}
}

// A unit that fails or panics, in the frame or beside it, ends the run with an error, once; it can be started again.
func TestARunThatFailsIsOver(t *testing.T) {
	for _, place := range []Place{InFrame, BesideFrame} {
		for _, panics := range []bool{false, true} {
			f := newFake()
			f.place, f.panics = place, panics
			if !panics {
				f.fails = errors.New("the fake broke")
			}
			f.Start(ToRest)
			_, err := f.Advance(0, time.Millisecond)
			if place == BesideFrame {
				<-f.begun
				f.gate <- struct{}{}
				<-f.leg.done
				_, err = f.Advance(0, time.Millisecond)
			}
			if f.in(t, Failed); err == nil || len(f.left) != 1 || f.left[0] != Failed || f.Busy() {
				t.Fatalf("%v, left in %v", err, f.left)
			}
			f.fails, f.panics, f.place = nil, false, InFrame
			f.Start(ToRest)
			f.advance(t)
			f.in(t, Stepping)
		}
	}
}

// Where a member says later, or that no unit is due, nothing is done and the run goes on.
func TestNothingIsDueInThisFrame(t *testing.T) {
	f := newFake()
	f.place = Later
	f.Start(ToRest)
	f.advance(t)
	if f.in(t, Stepping); f.done != 0 || f.shown != 0 {
		t.Fatalf("%d units, shown %d times", f.done, f.shown)
	}
	f.place, f.most = InFrame, 3
	f.advance(t)
	for _, n := range f.calls {
		if n > 3 {
			t.Fatalf("%d units in one go", n)
		}
	}
}

func TestAFrameOfARunDoesNotAllocate(t *testing.T) {
	f := newFake()
	f.total, f.most = 1e12, 1
	f.Start(ToRest)
	f.calls, f.landed = make([]int, 0, 1e6), make([]bool, 0, 1e6)
	if n := testing.AllocsPerRun(100, func() { f.advance(t) }); n != 0 {
		t.Fatalf("%g allocations a frame", n)
	}
}
