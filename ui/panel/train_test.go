package panel

import (
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// Under the schedule stands where the run is, and of a run that the landmarks no longer come from that they changed.
func TestWhereARunStands(t *testing.T) {
	for _, c := range []struct {
		now     map[string]float64
		trained bool
		swept   bool
		want    string
	}{
		{nil, false, false, "no run in this window yet"},
		{nil, true, false, "changed since the last run"},
		{map[string]float64{"alpha": 0.05, "sigma": 2}, true, false, "drag the line to train with the values there"},
		{map[string]float64{"alpha": 0.05}, true, true, "held here while you hold it"},
	} {
		if got := stands(c.now, c.trained, c.swept); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.now, c.trained, got, c.want)
		}
	}
}

// The names of all parameters of training can be read in full in a side bar of its usual width; and a run is said to be
// of other landmarks once these were changed.
func TestParametersOfTrainingAreReadInFull(t *testing.T) {
	s, d := begin(t, "train", "demo:tesseract:500")
	for _, x := range train.All() {
		uitest.Do(func() {
			s.Desk.Doc.Do("Training", func(at *state.State) {
				parts.Training.Put(at, parts.TrainingChoice{Algorithm: x.ID,
					Values: train.Values(x.ID, s.Desk.Table().X.Rows, parts.Landmarks.Of(*at).Pos)})
			})
		})
		d.Frames(4)
		seen := 0
		uitest.Do(func() {
			for _, p := range x.Params {
				r, ok := s.UI.Rect("side bar/train/" + p.Title + "/label")
				if !ok {
					continue // choices have no label of their own
				}
				seen++
				if got := s.UI.Fit(widget.Body, p.Title, r.W()); got != p.Title {
					t.Errorf("%s: %q is shown as %q", x.Title, p.Title, got)
				}
			}
		})
		if seen == 0 {
			t.Errorf("%s: no parameter is on the panel", x.Title)
		}
	}
	if _, _, now := s.Desk.Training().Progress(); len(now) > 0 || s.Desk.Training().Begun() {
		t.Fatalf("a run before there was one: %v", now)
	}
	uitest.Do(func() {
		if err := s.Desk.Training().Step(); err != nil {
			t.Error(err)
		}
	})
	s.Rest(d)
	ran := parts.Landmarks.Of(s.Desk.Doc.State())
	uitest.Do(func() { s.Desk.Doc.Undo() })
	d.Frames(2)
	if is := parts.Landmarks.Of(s.Desk.Doc.State()); is == ran || !s.Desk.Training().Begun() {
		t.Fatal("the step was not made and undone")
	}
	if _, _, now := s.Desk.Training().Progress(); len(now) > 0 {
		t.Errorf("a run that was undone says %v", now)
	}
}

// The plot of both errors grows while a run goes on, and the error falls.
func TestErrorsAreShownOverTheRun(t *testing.T) {
	s, d := begin(t, "train", "demo:tesseract:3000")
	uitest.Do(func() {
		s.Desk.Doc.Do("Slowly", func(at *state.State) {
			parts.Training.Edit(at, func(c *parts.TrainingChoice) { c.Speed = 15_000 })
		})
		if err := s.Desk.Training().Run(true); err != nil {
			t.Error(err)
		}
	})
	// A plot of at least two measures has the line's ink in each of its columns.
	inked := func() (columns int) {
		r := d.Rect("side bar/train/errors")
		img := d.Screenshot()
		for x := int(r.X0) + 6; x < int(r.X1)-6; x++ {
			for y := int(r.Y0); y < int(r.Y1); y++ {
				if c := img.RGBAAt(x, y); int(c.B) > int(c.R)+60 {
					columns++
					break
				}
			}
		}
		return columns
	}
	for range 8 {
		d.Sleep(500 * time.Millisecond)
	}
	var on bool
	uitest.Do(func() { on, _, _ = s.Desk.Training().Progress() })
	if w := d.Rect("side bar/train/errors").W(); !on || float32(inked()) < 0.9*(w-12) {
		t.Errorf("running %v: %d columns of the plot of %g have the line", on, inked(), w)
	}
	s.Rest(d)
}
