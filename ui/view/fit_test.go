package view_test

import (
	"math"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/maps/derived"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A map that has come to rest by itself is fitted as it then is, however fast it formed.
func TestAMapAtRestIsFitted(t *testing.T) {
	s, _ := begin(t, stand.Options{Data: "demo:tesseract:2000", W: 1280, H: 800, Trained: true})
	v := s.Desk.Stage.Scatter()
	uitest.Do(func() {
		was := v.Eye.Saved()
		v.Fit(false)
		now := v.Eye.Saved()
		if math.Abs(was.X-now.X) > 1e-6 || math.Abs(was.Y-now.Y) > 1e-6 || math.Abs(was.Scale/now.Scale-1) > 1e-6 {
			t.Errorf("it stands at %+v, fitted at %+v", was, now)
		}
	})
}

// A blood sample coloured by its populations has them all in its legend.
func TestColourByLabels(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:3000", W: 1280, H: 800})
	var label string
	for _, c := range s.Desk.Doc.Data.Columns {
		if c.Role == dataset.Label {
			label = c.Name
		}
	}
	uitest.Do(func() {
		s.Desk.ColourBy(label)
		s.Desk.Show(func(v *parts.View) { v.Landmarks = false })
	})
	s.Rest(d)
	v := s.Desk.Stage.Scatter()
	if l := v.Colours.Legend(v.Colouring()); l == nil || len(l.Entries) < 20 {
		t.Fatal("the legend does not list the populations")
	}
}

// A window is fitted to what a picture without one shows: the same share of points are outliers to both.
func TestWindowAndPictureFitAlike(t *testing.T) {
	s, _ := begin(t, stand.Options{Data: "demo:cytometry:3000", W: 700, H: 520})
	uitest.Do(func() {
		v := s.Desk.Stage.Scatter()
		got, ok := v.Extent()
		host := v.Points().Host()
		low, high, known := derived.Core(derived.Positions{Dims: 2, Pos: host, Marks: s.Marks().Pos})
		if !ok || !known {
			t.Error("no extent")
			return
		}
		for axis, x := range [][2]float64{{got.Min.X, got.Max.X}, {got.Min.Y, got.Max.Y}} {
			room := (high[axis] - low[axis]) * 0.03 / 1.06 // margin that Core leaves around
			if far := 0.004 * (high[axis] - low[axis]); math.Abs(x[0]-low[axis]-room) > far ||
				math.Abs(x[1]-high[axis]+room) > far {
				t.Errorf("axis %d: the window shows %g to %g, a picture %g to %g", axis, x[0], x[1], low[axis]+room,
					high[axis]-room)
			}
		}
	})
}
