package live

import (
	"testing"

	"blossom/model/base/step"
	"blossom/model/document/state"

	"blossom/model/document/parts"
)

// All runs are paused, also those that wait for what they work on, and go on when they may: a training whose table is
// on its way, a t-SNE that looks for neighbours. Each is one entry of the history.
func TestRunsThatWaitAreSuspendedAndGoOn(t *testing.T) {
	d, e := mapped(t, 200, 2)
	set(d, 2, step.Values{"total": 60})
	d.settle(t)
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	d.Doc.Do("Transform", func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		spec.Scale = !spec.Scale
		parts.Transform.Put(s, spec)
	})
	done := d.Doc.History().Done()
	if err := d.Training().Start(); err != nil {
		t.Fatal(err)
	}
	if d.Map.consistent() || !d.Training().Active() || !e.steps.Run().Active() {
		t.Fatal("nothing waits")
	}
	resume := d.Runs().Suspend()
	if d.Training().Active() || e.steps.Run().Active() {
		t.Error("what waits is not paused")
	}
	d.settle(t)
	if d.Training().Begun() {
		t.Error("the training goes on by itself")
	}
	if err := resume(); err != nil {
		t.Fatal(err)
	}
	if !d.Training().Active() || !e.steps.Run().Active() {
		t.Error("what waited does not go on")
	}
	d.settle(t)
	if n := d.Doc.History().Done(); !d.Training().Begun() || n > done+2 {
		t.Errorf("%d entries for two runs", n-done)
	}
}

// A training that is paused while it waits is one entry once it is started.
func TestATrainingPausedWhileItWaitsIsOneEntry(t *testing.T) {
	d, _ := mapped(t, 200, 2)
	d.settle(t)
	d.Doc.Do("Transform", func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		spec.Scale, spec.Robust = !spec.Scale, false
		parts.Transform.Put(s, spec)
	})
	done := d.Doc.History().Done()
	if err := d.Training().Start(); err != nil {
		t.Fatal(err)
	}
	d.Training().Pause()
	d.settle(t)
	if err := d.Training().Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if n := d.Doc.History().Done(); n != done+1 {
		t.Errorf("%d entries for one run", n-done)
	}
}
