package view_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"blossom/model/landmarks/shape"
	"blossom/render/camera"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// A shape is moved, sized, turned and taken away before anything happens to the map.
func TestTheFrameOfAShape(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:2000", W: 1800, H: 640})
	start := s.Marks()
	d.Keys("3")
	stand.Strokes(s.Desk, d, [2]float64{0.4, 0.4}, [2]float64{0.6, 0.7})
	was := stand.Drawing(s.Desk)
	f := d.Rect("ghost")
	c := f.Center()
	d.Drag(c.X+5, c.Y+5, c.X+65, c.Y-35, 5)
	if got := d.Rect("ghost"); math.Abs(float64(got.X0-f.X0-60)) > 1.5 || math.Abs(float64(got.Y0-f.Y0+40)) > 1.5 {
		t.Errorf("moved from %v to %v", f, got)
	}
	f = d.Rect("ghost")
	d.Drag(f.X1, f.Y1, f.X1+80, f.Y1+40, 5)
	got := d.Rect("ghost")
	if math.Abs(float64(got.X1-f.X1-80)) > 1.5 || math.Abs(float64(got.X0-f.X0)) > 1.5 ||
		math.Abs(float64(got.Y1-f.Y1-40)) > 1.5 {
		t.Errorf("sized from %v to %v", f, got)
	}
	now := stand.Drawing(s.Desk)
	if now.Shape.Value("cols") <= was.Shape.Value("cols") {
		t.Error("a wider frame has no more columns")
	}
	d.Hold("Shift", func() { d.Drag(got.X1, got.Y1, got.X1-60, got.Y1-5, 5) })
	small := stand.Drawing(s.Desk).Shape.Frame.Size
	if r := small[0] / small[1] / (now.Shape.Frame.Size[0] / now.Shape.Frame.Size[1]); math.Abs(r-1) > 1e-6 {
		t.Errorf("Shift does not keep the proportions: %g", r)
	}
	g := d.Rect("ghost")
	knob := [2]float32{g.Center().X, g.Y0 - 20}
	d.Hold("Shift", func() { d.Drag(knob[0], knob[1], knob[0]+70, knob[1]+20, 6) })
	turn := stand.Drawing(s.Desk).Shape.Frame.Turn()
	if turn == 0 || math.Abs(turn-15*math.Round(turn/15)) > 1e-9 {
		t.Errorf("Shift turns by %g degrees", turn)
	}
	d.Shoot("turned")
	d.Enter("options/Columns", "7")
	d.Enter("options/Rows", "nonsense")
	d.Enter("options/Rows", "4")
	if n := stand.Drawing(s.Desk).Count(); n != 28 {
		t.Errorf("7 x 4 typed are %d landmarks", n)
	}
	d.Keys("Escape")
	if stand.Drawing(s.Desk).On || s.Marks() != start || s.Desk.Doc.History().Len() != 0 {
		t.Error("Esc leaves something behind")
	}
	d.Enter("options/Columns", "6")
	if n := stand.Drawing(s.Desk).Count(); n < 6 {
		t.Error("a typed size shows no ghost")
	}
	d.ClickOn("options/Shape/Disc")
	d.Enter("options/Spacing", "0.05")
	uitest.Do(func() { s.Desk.Stage.Hand().Draw.Shape.Spacing = 0.001 })
	d.Enter("options/Spacing", "0.1")
	if stand.Drawing(s.Desk).Count() == 0 || stand.Drawing(s.Desk).Count() > shape.Most {
		t.Errorf("%d landmarks", stand.Drawing(s.Desk).Count())
	}
	d.ClickOn("options end/cancel shape")
	if stand.Drawing(s.Desk).On {
		t.Error("Cancel leaves the ghost")
	}
}

// The corners of an outline are clicked one by one; Enter or a click on the first closes it.
func TestOutlineByCorners(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:2000", W: 1800, H: 640})
	d.Keys("3")
	d.ClickOn("options/Shape/Outline")
	r := stand.Canvas(s.Desk)
	corners := [][2]float32{{0.3, 0.3}, {0.7, 0.25}, {0.75, 0.7}, {0.35, 0.75}}
	for _, c := range corners {
		d.Click(r.X0+r.W()*c[0], r.Y0+r.H()*c[1])
	}
	d.Shoot("corners")
	d.Keys("Enter")
	if n := stand.Drawing(s.Desk).Count(); n < 20 {
		t.Fatalf("%d landmarks", n)
	}
	// No card covers what is being drawn, though the mouse rests on a point; without it there is one.
	x, y := float32(0), float32(0)
	uitest.Do(func() {
		v := s.Desk.Stage.Scatter()
		for i := range v.Points().Len() {
			p := v.Points().Host()[i*2 : i*2+2]
			sx, sy, ok := v.Eye.Screen(camera.Vec{X: float64(p[0]), Y: float64(p[1])})
			if ok && v.Eye.Contains(sx, sy) && v.Eye.Contains(sx-200, sy-200) && v.Eye.Contains(sx+200, sy+200) {
				x, y = float32(sx), float32(sy)
				return
			}
		}
	})
	d.Move(x, y)
	d.Sleep(300 * time.Millisecond)
	if s.Desk.Stage.Hover().On {
		t.Error("a card covers the shape")
	}
	d.Keys("Escape")
	d.Move(x+1, y)
	d.Move(x, y)
	d.Sleep(300 * time.Millisecond)
	if !s.Desk.Stage.Hover().On {
		t.Error("no card after the shape is gone")
	}
	for _, c := range append(corners, corners[0]) {
		d.Click(r.X0+r.W()*c[0], r.Y0+r.H()*c[1])
	}
	if n := stand.Drawing(s.Desk).Count(); n < 20 {
		t.Fatalf("%d landmarks after a click on the first corner", n)
	}
	d.Keys("Escape")
	d.Click(r.X0+300, r.Y0+300)
	d.Keys("Escape")
	if stand.Drawing(s.Desk).Sketching() {
		t.Error("Esc leaves a corner")
	}
	d.ClickOn("options/Shape/Line")
	d.Click(r.X0+300, r.Y0+300)
	if stand.Drawing(s.Desk).On || !strings.Contains(s.Said[len(s.Said)-1], "single point") {
		t.Errorf("a click for a line: %q", s.Said[len(s.Said)-1])
	}
}

// The options of every shape fit into what a window of the usual width leaves beside the panels.
func TestShapeOptionsFit(t *testing.T) {
	_, d := begin(t, stand.Options{Data: "demo:tesseract:500", W: 1440 - 44 - widget.SideUsual, H: 900})
	d.Keys("3")
	for _, k := range shape.Kinds() {
		d.ClickOn("options/Shape/" + k.Title)
		d.Frames(3)
		if d.Has("options on/on") {
			t.Errorf("the options of %s have to be scrolled", k.Title)
			d.Shoot("options-" + k.ID)
		}
	}
}
