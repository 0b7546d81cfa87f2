package view_test

import (
	"testing"

	"blossom/model/maps/selection"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The selected points fill the view, and nothing moves it away from them; where none is selected it stays.
func TestAViewIsFittedToTheSelection(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:2000", W: 800, H: 600})
	s.Rest(d)
	v := s.Desk.Stage.Scatters()[0]
	before := v.Eye.Cam.Place()
	uitest.Do(func() {
		if v.View.FitSelected() {
			t.Error("nothing is selected, and the view is fitted to it")
		}
		words := make([]uint64, 32)
		order := s.Desk.Table().Order
		for p := range order[:400] { // the right half of what is seen of some
			if x, _, ok := stand.Spot(v, p); ok && float32(x) > v.Rect().Center().X {
				words[order[p]/64] |= 1 << (order[p] % 64)
			}
		}
		s.Desk.Stage.Scene.SetSelection("Select", selection.FromBits(2000, words))
	})
	s.Rest(d)
	if v.Eye.Cam.Place() != before {
		t.Fatal("selecting moves the view")
	}
	uitest.Do(func() {
		if !v.View.FitSelected() {
			t.Error("the view is not fitted")
		}
	})
	s.Rest(d)
	r, seen, left, right := v.Rect(), 0, v.Rect().X1, v.Rect().X0
	selected := s.Desk.Stage.Selected()
	for p, row := range s.Desk.Table().Order {
		x, y, ok := stand.Spot(v, p)
		if !selected.Contains(int(row)) || !ok {
			continue
		}
		if seen++; float32(x) < r.X0 || float32(x) > r.X1 || float32(y) < r.Y0 || float32(y) > r.Y1 {
			t.Fatalf("point %d lies at %g, %g", p, x, y)
		}
		left, right = min(left, float32(x)), max(right, float32(x))
	}
	if seen < 50 || right-left < 0.3*r.W() || v.Eye.Cam.Place() == before {
		t.Errorf("%d points from %g to %g in %v", seen, left, right, r)
	}
}
