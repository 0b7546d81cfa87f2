package ui

import (
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// The names of all parameters of training can be read in full in a side bar of its usual width; and a run is said to be
// of other landmarks once these were changed.
func TestParametersOfTrainingAreReadInFull(t *testing.T) {
	a, d := begin(t, 1280, 1600, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		clear(a.ui.Open)
		a.showPanel("train")
	})
	for _, x := range train.All() {
		uitest.Do(func() {
			a.desk.Doc.Do("Training", func(s *state.State) {
				parts.Training.Put(s, parts.TrainingChoice{Algorithm: x.ID,
					Values: train.Values(x.ID, a.desk.Table().X.Rows, parts.Landmarks.Of(*s).Pos)})
			})
		})
		d.Frames(4)
		seen := 0
		uitest.Do(func() {
			for _, p := range x.Params {
				r, ok := a.ui.Rect("side bar/train/" + p.Title + "/label")
				if !ok {
					continue // choices have no label of their own
				}
				seen++
				if got := a.ui.Fit(widget.Body, p.Title, r.W()); got != p.Title {
					t.Errorf("%s: %q is shown as %q", x.Title, p.Title, got)
				}
			}
		})
		if seen == 0 {
			t.Errorf("%s: no parameter is on the panel", x.Title)
		}
	}
	if _, _, now := a.desk.Training().Progress(); len(now) > 0 || a.desk.Training().Begun() {
		t.Fatalf("a run before there was one: %v", now)
	}
	uitest.Do(func() {
		if err := a.desk.Training().Step(); err != nil {
			t.Error(err)
		}
	})
	rest(t, a, d)
	ran := parts.Landmarks.Of(a.desk.Doc.State())
	uitest.Do(func() { a.desk.Doc.Undo() })
	d.Frames(2)
	if is := parts.Landmarks.Of(a.desk.Doc.State()); is == ran || !a.desk.Training().Begun() {
		t.Fatal("the step was not made and undone")
	}
	if _, _, now := a.desk.Training().Progress(); len(now) > 0 {
		t.Errorf("a run that was undone says %v", now)
	}
}
