package work

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// paced is a run whose steps take a set time, by a clock that only it moves.
type paced struct {
	unit    time.Duration
	limit   time.Duration // at most so much a call, 0 for no limit
	stopped bool
	fails   error
	panics  bool

	had     time.Duration
	calls   int
	elapsed time.Duration
}

func (p *paced) Title() string { return "paced" }
func (p *paced) Running() bool { return !p.stopped }
func (p *paced) Active() bool  { return !p.stopped }
func (p *paced) Aim() Aim      { return ToRest }
func (p *paced) Pause()        { p.stopped = true }

func (p *paced) Advance(elapsed, budget time.Duration) (spent time.Duration, err error) {
	p.calls++
	p.elapsed += elapsed
	if p.panics {
		panic("oh")
	}
	for spent < budget && (p.limit == 0 || spent < p.limit) && p.fails == nil {
		spent += p.unit
	}
	p.had += spent
	return spent, p.fails
}

const (
	ms    = time.Millisecond
	share = 4 * ms
)

func arbiter(runs ...*paced) *Arbiter {
	a := &Arbiter{}
	for _, r := range runs {
		a.Add(r, nil)
	}
	return a
}

func frames(t testing.TB, a *Arbiter, n int) (longest time.Duration) {
	t.Helper()
	for range n {
		spent, err := a.Share(16*ms, share)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, spent)
	}
	return longest
}

func TestOneRunGetsAllOfIt(t *testing.T) {
	r := &paced{unit: ms}
	if frames(t, arbiter(r, &paced{unit: ms, stopped: true}), 10) != share || r.had != 10*share || r.calls != 10 ||
		r.elapsed != 160*ms {
		t.Fatalf("%v in %d calls", r.had, r.calls)
	}
	if spent, err := (&Arbiter{}).Share(ms, share); spent != 0 || err != nil {
		t.Fatal("nobody spent something")
	}
}

// Two runs get the same time, also if a step of one takes many frames; and a frame is never longer than its budget
// and one step.
func TestASlowRunAndAFastOne(t *testing.T) {
	slow, fast := &paced{unit: 50 * ms}, &paced{unit: ms / 10}
	longest := frames(t, arbiter(slow, fast), 5000)
	if d := (slow.had - fast.had).Abs(); d > 51*ms || slow.had < 2*time.Second || longest > 50*ms+share {
		t.Fatalf("the slow one had %v, the fast one %v, the longest frame %v", slow.had, fast.had, longest)
	}
	if fast.elapsed != 5000*16*ms {
		t.Fatalf("%v have gone by for it", fast.elapsed)
	}
}

func TestWhatOneLeavesGoesToTheOthers(t *testing.T) {
	modest, greedy := &paced{unit: ms / 5, limit: ms / 5}, &paced{unit: ms / 10}
	a := arbiter(greedy, modest)
	frames(t, a, 100)
	if modest.had != 100*ms/5 || greedy.had < 100*(share-ms/5)-ms {
		t.Fatalf("%v and %v", modest.had, greedy.had)
	}
	// Nothing has been saved up meanwhile, but what one frame holds.
	modest.limit, modest.had, greedy.had = 0, 0, 0
	frames(t, a, 10)
	if d := (modest.had - greedy.had).Abs(); d > share {
		t.Fatalf("%v and %v after it", modest.had, greedy.had)
	}
	// One that begins later has no claim on the past either, nor one that was paused.
	late := &paced{unit: ms / 10}
	a.Add(late, nil)
	modest.stopped = true
	frames(t, a, 50)
	modest.stopped, modest.had, greedy.had, late.had = false, 0, 0, 0
	frames(t, a, 30)
	if d := slices.Max([]time.Duration{modest.had, greedy.had, late.had}) -
		slices.Min([]time.Duration{modest.had, greedy.had, late.had}); d > share {
		t.Fatalf("%v, %v and %v", modest.had, greedy.had, late.had)
	}
	a.Remove(greedy)
	greedy.had = 0
	if frames(t, a, 3); greedy.had != 0 || len(a.Runs()) != 2 {
		t.Fatal("it was removed")
	}
}

func TestRunsThatFail(t *testing.T) {
	good, bad, worse := &paced{unit: ms}, &paced{unit: ms, fails: errors.New("broken")}, &paced{unit: ms, panics: true}
	a := arbiter(bad, worse, good)
	_, err := a.Share(ms, share)
	for range 3 {
		_, more := a.Share(ms, share)
		err = errors.Join(err, more)
	}
	if err == nil || !errors.Is(err, bad.fails) || !bad.stopped || !worse.stopped || good.had < 3*share {
		t.Fatalf("%v; stopped %v, %v; the good one had %v", err, bad.stopped, worse.stopped, good.had)
	}
	if a.PauseAll(); a.Running() {
		t.Fatal("still running")
	}
}

func TestTheRunInHandGoesFirst(t *testing.T) {
	one, other := &paced{unit: ms}, &paced{unit: ms}
	a := arbiter(one, other)
	a.Hold(other)
	frames(t, a, 20)
	if one.had != 0 || other.had != 20*share {
		t.Fatalf("%v and %v", one.had, other.had)
	}
	a.Hold(nil)
	one.had, other.had = 0, 0
	frames(t, a, 20)
	if d := (one.had - other.had).Abs(); d > share {
		t.Fatalf("%v and %v after it", one.had, other.had)
	}
	a.Hold(other)
	other.stopped = true
	if frames(t, a, 5); one.had == 0 {
		t.Fatal("a run that is paused keeps the others from going on")
	}
}

// Whatever steps take, runs that go on all the time get the same.
func TestTheArbiterIsFair(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var runs []*paced
		longest := share
		for range rapid.IntRange(1, 12).Draw(rt, "runs") {
			r := &paced{unit: time.Duration(rapid.IntRange(1, 40_000).Draw(rt, "µs")) * time.Microsecond}
			longest = max(longest, r.unit)
			runs = append(runs, r)
		}
		a := arbiter(runs...)
		frames(t, a, 3000)
		least, most := runs[0].had, runs[0].had
		for _, r := range runs {
			least, most = min(least, r.had), max(most, r.had)
		}
		if most-least > 2*longest {
			rt.Fatalf("from %v to %v, the longest step is %v", least, most, longest)
		}
	})
}

func TestSharingDoesNotAllocate(t *testing.T) {
	a := arbiter(&paced{unit: ms}, &paced{unit: ms / 3}, &paced{unit: 9 * ms})
	if n := testing.AllocsPerRun(100, func() { _, _ = a.Share(ms, share) }); n != 0 {
		t.Fatalf("%g allocations", n)
	}
}
