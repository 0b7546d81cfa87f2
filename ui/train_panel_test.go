package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/ui/shell"
	"blossom/ui/uitest"
)

// trainPanel opens a demo with nothing but the Train panel unfolded.
func trainPanel(t *testing.T, path string, w, h int, scale float32) (*App, *uitest.Driver) {
	t.Helper()
	a, d := begin(t, w, h, scale, Options{Paths: []string{path}})
	opened(t, a, d)
	uitest.Do(func() {
		clear(a.ui.Open)
		a.showPanel("train")
	})
	d.Frames(4)
	return a, d
}

// sigmaNow is that of the run.
func sigmaNow(a *App) (sigma float64) {
	uitest.Do(func() {
		_, _, now := a.desk.Training().Progress()
		sigma = now["sigma"]
	})
	return sigma
}

// The line in the plot of the schedule is dragged: sigma follows while it is held, landmarks move with it, and where it
// is let go the run pauses that was not under way; the next Run goes on from there. It is one entry of the history.
func TestScheduleIsSweptByHand(t *testing.T) {
	a, d := trainPanel(t, "demo:tesseract:3000", 1280, 1000, 1)
	entries := func() (n int) { uitest.Do(func() { n = a.desk.Doc.History().Len() }); return n }
	code := func() (rev any) {
		uitest.Do(func() { rev = parts.Landmarks.Of(a.desk.Doc.State()).CodeRev })
		return rev
	}
	before, had := code(), entries()
	r := d.Rect("side bar/train/schedule")
	x := func(f float32) float32 { return r.X0 + 4 + f*(r.W()-8) }
	y := r.Center().Y
	last := sigmaNow(a)
	if last > 1 {
		t.Fatalf("at rest sigma is %g", last)
	}
	d.Move(x(0.99), y)
	d.Press(shell.Left)
	var seen []float64
	for _, f := range []float32{0.6, 0.4, 0.2, 0.05} {
		d.Move(x(f), y)
		d.Frames(4)
		seen = append(seen, sigmaNow(a))
	}
	if !slices.IsSorted(seen) || seen[0] <= last || seen[3] < 4 {
		t.Errorf("dragged to the start sigma goes %v, from %g", seen, last)
	}
	running := func() (on bool) { uitest.Do(func() { on, _, _ = a.desk.Training().Progress() }); return on }
	if !running() || code() == before {
		t.Error("landmarks do not move while the schedule is held")
	}
	d.Frames(20)
	if now := sigmaNow(a); now != seen[3] {
		t.Errorf("held, sigma goes from %g to %g", seen[3], now)
	}
	d.Release(shell.Left)
	d.Frames(3)
	held := sigmaNow(a)
	if running() || held < 4 {
		t.Errorf("let go: running %v at sigma %g", running(), held)
	}
	if entries() != had+1 {
		t.Errorf("%d entries more", entries()-had)
	}
	d.ClickOn("side bar/train/run")
	rest(t, a, d)
	if now := sigmaNow(a); now > 1 {
		t.Errorf("the run came to rest at sigma %g", now)
	}
	// Of a run under way, which goes on when the line is let go.
	d.Move(x(0.3), y)
	d.Frames(1)
	uitest.Do(func() { // in one frame: it may be short
		a.trainAgain()
		d.Shell().Button(shell.Left, true)
	})
	d.Frames(1)
	d.Move(x(0.5), y)
	d.Frames(3)
	d.Release(shell.Left)
	rest(t, a, d)
	if now := sigmaNow(a); now > 1 || running() {
		t.Errorf("a run that was swept rests at sigma %g", now)
	}
	// Undone with the press of Esc: the schedule is where it was.
	d.Move(x(0.5), y)
	d.Press(shell.Left)
	d.Move(x(0.1), y)
	d.Frames(2)
	d.Keys("Escape")
	d.Frames(2)
	if now := sigmaNow(a); now > 1 || running() {
		t.Errorf("after Esc sigma is %g, running %v", now, running())
	}
	d.Release(shell.Left)
}

// Only the selected landmarks move; the others keep every bit. With none selected it is said, and nothing runs.
func TestOnlySelectedLandmarksTrain(t *testing.T) {
	a, d := trainPanel(t, "demo:tesseract:3000", 1280, 1000, 1)
	d.ClickOn("side bar/train/Only the selected landmarks")
	uitest.Do(func() {
		if !parts.Training.Of(a.desk.Doc.State()).Only {
			t.Fatal("the box is not checked")
		}
		a.trainAgain()
	})
	d.Frames(2)
	uitest.Do(func() {
		if on, _, _ := a.desk.Training().Progress(); on || !strings.Contains(a.log.text(), "selected landmarks only") {
			t.Errorf("with none selected: running %v, log %q", on, a.log.text())
		}
		h := a.desk.Stage.Hand()
		h.Selected = []int{0, 7, 8}
	})
	d.Frames(2)
	before := parts.Landmarks.Of(a.desk.Doc.State())
	uitest.Do(func() {
		pinned, err := before.Pin([]int{7}, true)
		if err != nil {
			t.Fatal(err)
		}
		a.desk.Doc.Do("Pin", func(s *state.State) { parts.Landmarks.Put(s, pinned) })
		a.trainAgain()
	})
	rest(t, a, d)
	after := parts.Landmarks.Of(a.desk.Doc.State())
	for i := range before.Len() {
		same := slices.Equal(before.Codebook.Row(i), after.Codebook.Row(i))
		if moves := i == 0 || i == 8; moves == same {
			t.Errorf("landmark %d: same %v", i, same)
		}
	}
}

// The panel in both themes and at all sizes: nothing of it is cut off, and every training has its rows.
func TestTrainPanelFits(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		scale float32
	}{{1280, 1300, 1}, {2560, 1800, 2}, {500, 400, 1}} {
		a, d := trainPanel(t, "demo:tesseract:500", c.w, c.h, c.scale)
		for _, theme := range []string{"light", "dark"} {
			d.Frames(4)
			d.Shoot(fmt.Sprintf("train-%dx%d-%s", c.w, c.h, theme))
			uitest.Do(a.toggleTheme)
		}
		r := d.Rect("side bar/train/schedule")
		if r.W() < 150*c.scale || r.X1 > float32(c.w) {
			t.Errorf("%d x %d: the schedule lies at %v", c.w, c.h, r)
		}
		if a, ok := train.ByID("som-both"); !ok || a.Plan == nil {
			t.Fatal("the default has no schedule")
		}
		d.End()
	}
}
