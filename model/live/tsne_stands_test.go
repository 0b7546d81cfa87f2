package live

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/model/work"
)

// told is what the panel says of a run.
func told(e *Embedding) member.Running {
	r := e.Stands()
	r.Curve, r.Known, r.Rate, r.Figure = nil, false, 0, 0
	return r
}

// A map is told of alike before and after undo, redo and a session, where there is no runner.
func TestTSNEIsToldTheSameWithoutARunner(t *testing.T) {
	d, e := mapped(t, 200, 2)
	set(d, 2, step.Values{"total": 60, "until": 20, "perplexity": 90, "points": 150})
	d.settle(t)
	done := told(e)
	if done.Total != 60 || done.Units != 60 || !done.Rest || done.Early != 20 || done.Points != 150 ||
		done.Warning == "" || !done.Just { // so that a key that was to pause it does not run it on
		t.Fatalf("%+v", done)
	}
	same := func(what string, e *Embedding, want member.Running) {
		t.Helper()
		got := told(e)
		got.Just, got.Rested, want.Just, want.Rested = false, time.Time{}, false, time.Time{} // when it was, here
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s it is told %+v, not %+v", what, got, want)
		}
	}
	was := d.Doc.History().Now()
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	e.steps.Run().Start(work.OneUnit)
	d.toUnit(t, e, 30)
	d.settle(t)
	now := d.Doc.History().Now()
	half := told(e)
	if half.Total != 60 || half.Units != 30 || half.Rest {
		t.Fatalf("%+v", half)
	}
	d.Doc.Go(was)
	d.settle(t)
	same("after undo", e, done)
	d.Doc.Go(now)
	d.settle(t)
	same("after redo", e, half)
	o, again := d.reopened(t, 2)
	o.frame(t)
	same("opened again", again, half)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	same("done once more", e, done)
	o, again = d.reopened(t, 2)
	o.frame(t)
	same("opened again at its end", again, done)
	// A session of an earlier version knows the units alone.
	d.Doc.Drift(func(s *state.State, _ bool) {
		was := parts.Snapshots.Of(*s).Get(e.Recipe())
		old, memory := *was, *was.Memory
		memory.Outcome = parts.Outcome{}
		old.Memory = &memory
		parts.Snapshots.Put(s, parts.Snapshots.Of(*s).With(&old))
	})
	d.settle(t)
	if r := e.Stands(); !r.Rest || r.Total != 60 {
		t.Errorf("of an earlier version: %+v", r)
	}
}

