package work

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// rig is an owner of values whose jobs end when the test says so, on a clock that stands still.
type rig struct {
	Values
	posts  chan func()
	failed []error
	now    time.Time
}

func newRig() *rig {
	r := &rig{posts: make(chan func(), 10), now: time.Unix(1000, 0)}
	r.Jobs = &Jobs{Post: func(f func()) { r.posts <- f }, Failed: func(err error) { r.failed = append(r.failed, err) }}
	r.Clock = func() time.Time { return r.now }
	return r
}

// land lets a job that has ended land.
func (r *rig) land() { (<-r.posts)() }

type making = func(context.Context, func(done, total int64)) (string, error)

// gives makes s.
func gives(s string) making {
	return func(context.Context, func(done, total int64)) (string, error) { return s, nil }
}

// fails makes nothing.
func fails(what string) making {
	return func(context.Context, func(done, total int64)) (string, error) { return "", errors.New(what) }
}

// waits makes s once gate is open, and gives up where it is cancelled.
func waits(gate chan struct{}, s string) making {
	return func(ctx context.Context, _ func(done, total int64)) (string, error) {
		select {
		case <-gate:
			return s, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// has fails the test unless v is so.
func has(t *testing.T, v *Value[int, string], want string, fresh bool) {
	t.Helper()
	if now, is := v.Now(); now != want || is != fresh {
		t.Fatalf("%q, fresh %v: not %q, fresh %v", now, is, want, fresh)
	}
}

func TestWhatCostsLittleIsMadeAtOnce(t *testing.T) {
	r := newRig()
	v := Keep[int, string](&r.Values, Policy{})
	has(t, v, "", false)
	if !v.Want(1) {
		t.Fatal("what is not there is not to be made")
	}
	v.Make(AtOnce, gives("one"))
	has(t, v, "one", true)
	if v.Want(1) || v.Of() != 1 || len(r.Jobs.List()) != 0 {
		t.Fatalf("made of %d, %d jobs", v.Of(), len(r.Jobs.List()))
	}
	rev := v.Rev()
	v.Want(2)
	has(t, v, "one", false)
	if v.Make(1, gives("two")); v.Rev() == rev {
		t.Fatal("the same revision of another value")
	}
	has(t, v, "two", true)
}

func TestWhatCostsMuchIsMadeBesideTheWindow(t *testing.T) {
	r := newRig()
	listed := Keep[int, string](&r.Values, Policy{Title: "seen"})
	quiet := Keep[int, string](&r.Values, Policy{Title: "unseen", Quiet: true})
	for _, v := range []*Value[int, string]{listed, quiet} {
		v.Want(1)
		v.Make(AtOnce+1, gives("one"))
		has(t, v, "", false)
		if under, ok := v.Under(); under != 1 || !ok || !v.Busy() || v.Want(1) {
			t.Fatalf("under way %d, %v", under, ok)
		}
	}
	if l := r.Jobs.List(); len(l) != 1 || l[0].Title != "seen" {
		t.Fatalf("%d jobs are listed", len(l))
	}
	r.land()
	r.land()
	has(t, listed, "one", true)
	has(t, quiet, "one", true)
}

func TestAMakingOutOfDateIsCancelled(t *testing.T) {
	r, gate := newRig(), make(chan struct{})
	v := Keep[int, string](&r.Values, Policy{})
	v.Want(1)
	v.Make(Aside, waits(gate, "one"))
	if !v.Want(2) || v.Busy() {
		t.Fatal("what is out of date goes on")
	}
	v.Make(Aside, gives("two"))
	r.land()
	r.land()
	has(t, v, "two", true)
	v.Want(3)
	v.Make(Aside, waits(gate, "three"))
	if v.Want(2) || v.Busy() {
		t.Fatal("back at what is there, another is made")
	}
	r.land()
	has(t, v, "two", true)
	if len(r.failed) != 0 || v.Err() != nil {
		t.Fatalf("failed: %v, %v", r.failed, v.Err())
	}
}

func TestAMakingOutOfDateIsFinished(t *testing.T) {
	r, gate := newRig(), make(chan struct{})
	v := Keep[int, string](&r.Values, Policy{Finish: true})
	v.Want(1)
	v.Make(Aside, waits(gate, "one"))
	if v.Want(2) || !v.Busy() {
		t.Fatal("what is out of date is given up")
	}
	close(gate)
	r.land()
	has(t, v, "one", false)
	if !v.Want(2) {
		t.Fatal("the newer one does not follow")
	}
	v.Make(1, gives("two"))
	has(t, v, "two", true)
}

func TestAFailureIsSaidOnceAndNotTriedAgain(t *testing.T) {
	for name, cost := range map[string]Ops{"in the frame": 1, "beside it": Aside} {
		t.Run(name, func(t *testing.T) {
			r := newRig()
			v := Keep[int, string](&r.Values, Policy{})
			produce := func(m making) {
				if v.Make(cost, m); cost == Aside {
					r.land()
				}
			}
			v.Want(1)
			produce(gives("one"))
			v.Want(2)
			produce(fails("no two"))
			has(t, v, "one", false)
			if v.Want(2) || v.Err() == nil || v.Busy() {
				t.Fatalf("it is tried again: %v", v.Err())
			}
			if v.Want(1) || v.Err() != nil {
				t.Fatalf("what is there has failed: %v", v.Err())
			}
			if v.Want(2) || !v.Want(3) {
				t.Fatal("only what failed is not tried again")
			}
			produce(gives("three"))
			has(t, v, "three", true)
			if v.Want(2) || len(r.failed) != 1 {
				t.Fatalf("said: %v", r.failed)
			}
		})
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	r := newRig()
	v := Keep[int, string](&r.Values, Policy{})
	v.Want(1)
	v.Make(Aside, func(context.Context, func(done, total int64)) (string, error) { panic("oh") })
	r.land()
	if v.Want(1) || v.Err() == nil || len(r.failed) != 1 {
		t.Fatalf("%v, said: %v", v.Err(), r.failed)
	}
}

func TestWhoeverCancelsAJobIsNotAskedAgain(t *testing.T) {
	r := newRig()
	v := Keep[int, string](&r.Values, Policy{Title: "figures", Remedy: "ask later"})
	v.Want(1)
	v.Make(Aside, waits(nil, "one"))
	r.Jobs.List()[0].Cancel()
	r.land()
	if v.Want(1) || v.Err() == nil || len(r.failed) != 0 {
		t.Fatalf("%v, said: %v", v.Err(), r.failed)
	}
	if !strings.Contains(v.Err().Error(), "figures") {
		t.Fatal(v.Err())
	}
	if !v.Want(2) {
		t.Fatal("nothing is made any more")
	}
}

func TestEachMakingThatEndsIsHeardOf(t *testing.T) {
	r, ended := newRig(), 0
	v := Keep[int, string](&r.Values, Policy{Silent: true, Done: func() { ended++ }})
	v.Want(1)
	v.Make(1, gives("one"))
	v.Want(2)
	v.Make(Aside, fails("no two"))
	r.land()
	v.Want(3)
	v.Make(Aside, waits(nil, "three"))
	v.Want(4)
	v.Make(Aside, gives("four"))
	r.land()
	r.land()
	if ended != 3 || len(r.failed) != 0 {
		t.Fatalf("%d ended, of which one was overtaken; said %v", ended, r.failed)
	}
	has(t, v, "four", true)
}

// Wherever a value was made, its owner closes it, says that it is busy and gives it its turn in each frame.
func TestAnOwnerLooksAfterEachValue(t *testing.T) {
	r, served := newRig(), 0
	serve := func() { served++ }
	a := Keep[int, string](&r.Values, Policy{Serve: serve})
	b := Keep[string, string](&r.Values, Policy{Serve: serve})
	aside := Keep[int, string](&r.Values, Policy{Serve: serve, Background: true, Quiet: true})
	if r.Serve(); served != 3 || r.Busy() {
		t.Fatalf("%d of 3 were served, busy %v", served, r.Busy())
	}
	aside.Want(1)
	aside.Make(Aside, waits(nil, "one"))
	if r.Busy() {
		t.Fatal("busy with what nobody waits for")
	}
	due := true
	a.Due = func() bool { return due }
	if !r.Busy() {
		t.Fatal("not busy though a value is due")
	}
	due = false
	a.Want(1)
	a.Make(Aside, waits(nil, "one"))
	b.Want("x")
	b.Make(Aside, waits(nil, "x"))
	if !r.Busy() {
		t.Fatal("not busy")
	}
	if r.Close(); r.Busy() || a.Busy() || b.Busy() || aside.Busy() {
		t.Fatal("busy after it was closed")
	}
	for range 3 {
		r.land()
	}
	if !r.Jobs.Idle() || len(r.failed) != 0 || a.Err() != nil || !a.Want(1) {
		t.Fatalf("idle %v, failed %v, %v", r.Jobs.Idle(), r.failed, a.Err())
	}
	b.Drop()
	if r.Serve(); served != 5 {
		t.Fatalf("%d calls, not 5: what was dropped is served", served)
	}
}

func TestAValueThatIsForgottenWasNeverThere(t *testing.T) {
	r := newRig()
	v := Keep[int, string](&r.Values, Policy{Title: "figures"})
	v.Want(1)
	v.Make(1, gives("one"))
	v.Want(2)
	v.Make(Aside, gives("two"))
	v.Forget()
	r.land()
	has(t, v, "", false)
	if v.Rev() != 0 || v.Title != "figures" || !v.Want(1) {
		t.Fatalf("revision %d, %q", v.Rev(), v.Title)
	}
}

func TestARestFollowsAMaking(t *testing.T) {
	r := newRig()
	v := Keep[int, string](&r.Values, Policy{Share: 2, Least: 50 * time.Millisecond})
	if !v.Rested() {
		t.Fatal("tired before anything was made")
	}
	takes := func(key int, d time.Duration) {
		v.Want(key)
		v.Make(1, func(context.Context, func(done, total int64)) (string, error) {
			r.now = r.now.Add(d)
			return "", nil
		})
	}
	for i, c := range []struct{ took, rest time.Duration }{
		{time.Millisecond, 50 * time.Millisecond}, {time.Second, 2 * time.Second}} {
		takes(i, c.took)
		if r.now = r.now.Add(c.rest - 1); v.Rested() {
			t.Fatalf("after %v it rests less than %v", c.took, c.rest)
		}
		if r.now = r.now.Add(1); !v.Rested() {
			t.Fatalf("after %v it rests more than %v", c.took, c.rest)
		}
	}
}

func TestAnOwnerMayDoNothingInTheFrame(t *testing.T) {
	r := newRig()
	r.Most = -1
	v := Keep[int, string](&r.Values, Policy{})
	v.Want(1)
	v.Make(0, gives("one"))
	has(t, v, "", false)
	r.land()
	has(t, v, "one", true)
}

func TestAskingForAValueAllocatesNothing(t *testing.T) {
	r := newRig()
	v := Keep[int, string](&r.Values, Policy{})
	v.Want(1)
	v.Make(1, gives("one"))
	if a := testing.AllocsPerRun(100, func() {
		if v.Want(1) {
			t.Fatal("due")
		}
		v.Now()
		r.Serve()
		_ = r.Busy()
	}); a != 0 {
		t.Fatalf("%g allocations", a)
	}
}

// A panic while a value is made within the frame is an error like that of a job: told once, and not tried again.
func TestAPanicWithinTheFrameIsAFailureOfTheValue(t *testing.T) {
	all, failures := &Values{Jobs: &Jobs{}}, 0
	all.Jobs.Failed = func(error) { failures++ }
	v := Keep[int, int](all, Policy{Title: "Sums"})
	for range 3 {
		if v.Want(1) {
			v.Make(1, func(context.Context, func(done, total int64)) (int, error) { panic("a hostile column") })
		}
	}
	if failures != 1 || v.Lacks(1) {
		t.Errorf("told %d times, still wanted: %v", failures, v.Lacks(1))
	}
}
