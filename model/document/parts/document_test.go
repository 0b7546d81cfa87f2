package parts

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

func set(g int) *landmark.Set {
	return &landmark.Set{Codebook: matrix.New(g, 2), Pos: matrix.New(g, 2), Pinned: make([]bool, g),
		CodeRev: revision.Next(), PosRev: revision.Next(), PinRev: revision.Next()}
}

func moved(s *landmark.Set, i int, x float32) *landmark.Set {
	c := *s
	c.Pos = s.Pos.Clone()
	c.Pos.Row(i)[0] += x
	c.PosRev = revision.Next()
	return &c
}

func trained(s *landmark.Set, by float32) *landmark.Set {
	c := *s
	c.Codebook = s.Codebook.Clone()
	c.Codebook.Data[0] += by
	c.CodeRev = revision.Next()
	return &c
}

func TestNoEntryWithoutAChange(t *testing.T) {
	d := documentOf(set(3))
	d.Do("nothing", func(*state.State) {})
	d.Begin("nothing either")
	d.Change(func(s *state.State) { Projection.Edit(s, func(p *embedsom.Params) { p.K = 5 }) })
	d.Change(func(s *state.State) { Projection.Edit(s, func(p *embedsom.Params) { p.K = 10 }) })
	d.Commit()
	if d.History().Len() != 0 {
		t.Fatalf("%d entries for no change", d.History().Len())
	}
}

func TestUndoingADragKeepsTheTrainingThatWentOn(t *testing.T) {
	d := documentOf(set(3))
	StartTraining(d, "Train")
	Trained(d, trained(Landmarks.Of(d.State()), 1))
	d.Begin("Move landmark")
	d.Change(func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 5).Arranged()) })
	Trained(d, trained(Landmarks.Of(d.State()), 1))
	d.Change(func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 5)) })
	d.Commit()
	Trained(d, trained(Landmarks.Of(d.State()), 1))

	if name := d.Undo(); name != "Move landmark" {
		t.Fatalf("undid %q", name)
	}
	s := d.State()
	if Landmarks.Of(s).Pos.Data[0] != 0 || Landmarks.Of(s).Codebook.Data[0] != 3 || Landmarks.Of(s).ByHand {
		t.Fatalf("after undo of the drag: position %g, code %g", Landmarks.Of(s).Pos.Data[0],
			Landmarks.Of(s).Codebook.Data[0])
	}
	d.Undo()
	if c := Landmarks.Of(d.State()).Codebook.Data[0]; c != 0 {
		t.Fatalf("after undo of the training: code %g", c)
	}
	d.Redo()
	d.Redo()
	s = d.State()
	if Landmarks.Of(s).Pos.Data[0] != 10 || Landmarks.Of(s).Codebook.Data[0] != 3 || !Landmarks.Of(s).ByHand {
		t.Fatalf("after redo: position %g, code %g", Landmarks.Of(s).Pos.Data[0], Landmarks.Of(s).Codebook.Data[0])
	}
}

func TestExtendIsOneEntry(t *testing.T) {
	d := documentOf(set(2))
	start := Landmarks.Of(d.State())
	for range 5 {
		d.Extend("Nudge", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 1)) })
	}
	d.Do("Look", func(s *state.State) { larger(s) })
	d.Extend("Nudge", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 1)) })
	if d.History().Len() != 3 {
		t.Fatalf("%d entries", d.History().Len())
	}
	d.Undo()
	d.Undo()
	d.Undo()
	if Landmarks.Of(d.State()).PosRev != start.PosRev {
		t.Fatal("undo does not lead back")
	}
	d.Redo()
	if x := Landmarks.Of(d.State()).Pos.Data[0]; x != 5 {
		t.Fatalf("redo leads to %g", x)
	}
}

func TestCancelPutsBack(t *testing.T) {
	d := documentOf(set(2))
	d.Begin("Move")
	d.Change(func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 1, 2)) })
	Trained(d, trained(Landmarks.Of(d.State()), 4))
	d.Cancel()
	s := d.State()
	if Landmarks.Of(s).Pos.Data[2] != 0 || Landmarks.Of(s).Codebook.Data[0] != 4 || d.History().Len() != 0 {
		t.Fatal("cancel did not put back exactly the drag")
	}
}

func TestHistoryForgetsTheOldestBeyondItsMemory(t *testing.T) {
	d := documentOf(set(1 << 20)) // 16 MiB a set
	for range 40 {
		d.Do("move", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 1)) })
	}
	if n := d.History().Len(); n >= 40 || n < 10 {
		t.Fatalf("%d entries kept", n)
	}
}

