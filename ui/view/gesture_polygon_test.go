package view

import (
	"slices"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/shell"
)

// cornering is a hand with the polygon.
func cornering(t *testing.T) *hands {
	h := newHands(t)
	h.Tool, h.Shape = ToolByID("select"), ByPolygon
	return h
}

// corner clicks at a place, for the n-th time.
func (h *hands) corner(x, y float64, n int) {
	at := imgui.Vec2{X: float32(x), Y: float32(y)}
	h.Handle(shell.Event{Kind: shell.MouseMove, Pos: at}, 1)
	h.Handle(shell.Event{Kind: shell.MouseDown, Pos: at, Button: shell.Left, Clicks: n}, 1)
	h.Handle(shell.Event{Kind: shell.MouseUp, Pos: at, Button: shell.Left}, 1)
}

func (h *hands) has(x, y float64) bool {
	return len(h.strokes) > 0 && h.strokes[len(h.strokes)-1].region.Contains(selection.Point{X: x, Y: y})
}

// Corners are clicked; the first one, a double click and Enter close them, Backspace takes one back, Esc all.
func TestAPolygonIsClickedTogether(t *testing.T) {
	h := cornering(t)
	triangle := func() {
		h.corner(300, 200, 1)
		h.corner(500, 200, 1)
		h.corner(400, 400, 1)
	}
	check := func(what string, n int) {
		t.Helper()
		if len(h.strokes) != n || h.Cornering() || !h.has(400, 250) || h.has(310, 390) {
			t.Fatalf("%s: %d enclosed, goes on: %v", what, len(h.strokes), h.Cornering())
		}
	}
	triangle()
	if !h.Stroking() || len(h.strokes) != 0 {
		t.Fatal("three clicks are not a polygon that goes on")
	}
	h.corner(303, 202, 1)
	check("the first corner", 1)
	triangle()
	h.corner(400, 400, 2)
	check("a double click", 2)
	triangle()
	h.Confirm()
	check("Enter", 3)
	triangle()
	h.corner(300, 400, 1)
	h.DropCorner()
	h.Confirm()
	check("a corner taken back", 4)
	triangle()
	if !h.Cancel() || h.Cornering() || h.Cancel() {
		t.Fatal("Esc does not let go of the polygon")
	}
	h.corner(300, 200, 1)
	h.DropCorner()
	if h.Cornering() || len(h.strokes) != 4 {
		t.Fatal("a polygon without corners goes on")
	}
}

// Where the view is moved between clicks, corners stay where they are on the map.
func TestCornersOfAPolygonStayOnTheMap(t *testing.T) {
	for _, h := range []*hands{newHands(t), handsOver(t, 3)} {
		h.Tool, h.Shape = ToolByID("select"), ByPolygon
		first, inner := h.at.World(300, 200), h.at.World(400, 220)
		h.corner(300, 200, 1)
		h.corner(500, 200, 1)
		h.Handle(shell.Event{Kind: shell.Wheel, Pos: imgui.Vec2{X: 420, Y: 300}, Wheel: imgui.Vec2{Y: 3}}, 1)
		h.dragFrom(400, 300, 460, 330, shell.Middle, 0)
		if n := h.polygon.size(); n != 2 {
			t.Fatalf("%d corners after the view was moved", n)
		}
		x0, y0, _ := h.at.Screen(first)
		h.corner(460, 500, 1)
		h.corner(x0, y0, 1)
		x, y, _ := h.at.Screen(inner)
		if h.Cornering() || !h.has(x, y) || h.has(x, y0-20) {
			t.Errorf("%dD: %d enclosed", h.dims(), len(h.strokes))
		}
	}
}

func (h *hands) dims() int {
	if h.at.Solid() {
		return 3
	}
	return 2
}

// A view that is turned lets go of the polygon in it, and says so.
func TestATurnedViewLetsGoOfItsPolygon(t *testing.T) {
	h := handsOver(t, 3)
	h.Tool, h.Shape = ToolByID("select"), ByPolygon
	h.corner(300, 200, 1)
	h.corner(500, 200, 1)
	h.at.Rotate(40, 10)
	h.polygon.keep(h.Hand)
	if h.Cornering() || !slices.Contains(h.said, "the polygon was let go: the view has been turned") {
		t.Errorf("goes on: %v; said: %q", h.Cornering(), h.said)
	}
	h.corner(300, 200, 1)
	h.Tool = ToolByID("navigate")
	h.polygon.keep(h.Hand)
	if h.Cornering() {
		t.Error("another tool holds the polygon")
	}
}

// Two corners enclose nothing, and one that crosses itself what the even-odd rule says.
func TestStrangePolygons(t *testing.T) {
	h := cornering(t)
	h.corner(300, 200, 1)
	h.corner(300, 200, 2)
	h.corner(500, 200, 1)
	h.Confirm()
	if len(h.strokes) != 0 || !h.Cornering() || !slices.Contains(h.said, "a polygon has at least three corners") {
		t.Fatalf("%d enclosed, said: %q", len(h.strokes), h.said)
	}
	h.corner(300, 400, 1)
	h.corner(500, 400, 1)
	h.Confirm()
	if !h.has(400, 220) || !h.has(400, 380) || h.has(320, 300) || h.has(480, 300) {
		t.Error("a polygon that crosses itself is not by the even-odd rule")
	}
	h.polygon = polygon{at: h.at}
	for i := range 100_000 {
		h.polygon.corners = append(h.polygon.corners, camera.Vec{X: float64(i%2) * 0.5, Y: float64(i) / 1e5})
	}
	if h.Confirm(); len(h.strokes) != 2 {
		t.Error("100,000 corners enclose nothing")
	}
}

// Shift and Alt say at the first corner what the polygon does, as for other strokes.
func TestThePolygonsFirstCornerSaysWhatItDoes(t *testing.T) {
	h := cornering(t)
	for mods, mode := range map[shell.Mods]Mode{shell.Shift: Add, shell.Alt: Subtract, 0: Replace} {
		h.dragFrom(300, 200, 500, 200, shell.Left, mods) // a drag is a side of it
		h.corner(400, 400, 1)
		h.Confirm()
		if s := h.strokes[len(h.strokes)-1]; s.mode != mode || !h.has(400, 250) {
			t.Errorf("%v: %v", mods, s.mode)
		}
	}
}
