package ui

import (
	"image/color"
	"testing"

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
			job, err := a.output.NewPicture(desk.Picture{Size: desk.OwnSize, Width: 600, Height: 400, Scale: 1,
				All: all})
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