// Any sequence of edits, undone to the start and redone to the end, passes through the same states.
func TestUndoRedoRetraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := documentOf(set(4))
		states := []state.State{d.State()}
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				d.Do("move", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 1)) })
			case 1:
				d.Do("k", func(s *state.State) { Projection.Edit(s, func(p *embedsom.Params) { p.K++ }) })
			case 2:
				d.Do("grow", func(s *state.State) { Landmarks.Put(s, set(Landmarks.Of(*s).Len()+1)) })
			case 3:
				d.Do("look", func(s *state.State) { larger(s) })
			case 4:
				StartTraining(d, "train")
				Trained(d, trained(Landmarks.Of(d.State()), 1))
			case 5:
				d.Do("values", func(s *state.State) {
					Training.Edit(s, func(t *TrainingChoice) {
						t.Values = step.Values{"sigma": t.Values["sigma"] + 1}
					})
				})
			}
			states = append(states, d.State())
		}
		if d.History().Done() != len(states)-1 {
			t.Fatalf("%d entries for %d edits", d.History().Done(), len(states)-1)
		}
		for i := len(states) - 2; i >= 0; i-- {
			d.Undo()
			now := d.State()
			if !same(now, states[i]) {
				t.Fatalf("undo to %d: parts differ", i)
			}
		}
		for i := 1; i < len(states); i++ {
			d.Redo()
			now := d.State()
			if !same(now, states[i]) {
				t.Fatalf("redo to %d: parts differ", i)
			}
		}
	})
}

func documentOf(l *landmark.Set) *state.Document {
	var s state.State
	Landmarks.Put(&s, l)
	return state.New(nil, "", 1, s)
}

func larger(s *state.State) {
	Looks.Edit(s, func(t *LookTable) {
		l := t.Get(FirstView)
		l.Size++
		*t = t.With(FirstView, l)
	})
}

func same(a, b state.State) bool {
	x, y := Landmarks.Of(a), Landmarks.Of(b)
	return sameCode(x, y) && samePlaces(x, y) && samePins(x, y) && Projection.Of(a) == Projection.Of(b) &&
		maps.Equal(Looks.Of(a), Looks.Of(b)) && maps.Equal(Training.Of(a).Values, Training.Of(b).Values)
}

// Names, pins and looks at the views each tell a saved document from a changed one; views do not.
func TestStampsTellEveryPart(t *testing.T) {
	d := documentOf(set(3))
	seen := []state.Stamp{d.State().Stamp(false)}
	told := func(what string) {
		t.Helper()
		now := d.State().Stamp(false)
		for _, s := range seen {
			if s == now {
				t.Fatalf("%s: the stamp is one that was there before", what)
			}
		}
		seen = append(seen, now)
	}
	rename := func(name string) {
		l, err := Landmarks.Of(d.State()).Rename(1, name)
		if err != nil {
			t.Fatal(err)
		}
		d.Do("Name", func(s *state.State) { Landmarks.Put(s, l) })
	}
	rename("a")
	told("a name")
	d.Undo()
	if d.State().Stamp(false) != seen[0] {
		t.Fatal("undo does not bring the stamp back")
	}
	rename("b") // as many entries as before, and another name
	told("another name")
	l, _ := Landmarks.Of(d.State()).Pin([]int{0}, true)
	d.Do("Pin", func(s *state.State) { Landmarks.Put(s, l) })
	told("a pin")
	d.Do("Speed", func(s *state.State) { Training.Edit(s, func(t *TrainingChoice) { t.Speed = 9 }) })
	told("a speed")

	before, entries := d.State(), d.History().Len()
	d.Look(func(s *state.State) {
		Views.Edit(s, func(l *ViewList) { *l = l.Edit(FirstView, func(v *View) { v.Legend = false }) })
	})
	if d.History().Len() != entries || d.State().Stamp(false) != before.Stamp(false) {
		t.Fatal("a view toggle is an entry of the history, or unsaved work")
	}
	if d.State().Stamp(true) == before.Stamp(true) {
		t.Fatal("a view toggle would not be saved by itself")
	}
}

// A view that is split off takes a look along, which is no entry of the history: undoing what was done before leaves
// it alone.
func TestALookOutlivesTheUndoOfOlderOnes(t *testing.T) {
	d := state.New(nil, "t", 1, state.State{})
	set := func(s *state.State, view, column string) {
		l := DefaultLook()
		l.Column = column
		Looks.Put(s, Looks.Of(*s).With(view, l))
	}
	d.Do("Colour by a", func(s *state.State) { set(s, "1", "a") })
	d.Always(func(s *state.State) { set(s, "2", "a") })
	d.Do("Colour by b", func(s *state.State) { set(s, "2", "b") })
	for _, want := range [][2]string{{"a", "a"}, {"", "a"}} {
		d.Undo()
		t1, t2 := Looks.Of(d.State()).Get("1"), Looks.Of(d.State()).Get("2")
		if got := [2]string{t1.Column, t2.Column}; got != want {
			t.Errorf("undone to %q, want %q", got, want)
		}
	}
	d.Redo()
	d.Redo()
	if l := Looks.Of(d.State()); l.Get("1").Column != "a" || l.Get("2").Column != "b" {
		t.Errorf("done again: %v", l)
	}
}
