package tour

import (
	"math"
	"strings"

	"blossom/model/document/parts"
	"blossom/render/camera"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// Places of the map that steps point at, beside controls.
const (
	SpotMap      = "the map"       // the active view
	SpotLandmark = "a landmark"    // one that stands in its middle
	SpotColour   = "its colouring" // the menu of its header that says what it is coloured by
)

// sidebar is the area of the panels, which scroll in it.
const sidebar = "side bar"

// Target is the place in the window that the step points at; ok is false where nothing of it is in sight.
func (t *Tour) Target() (r widget.Rect, ok bool) {
	s, _, _ := t.Step()
	d := t.Desk()
	if s == nil || d == nil {
		return r, false
	}
	for _, name := range s.At(d) {
		if r, ok = t.spot(d, name); ok {
			return r, true
		}
	}
	return r, false
}

// spot is where something is, if that is in sight.
func (t *Tour) spot(d *desk.Desk, name string) (r widget.Rect, ok bool) {
	v := d.Stage.Scatter()
	switch name {
	case SpotMap:
		b := v.Eye.Box
		return widget.Rect{X0: float32(b.X0), Y0: float32(b.Y0), X1: float32(b.X1), Y1: float32(b.Y1)}.Inset(t.UI.Pt(6),
			t.UI.Pt(6)), true
	case SpotLandmark:
		return t.landmark(d)
	case SpotColour:
		name = "view" + d.Stage.Active().ID.Key() + "/colour"
	}
	if r, ok = t.UI.Rect(name); !ok {
		return r, false
	}
	room := t.UI.Window()
	if strings.HasPrefix(name, sidebar+"/") {
		if room, ok = t.UI.Rect(sidebar); !ok {
			return r, false
		}
	}
	return r, r.X0 >= room.X0 && r.X1 <= room.X1 && r.Y0 >= room.Y0 && r.Y1 <= room.Y1
}

// landmark is the place of the landmark that is nearest to a place above the middle of the view, where the card does
// not lie over it, of those that move cells as soon as these are known.
func (t *Tour) landmark(d *desk.Desk) (r widget.Rect, ok bool) {
	v, l := d.Stage.Scatter(), parts.Landmarks.Of(d.Doc.State())
	if !v.IsMap() || l.Pos.Cols != 2 {
		return r, false
	}
	b, least := v.Eye.Box, math.Inf(1)
	x0, y0 := float64(b.X0+b.X1)/2, float64(2*b.Y0+b.Y1)/3
	var at [2]float32
	known := d.Map.Influence() != nil
	for i := range l.Len() {
		if known && !leads(d, i) {
			continue
		}
		p := l.Pos.Row(i)
		x, y, seen := v.Eye.Screen(camera.Vec{X: float64(p[0]), Y: float64(p[1])})
		if far := math.Hypot(x-x0, y-y0); seen && far < least {
			least, at = far, [2]float32{float32(x), float32(y)}
		}
	}
	k := t.UI.Pt(9)
	r = widget.Rect{X0: at[0] - k, Y0: at[1] - k, X1: at[0] + k, Y1: at[1] + k}
	return r, !math.IsInf(least, 1)
}
