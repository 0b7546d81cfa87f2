package ui

import (
	"encoding/json"
	"image/color"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// heatBeside shows a heat map in a view of its own, chosen in the menu of its header, and returns where it is.
func heatBeside(t *testing.T, a *App, d *uitest.Driver) *view.View {
	t.Helper()
	uitest.Do(func() { a.desk.Stage.Split(a.desk.Stage.Active()) })
	d.Frames(3)
	d.ClickOn("view2/embedding")
	d.Frames(3)
	d.ClickOn("Heat map of landmarks")
	rest(t, a, d)
	d.Frames(3)
	v := a.desk.Stage.Active()
	if v.State().Kind != "heat" || v.Scatter() != nil {
		t.Fatalf("the view shows %q", v.State().Kind)
	}
	return v
}

func TestHeatMapAndMapsShareSelectionAndHover(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:800"}, Still: true})
	opened(t, a, d)
	r := heatBeside(t, a, d).Area()
	x, y := r.X0+0.6*r.W(), r.Y0+0.5*r.H()
	d.Move(x, y)
	d.Frames(3)
	hand := a.desk.Stage.Hand()
	over := hand.Hover
	if over < 0 || !d.Has("tooltip") {
		t.Fatalf("the mouse is on landmark %d", over)
	}
	d.Click(x, y)
	d.Frames(3)
	if !slices.Equal(hand.Landmarks.Selected, []int{over}) {
		t.Fatalf("a click selected %v, not %d", hand.Landmarks.Selected, over)
	}
	d.Drag(x, y, x, y+60, 4)
	d.Frames(3)
	several := slices.Clone(hand.Landmarks.Selected)
	if len(several) < 2 || !slices.IsSorted(several) || !slices.Contains(several, over) {
		t.Fatalf("a drag selected %v", several)
	}
	d.Hold("Alt", func() { d.Click(x, y) })
	d.Frames(3)
	if slices.Contains(hand.Landmarks.Selected, over) || len(hand.Landmarks.Selected) != len(several)-1 {
		t.Errorf("Alt left %v of %v", hand.Landmarks.Selected, several)
	}
	d.Move(r.X0-40, y) // into the map
	d.Frames(3)
	if hand.Hover == over {
		t.Error("the hover stays when the mouse is gone")
	}
	d.Keys("Esc")
	d.Frames(2)
	if len(hand.Landmarks.Selected) > 0 {
		t.Errorf("Esc leaves %v", hand.Landmarks.Selected)
	}
}

func TestHeatMapIsKeptInTheSession(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:800"}, Still: true})
	opened(t, a, d)
	v := heatBeside(t, a, d)
	r := v.Area()
	d.Wheel(r.X0+0.6*r.W(), r.Y0+0.5*r.H(), 6)
	d.ClickOn("view2/colour")
	d.Frames(3)
	d.ClickOn("Scale all columns alike")
	d.Frames(3)
	path := filepath.Join(t.TempDir(), "heat.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(path) })
	d.Wait("it is written", 20*time.Second, func() bool { return exists(path) && a.compute.jobs.Idle() })
	kept := string(v.State().Settings)
	d.End()
	b, e := begin(t, 1280, 800, 1, Options{Paths: []string{path}, Still: true})
	opened(t, b, e)
	rest(t, b, e)
	var got struct {
		Common    bool
		Top, Span float64
	}
	all := b.desk.Stage.Views()
	if len(all) != 2 || all[0].Scatter() == nil || all[1].Scatter() != nil || string(all[1].State().Settings) != kept {
		t.Fatalf("%d views, settings %s, not %s", len(all), all[len(all)-1].State().Settings, kept)
	}
	if err := json.Unmarshal([]byte(kept), &got); err != nil || !got.Common || !(got.Span > 0) || !(got.Top > 0) {
		t.Errorf("%s keeps %+v", kept, got)
	}
	e.ClickOn("view2/embedding")
	e.Frames(3)
	e.ClickOn("PCA 2D")
	rest(t, b, e)
	if p := b.desk.Stage.Active().Scatter(); p == nil || p.Field().Kind().ID != "pca" {
		t.Error("the view cannot be one of points again")
	}
}

func TestHeatMapOfFewLandmarksAndInAPicture(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:800"}, Still: true})
	opened(t, a, d)
	v := heatBeside(t, a, d)
	l := parts.Landmarks.Of(a.desk.Doc.State())
	for n := range 3 {
		few := l
		var err error
		ids := make([]int, l.Len()-n)
		for i := range ids {
			ids[i] = i
		}
		if few, _, err = l.Remove(ids); err != nil {
			t.Fatal(err)
		}
		put(a, few)
		d.Frames(10) // a map of none does not come to rest
		if title, note := v.Content().Label(); title != "Landmarks" || note[0] != "012"[n] {
			t.Errorf("%d landmarks: %q, %q", n, title, note)
		}
	}
	put(a, l)
	rest(t, a, d)
	for _, all := range []bool{false, true} {
		uitest.Do(func() {
			job, err := a.newPicture(desk.Picture{Size: desk.OwnSize, Width: 600, Height: 400, Scale: 1, All: all})
			if err != nil {
				t.Error(err)
				return
			}
			defer job.Close()
			for done := 0.0; done < 1 && err == nil; {
				done, err = job.Step(100_000)
			}
			colours := map[color.RGBA]bool{}
			for y := range 400 {
				for x := 450; x < 600; x++ {
					colours[job.Image().RGBAAt(x, y)] = true
				}
			}
			if err != nil || len(colours) < 100 {
				t.Errorf("all %v: %d colours in the heat map, %v", all, len(colours), err)
			}
		})
	}
}

func put(a *App, l *landmark.Set) {
	uitest.Do(func() { a.desk.Doc.Do("Landmarks", func(s *state.State) { parts.Landmarks.Put(s, l) }) })
}
