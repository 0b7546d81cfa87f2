package heat_test

import (
	"slices"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	_ "blossom/ui/view/heat"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// A landmark is hovered and selected in a heat map and in the map alike.
func TestHeatMapAndMapsShareSelectionAndHover(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Views: stand.Whole, Data: "demo:cytometry:800", W: 1280, H: 800})
	uitest.Do(func() { s.Desk.Stage.Split(s.Desk.Stage.Active()) })
	d.Frames(3)
	d.ClickOn("view2/embedding")
	d.Frames(3)
	d.ClickOn("Heat map of landmarks")
	s.Rest(d)
	v := s.Desk.Stage.Active()
	if v.State().Kind != "heat" || v.Scatter() != nil {
		t.Fatalf("the view shows %q", v.State().Kind)
	}
	r := v.Area()
	x, y := r.X0+0.6*r.W(), r.Y0+0.5*r.H()
	d.Move(x, y)
	d.Frames(3)
	hand := s.Desk.Stage.Hand()
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
