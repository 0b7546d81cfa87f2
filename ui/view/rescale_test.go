package view_test

import (
	"math"
	"testing"

	"blossom/model/document/parts"
	"blossom/render/camera"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// besidePanels is where views stand beside panels, which grow with the interface.
func besidePanels(w *stand.Window) widget.Rect {
	r := w.UI.Window()
	r.X1 -= w.UI.Pt(308)
	r.Y1 -= w.UI.Pt(28)
	return r
}

// zoom sets the size of the interface.
func zoom(s *stand.Window, d *uitest.Driver, to float32) {
	uitest.Do(func() { d.Shell().Context().SetZoom(to) })
	s.Rest(d)
	d.Frames(5)
	s.Rest(d)
}

// inBox counts the points that lie in a view.
func inBox(s *stand.Window) (n int) {
	uitest.Do(func() {
		v := s.Desk.Stage.Scatter()
		for i := range v.Points().Len() {
			if x, y, ok := stand.Spot(v, i); ok && v.Eye.Contains(x, y) {
				n++
			}
		}
	})
	return n
}

// corners are the places of the world at the edges of a view.
func corners(s *stand.Window) (low, high camera.Vec) {
	uitest.Do(func() {
		b := s.Desk.Stage.Scatter().Eye.Sight()
		low, high = s.Desk.Stage.Scatter().Eye.World(b.X0, b.Y1), s.Desk.Stage.Scatter().Eye.World(b.X1, b.Y0)
	})
	return low, high
}

// At another size of the interface, whose panels leave the views less room, a map that was seen as a whole is still
// seen as a whole, whether it fits by itself or was arranged by hand.
func TestAWholeMapStaysWholeAtAnotherScale(t *testing.T) {
	for _, c := range []struct {
		data    string
		arrange bool
	}{{"demo:cytometry:3000", false}, {"demo:cytometry:3000", true}, {"demo:mammoth:3000", false}} {
		s, d := stand.Open(t, stand.Options{Data: c.data, W: 1400, H: 900, Views: besidePanels})
		if c.arrange {
			uitest.Do(func() {
				s.Tool("landmarks")
				moved, err := s.Marks().Move([]int{0}, []float32{0.01, 0.01})
				if err != nil {
					t.Fatal(err)
				}
				s.Desk.Doc.Begin("Move landmark")
				s.Desk.Doc.Change(parts.Landmarks.With(moved.Arranged()))
				s.Desk.Doc.Commit()
			})
			s.Rest(d)
		}
		was := inBox(s)
		if was < 2900 {
			t.Fatalf("%s: %d points are in sight", c.data, was)
		}
		for _, to := range []float32{2, 1, 1.5, 1} {
			zoom(s, d, to)
			if now := inBox(s); now < was-15 {
				t.Errorf("%+v: at %g %d points are in sight, where there were %d", c, to, now, was)
			}
			d.Shoot("rescaled")
		}
		d.End()
	}
}

// A place that the user has gone to is still seen at another size of the interface, and is seen as it was when that
// size is back.
func TestWhatWasSeenIsSeenAtAnotherScale(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:3000", W: 1400, H: 900, Views: besidePanels})
	uitest.Do(func() { s.Desk.Stage.Scatter().Eye.ZoomAt(300, 400, 3) })
	s.Rest(d)
	low, high := corners(s)
	for _, to := range []float32{2, 1.25, 2.5, 1} {
		zoom(s, d, to)
		l, h := corners(s)
		slack := 1e-3 * (high.X - low.X)
		if l.X > low.X+slack || l.Y > low.Y+slack || h.X < high.X-slack || h.Y < high.Y-slack {
			t.Errorf("at %g %v to %v is in sight, where %v to %v was", to, l, h, low, high)
		}
		back := math.Hypot(l.X-low.X, l.Y-low.Y) + math.Hypot(h.X-high.X, h.Y-high.Y)
		if to == 1 && back > 4*slack {
			t.Errorf("back at 1 %v to %v is in sight, where %v to %v was", l, h, low, high)
		}
	}
}