// A map that has done its units says so also where there is no runner, without an entry of the history; after points
// were moved it goes on for some units, so that the others answer. A single unit is named one.
func TestTSNEGoesOnAfterPointsWereMoved(t *testing.T) {
	d, e := mapped(t, 200, 2)
	var said string
	d.Notice = func(text string) { said = text }
	set(d, 2, step.Values{"total": 60, "until": 20})
	d.settle(t)
	d.Doc.Undo()
	d.settle(t)
	d.Doc.Redo()
	d.settle(t)
	entries := d.Doc.History().Len()
	for _, do := range []func() error{e.Start, e.Step} {
		said = ""
		if err := do(); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		if d.Doc.History().Len() != entries || !strings.Contains(said, "has done its 60 units") || e.Stands().Active {
			t.Fatalf("%d entries, not %d; it says %q", d.Doc.History().Len(), entries, said)
		}
	}
	// Moved, undone and redone: what was moved is told, and it goes on.
	pos := []float32{40, 40}
	e.Hold(true)
	if err := e.Move([]int{7}, pos); err != nil {
		t.Fatal(err)
	}
	d.until(t, "it goes on in the hand", func() bool { return e.Stands().Units > 60 })
	if r := e.Stands(); !r.Active || r.Units <= 60 || r.Total != 0 {
		t.Errorf("in the hand: %+v", r)
	}
	e.Hold(false)
	d.settle(t)
	moved := told(e)
	if moved.Rest || moved.Total != 60 || moved.Units < 60 {
		t.Fatalf("after a drag: %+v", moved)
	}
	d.Doc.Undo()
	d.settle(t)
	d.Doc.Redo()
	d.settle(t)
	if got := told(e); !reflect.DeepEqual(got, moved) {
		t.Fatalf("after redo it is told %+v, not %+v", got, moved)
	}
	if err := e.Step(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if r := e.Stands(); r.Units != moved.Units+1 || d.Doc.History().CanUndo() != "One unit of t-SNE" {
		t.Fatalf("%+v, %q", r, d.Doc.History().CanUndo())
	}
	was := slices.Clone(e.Target().Host())
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	if r := e.Stands(); r.Total != moved.Units+1+50 {
		t.Fatalf("it goes on to unit %d", r.Total)
	}
	d.settle(t)
	if r := e.Stands(); r.Units != moved.Units+51 || !r.Rest || r.Total != 60 || slices.Equal(was, e.Target().Host()) {
		t.Fatalf("the others do not answer: %+v", r)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	if said = ""; e.Stands().Active {
		t.Fatal("it goes on though nothing was moved since")
	}
}

// A measurement says after which unit it was made; the map before is not measured while another begins, nor is a blend
// of two maps.
func TestTSNEIsMeasuredAtAUnit(t *testing.T) {
	d, e := mapped(t, 200, 2)
	set(d, 2, step.Values{"total": 60, "until": 20})
	measured := func() *Measured {
		t.Helper()
		d.settle(t)
		d.until(t, "it is measured", func() bool { q := d.QualityOf(e); return !q.Older && q.Now != nil })
		return d.QualityOf(e).Now
	}
	q := measured()
	if !q.Runs || q.Unit != 60 {
		t.Fatalf("%+v", q)
	}
	if err := e.Blend(d.EmbedSOM(), 0.5); err != nil {
		t.Fatal(err)
	}
	if between := d.QualityOf(e); !between.Blended || between.Now != nil || between.Before != nil {
		t.Fatalf("between two maps: %+v", between)
	}
	if err := e.Blend(d.EmbedSOM(), 1); err != nil || d.QualityOf(e).Now != q {
		t.Fatalf("%v, %+v", err, d.QualityOf(e))
	}
	set(d, 2, step.Values{"perplexity": 20})
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	for e.Stands().Job != nil { // neighbours are looked for, and the map before is shown
		q := d.QualityOf(e)
		if g := d.gauge(e); q.Now != nil || g.value.Busy() || len(e.Stands().Curve) > 0 {
			t.Fatalf("the map before is told of: %+v", q)
		}
		d.frame(t)
	}
	if q := measured(); q.Unit != 60 || !e.Stands().Rest {
		t.Fatalf("at rest what was measured is of unit %d", q.Unit)
	}
	// A run that has gone on by a tenth is measured again.
	e.steps.Run().SetProgress(step.Progress{Done: 65})
	e.steps.Run().Start(work.ToRest)
	if d.gauge(e).far() {
		t.Error("5 units of 60 are far")
	}
	if e.steps.Run().SetProgress(step.Progress{Done: 66}); !d.gauge(e).far() {
		t.Error("6 units of 60 are not far")
	}
	e.steps.Run().Abandon(true)
}

// Points that are let go of before a runner is there to answer are moved all the same: undone and redone, the map goes
// on.
func TestTSNEKnowsOfPointsMovedWithoutARunner(t *testing.T) {
	d, e := mapped(t, 200, 2)
	set(d, 2, step.Values{"total": 60, "until": 20})
	d.settle(t)
	d.Doc.Undo()
	d.settle(t)
	d.Doc.Redo() // which has let go of the runner
	d.settle(t)
	e.Hold(true)
	if err := e.Move([]int{7}, []float32{40, 40}); err != nil {
		t.Fatal(err)
	}
	e.Hold(false)
	d.settle(t)
	moved := told(e)
	if moved.Rest || moved.Units != 60 {
		t.Fatalf("after a drag: %+v", moved)
	}
	d.Doc.Undo()
	d.settle(t)
	if r := e.Stands(); !r.Rest {
		t.Fatalf("undone: %+v", r)
	}
	d.Doc.Redo()
	d.settle(t)
	if got := told(e); !reflect.DeepEqual(got, moved) {
		t.Fatalf("after redo it is told %+v, not %+v", got, moved)
	}
}

// Settings that are changed after a run are marked as changed. A drag answers with those that the map was made with;
// a run that is wanted goes on with those that are chosen.
func TestChangedSettingsAreMarkedAndNoDragAppliesThem(t *testing.T) {
	dragged := func(v step.Values) (*desk, *Embedding) {
		t.Helper()
		d, e := mapped(t, 200, 2)
		set(d, 2, step.Values{"total": 60, "until": 20})
		d.settle(t)
		if r := e.Stands(); r.Changed || r.More != 50 {
			t.Fatalf("after the run: %+v", r)
		}
		set(d, 2, v)
		if r := e.Stands(); r.Changed != (len(v) > 0) || r.More != 50 || r.Active {
			t.Fatalf("%v is chosen: %+v", v, r)
		}
		d.Doc.Undo() // the choice, then the run, so that there is no runner
		d.Doc.Undo()
		d.settle(t)
		d.Doc.Redo()
		d.Doc.Redo()
		d.settle(t)
		if r := e.Stands(); r.Changed != (len(v) > 0) {
			t.Fatalf("%v, undone and redone: %+v", v, r)
		}
		e.Hold(true)
		for i := range 5 {
			if err := e.Move([]int{7, 9}, []float32{10, 10 + float32(i), 12, 10}); err != nil {
				t.Fatal(err)
			}
			d.until(t, "it answers", func() bool { return e.Stands().Units > 60+int64(i) })
		}
		e.Hold(false)
		d.settle(t)
		return d, e
	}
	_, a := dragged(nil)
	d, e := dragged(step.Values{"perplexity": 5, "exaggeration": 1})
	was, on := a.steps.Works()
	now, basis := e.steps.Works()
	if !maps.Equal(was, now) {
		t.Errorf("the drag was answered with %v, without other settings with %v", now, was)
	}
	if basis != on {
		t.Errorf("the drag was answered by neighbours of %q, not %q", basis, on)
	}
	if !e.Stands().Changed {
		t.Error("after the drag the settings are not marked any more")
	}
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	now, _ = e.steps.Works()
	if r := e.Stands(); r.Changed || now["perplexity"] != 5 {
		t.Errorf("started over: %+v with %v", r, now)
	}
	if err := e.More(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if r := e.Stands(); r.Units != 110 || r.Total != 110 || r.Changed {
		t.Errorf("with more units: %+v", r)
	}
}
