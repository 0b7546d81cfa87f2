package panel

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
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

// A neighbourhood or a step that grows over a run is said to grow.
func TestWhatGrowsOverARunIsSaid(t *testing.T) {
	fall, rise, gaps := []float32{1, 0.5}, []float32{0.2, 1}, []float32{1, 0.3, float32(math.NaN())}
	for _, c := range []struct {
		sigma, alpha []float32
		want         string
	}{{fall, gaps, ""}, {nil, nil, ""}, {fall, fall, ""}, {rise, gaps, "Sigma is"}, {fall, rise, "Alpha is"},
		{rise, rise, "Sigma and alpha are"}} {
		if got := growing(c.sigma, c.alpha); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v, %v: %q, want %q", c.sigma, c.alpha, got, c.want)
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
		if err := s.Desk.Training().Again(); err != nil {
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
	running := func() (on bool) { uitest.Do(func() { on, _, _ = s.Desk.Training().Progress() }); return on }
	// The errors are measured beside the frames: they go on until the line is there or the run is over.
	drawn := 0
	for range 2000 {
		d.Sleep(100 * time.Millisecond)
		time.Sleep(5 * time.Millisecond) // beside the frames, where there is one core
		if drawn = inked(); !running() || float32(drawn) >= 0.9*(d.Rect("side bar/train/errors").W()-12) {
			break
		}
	}
	if w := d.Rect("side bar/train/errors").W(); !running() || float32(drawn) < 0.9*(w-12) {
		t.Errorf("running %v: %d columns of the plot of %g have the line", running(), drawn, w)
	}
	s.Rest(d)
}

// trainPanel opens the panel of training; the map was trained.
func trainPanel(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver) {
	t.Helper()
	s, d := beginWith(t, o, "train")
	for id, start := range map[string]func() error{"run": s.Desk.Training().Start, "again": s.Desk.Training().Again} {
		s.Do[id] = func() {
			if err := start(); err != nil {
				s.Fail(err)
			}
		}
	}
	return s, d
}

// The line in the plot of the schedule is dragged: sigma follows while it is held, landmarks move with it, and where it
// is let go the run pauses that was not under way; the next Run goes on from there. It is one entry of the history.
func TestScheduleIsSweptByHand(t *testing.T) {
	s, d := trainPanel(t, stand.Options{Data: "demo:tesseract:3000", W: 360, H: 1000, Trained: true})
	sigmaNow := func() float64 { _, _, now := s.Desk.Training().Progress(); return now["sigma"] }
	running := func() bool { on, _, _ := s.Desk.Training().Progress(); return on }
	before, had := s.Marks().CodeRev, s.Desk.Doc.History().Len()
	r := d.Rect("side bar/train/schedule")
	x := func(f float32) float32 { return r.X0 + 4 + f*(r.W()-8) }
	y := r.Center().Y
	last := sigmaNow()
	if last > 1 {
		t.Fatalf("at rest sigma is %g", last)
	}
	d.Move(x(0.99), y)
	d.Press(shell.Left)
	var seen []float64
	for _, f := range []float32{0.6, 0.4, 0.2, 0.05} {
		d.Move(x(f), y)
		d.Frames(4)
		seen = append(seen, sigmaNow())
	}
	if !slices.IsSorted(seen) || seen[0] <= last || seen[3] < 4 {
		t.Errorf("dragged to the start sigma goes %v, from %g", seen, last)
	}
	if !running() || s.Marks().CodeRev == before {
		t.Error("landmarks do not move while the schedule is held")
	}
	d.Frames(20)
	if now := sigmaNow(); now != seen[3] {
		t.Errorf("held, sigma goes from %g to %g", seen[3], now)
	}
	d.Release(shell.Left)
	d.Frames(3)
	if held := sigmaNow(); running() || held < 4 {
		t.Errorf("let go: running %v at sigma %g", running(), held)
	}
	if n := s.Desk.Doc.History().Len(); n != had+1 {
		t.Errorf("%d entries more", n-had)
	}
	d.ClickOn("side bar/train/run")
	s.Rest(d)
	if now := sigmaNow(); now > 1 {
		t.Errorf("the run came to rest at sigma %g", now)
	}
	// A run under way goes on when the line is let go.
	d.Move(x(0.3), y)
	d.Frames(1)
	uitest.Do(func() { // in one frame: it may be short
		s.Do["again"]()
		d.Shell().Button(shell.Left, true)
	})
	d.Frames(1)
	d.Move(x(0.5), y)
	d.Frames(3)
	d.Release(shell.Left)
	s.Rest(d)
	if now := sigmaNow(); now > 1 || running() {
		t.Errorf("a run that was swept rests at sigma %g", now)
	}
	// Esc takes the press back: the schedule is where it was.
	d.Move(x(0.5), y)
	d.Press(shell.Left)
	d.Move(x(0.1), y)
	d.Frames(2)
	d.Keys("Escape")
	d.Frames(2)
	if now := sigmaNow(); now > 1 || running() {
		t.Errorf("after Esc sigma is %g, running %v", now, running())
	}
	d.Release(shell.Left)
}

// Only the selected landmarks move; the others keep every bit. With none selected it is said, and nothing runs.
func TestOnlySelectedLandmarksTrain(t *testing.T) {
	s, d := trainPanel(t, stand.Options{Data: "demo:tesseract:3000", Trained: true})
	d.ClickOn("side bar/train/Only the selected landmarks")
	if !parts.Training.Of(s.Desk.Doc.State()).Only {
		t.Fatal("the box is not checked")
	}
	d.ClickOn("side bar/train/again")
	d.Frames(2)
	on, _, _ := s.Desk.Training().Progress()
	if err := s.Trouble(); on || err == nil || !strings.Contains(err.Error(), "selected landmarks only") {
		t.Errorf("with none selected: running %v, %v", on, err)
	}
	before := s.Marks()
	uitest.Do(func() {
		s.Desk.Stage.Hand().Landmarks.Selected = []int{0, 7, 8}
		pinned, err := before.Pin([]int{7}, true)
		if err != nil {
			t.Error(err)
			return
		}
		s.Desk.Doc.Do("Pin", func(s *state.State) { parts.Landmarks.Put(s, pinned) })
	})
	d.ClickOn("side bar/train/again")
	s.Rest(d)
	after := s.Marks()
	for i := range before.Len() {
		same := slices.Equal(before.Codebook.Row(i), after.Codebook.Row(i))
		if moves := i == 0 || i == 8; moves == same {
			t.Errorf("landmark %d: same %v", i, same)
		}
	}
}

// The panel in both themes and at all sizes: nothing of it is cut off, and the default training has a schedule.
func TestTrainPanelFits(t *testing.T) {
	s, d := trainPanel(t, stand.Options{Data: "demo:tesseract:500", W: 1280, H: 1300})
	if a, ok := train.ByID("som-both"); !ok || a.Plan == nil {
		t.Fatal("the default has no schedule")
	}
	fitsAtEverySize(t, s, d, "train", [][3]int{{1280, 1300, 1}, {2560, 1800, 2}, {500, 400, 1}},
		"side bar/train/schedule", 150)
}

// A panel that shows a value which its control would never give changes nothing, and leaves no interaction open:
// training beside one crawls.
func TestPanelsLeaveTheDocumentAlone(t *testing.T) {
	s, d := trainPanel(t, stand.Options{Data: "demo:tesseract:3000"})
	uitest.Do(func() {
		s.Desk.Doc.Do("Epochs", func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Values = step.Values{"epochs": 0.002} })
		})
	})
	d.Frames(5)
	if v := parts.Training.Of(s.Desk.Doc.State()).Values["epochs"]; s.Desk.Doc.Open() || v != 0.002 {
		t.Errorf("an interaction is open: %v; epochs are %g", s.Desk.Doc.Open(), v)
	}
}
