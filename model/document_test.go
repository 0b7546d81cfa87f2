package model

import (
	"testing"

	"pgregory.net/rapid"

	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/revision"
	"blossom/model/step"
)

func set(g int) *landmark.Set {
	return &landmark.Set{Codebook: matrix.New(g, 2), Pos: matrix.New(g, 2), Pinned: make([]bool, g),
		CodeRev: revision.Next(), PosRev: revision.Next()}
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
	d := New(nil, "", 1, State{Landmarks: set(3)})
	d.Do("nothing", func(*State) {})
	d.Begin("nothing either")
	d.Change(func(s *State) { s.Projection.K = 5 })
	d.Change(func(s *State) { s.Projection.K = 0 })
	d.Commit()
	if d.History().Len() != 0 {
		t.Fatalf("%d entries for no change", d.History().Len())
	}
}

func TestUndoingADragKeepsTheTrainingThatWentOn(t *testing.T) {
	d := New(nil, "", 1, State{Landmarks: set(3)})
	d.StartTraining("Train")
	d.Trained(trained(d.State().Landmarks, 1))
	d.Begin("Move landmark")
	d.Change(func(s *State) { s.Landmarks = moved(s.Landmarks, 0, 5); s.HandArranged = true })
	d.Trained(trained(d.State().Landmarks, 1))
	d.Change(func(s *State) { s.Landmarks = moved(s.Landmarks, 0, 5) })
	d.Commit()
	d.Trained(trained(d.State().Landmarks, 1))

	if name := d.Undo(); name != "Move landmark" {
		t.Fatalf("undid %q", name)
	}
	s := d.State()
	if s.Landmarks.Pos.Data[0] != 0 || s.Landmarks.Codebook.Data[0] != 3 || s.HandArranged {
		t.Fatalf("after undo of the drag: position %g, code %g", s.Landmarks.Pos.Data[0], s.Landmarks.Codebook.Data[0])
	}
	d.Undo()
	if c := d.State().Landmarks.Codebook.Data[0]; c != 0 {
		t.Fatalf("after undo of the training: code %g", c)
	}
	d.Redo()
	d.Redo()
	s = d.State()
	if s.Landmarks.Pos.Data[0] != 10 || s.Landmarks.Codebook.Data[0] != 3 || !s.HandArranged {
		t.Fatalf("after redo: position %g, code %g", s.Landmarks.Pos.Data[0], s.Landmarks.Codebook.Data[0])
	}
}

func TestExtendIsOneEntry(t *testing.T) {
	d := New(nil, "", 1, State{Landmarks: set(2)})
	start := d.State().Landmarks
	for range 5 {
		d.Extend("Nudge", func(s *State) { s.Landmarks = moved(s.Landmarks, 0, 1) })
	}
	d.Do("Look", func(s *State) { s.Look.Size++ })
	d.Extend("Nudge", func(s *State) { s.Landmarks = moved(s.Landmarks, 0, 1) })
	if d.History().Len() != 3 {
		t.Fatalf("%d entries", d.History().Len())
	}
	d.Undo()
	d.Undo()
	d.Undo()
	if d.State().Landmarks.PosRev != start.PosRev {
		t.Fatal("undo does not lead back")
	}
	d.Redo()
	if x := d.State().Landmarks.Pos.Data[0]; x != 5 {
		t.Fatalf("redo leads to %g", x)
	}
}

func TestCancelPutsBack(t *testing.T) {
	d := New(nil, "", 1, State{Landmarks: set(2)})
	d.Begin("Move")
	d.Change(func(s *State) { s.Landmarks = moved(s.Landmarks, 1, 2) })
	d.Trained(trained(d.State().Landmarks, 4))
	d.Cancel()
	s := d.State()
	if s.Landmarks.Pos.Data[2] != 0 || s.Landmarks.Codebook.Data[0] != 4 || d.History().Len() != 0 {
		t.Fatal("cancel did not put back exactly the drag")
	}
}

func TestHistoryForgetsTheOldestBeyondItsMemory(t *testing.T) {
	d := New(nil, "", 1, State{Landmarks: set(1 << 20)}) // 16 MiB a set
	for range 40 {
		d.Do("move", func(s *State) { s.Landmarks = moved(s.Landmarks, 0, 1) })
	}
	if n := d.History().Len(); n >= 40 || n < 10 {
		t.Fatalf("%d entries kept", n)
	}
}

// Any sequence of edits, undone to the start and redone to the end, passes through the same states.
func TestUndoRedoRetraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := New(nil, "", 1, State{Landmarks: set(4), Train: Train{Values: step.Values{}}})
		states := []State{d.State()}
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				d.Do("move", func(s *State) { s.Landmarks = moved(s.Landmarks, 0, 1) })
			case 1:
				d.Do("k", func(s *State) { s.Projection.K++ })
			case 2:
				d.Do("grow", func(s *State) { s.Landmarks = set(s.Landmarks.Len() + 1) })
			case 3:
				d.Do("look", func(s *State) { s.Look.Size++ })
			case 4:
				d.StartTraining("train")
				d.Trained(trained(d.State().Landmarks, 1))
			case 5:
				d.Do("values", func(s *State) {
					s.Train.Values = step.Values{"sigma": s.Train.Values["sigma"] + 1}
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
			if p := differing(&now, &states[i]); p != 0 {
				t.Fatalf("undo to %d: parts %b differ", i, p)
			}
		}
		for i := 1; i < len(states); i++ {
			d.Redo()
			now := d.State()
			if p := differing(&now, &states[i]); p != 0 {
				t.Fatalf("redo to %d: parts %b differ", i, p)
			}
		}
	})
}
