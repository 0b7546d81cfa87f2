package view_test

import (
	"fmt"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// A legend of many names takes a small part of a small view, can be gone through and folded, and answers to the mouse:
// a name shows where its points are, and selects them.
func TestALegendOfManyNames(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:3000", W: 856, H: 465})
	uitest.Do(func() {
		s.Desk.Stage.Scatter().View.ColourBy("population")
	})
	s.Rest(d)
	v := s.Desk.Stage.Scatter()
	name := func(row int) string { return fmt.Sprintf("legend%d/label%d", v.View.ID, row) }
	for _, size := range [][2]int{{856, 465}, {436, 365}, {286, 245}} {
		d.Resize(size[0], size[1])
		s.Rest(d)
		if r, b := v.LegendBox, v.Rect(); r.W()*r.H() > 0.15*b.W()*b.H() || r.Empty() && b.H() > 200 {
			t.Errorf("a legend of %g×%g in a view of %g×%g", r.W(), r.H(), b.W(), b.H())
		}
	}
	d.Resize(856, 465)
	s.Rest(d)
	if !d.Has(name(0)) || d.Has(name(31)) {
		t.Fatal("the legend does not begin with the first of its names, or shows all")
	}

	c := d.Rect(name(2)).Center()
	d.Move(c.X, c.Y)
	d.Frames(3)
	if only := v.Style().Colouring.Only; only != 3 {
		t.Errorf("over the third name, number %d stands out", only)
	}
	d.Sleep(900 * time.Millisecond)
	if tip := d.Rect("tooltip"); tip.Has(c) || tip.Overlaps(d.Rect(name(4))) {
		t.Errorf("the tooltip at %v covers what the mouse is on, or the names below", tip)
	}
	if v.Colouring().Only != 0 {
		t.Error("the legend itself is dimmed")
	}
	d.Click(c.X, c.Y)
	var count int
	uitest.Do(func() { count = v.Colours.Counts[2] })
	if n := s.Desk.Stage.Selected().Count(); n != count || n == 0 {
		t.Errorf("a click on a name of %d points selects %d", count, n)
	}
	d.Hold("Shift", func() { d.ClickOn(name(3)) })
	uitest.Do(func() { count += v.Colours.Counts[3] })
	if n := s.Desk.Stage.Selected().Count(); n != count {
		t.Errorf("with the next %d are selected, not %d", n, count)
	}
	d.ClickOn(name(3))
	d.ClickOn(name(3))
	if n := s.Desk.Stage.Selected().Count(); n != 0 {
		t.Errorf("a second click leaves %d", n)
	}
	d.Move(400, 200)
	d.Frames(3)
	if v.Style().Colouring.Only != 0 {
		t.Error("a name stands out though the mouse has left")
	}

	was := v.Eye.Saved()
	d.Wheel(c.X, c.Y, -4)
	d.Frames(2)
	if d.Has(name(0)) || v.Eye.Saved() != was {
		t.Error("the wheel does not go through the names, or zooms the map under them")
	}
	d.Wheel(c.X, c.Y, -100)
	if !d.Has(name(31)) {
		t.Error("the last name cannot be reached")
	}
	d.ClickOn(fmt.Sprintf("legend%d/title", v.View.ID))
	if d.Has(name(31)) || v.LegendBox.H() > 30 {
		t.Errorf("folded, the legend is %g high", v.LegendBox.H())
	}
	d.ClickOn(fmt.Sprintf("legend%d/title", v.View.ID))
	if !d.Has(name(31)) {
		t.Error("the legend does not unfold")
	}
}

// Views that are coloured alike have one legend.
func TestViewsColouredAlikeHaveOneLegend(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:2000", W: 1100, H: 700})
	uitest.Do(func() {
		s.Desk.Stage.Scatter().View.ColourBy("population")
		s.Desk.Stage.Split(s.Desk.Stage.Scatter().View)
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Scatter().View, embedding.PCA(2))
	})
	s.Rest(d)
	shown := func() (n int) {
		uitest.Do(func() {
			for _, v := range s.Desk.Stage.Scatters() {
				if !v.LegendBox.Empty() {
					n++
				}
			}
		})
		return n
	}
	if n := shown(); n != 1 {
		t.Errorf("%d legends for the same colours", n)
	}
	uitest.Do(func() { s.Desk.Stage.Scatter().View.ColourBy("BUV563-A") })
	s.Rest(d)
	if n := shown(); n != 2 {
		t.Errorf("%d legends for two kinds of colours", n)
	}
	uitest.Do(func() { s.Desk.Stage.Scatter().View.Edit(func(p *parts.View) { p.Legend = false }) })
	d.Frames(3)
	if n := shown(); n != 1 {
		t.Errorf("%d legends where one view has none", n)
	}
}

// A legend gives way to the handles of a shape that is drawn under it.
func TestLegendGivesWayToAGhost(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:500", W: 1280, H: 800})
	key := func() (r widget.Rect) {
		uitest.Do(func() { r = s.Desk.Stage.Scatter().LegendBox })
		return r
	}
	box := key()
	if box.Empty() {
		t.Fatal("there is no legend")
	}
	d.Keys("3")
	r := stand.Canvas(s.Desk)
	part := func(x, y float32) [2]float64 {
		return [2]float64{float64((x - r.X0) / r.W()), float64((y - r.Y0) / r.H())}
	}
	c := box.Center()
	stand.Strokes(s.Desk, d, part(r.X1-200, r.Y0+200), part(c.X, c.Y))
	d.Frames(3)
	if !stand.Drawing(s.Desk).On || !key().Empty() {
		t.Errorf("the legend is at %v over the ghost at %v", key(), d.Rect("ghost"))
	}
	d.Keys("Esc")
	d.Frames(3)
	if key().Empty() {
		t.Error("the legend does not come back")
	}
}

// Any number can be read off the bar of a legend.
func TestTheBarOfALegendIsReadOff(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:500", W: 800, H: 500})
	v := s.Desk.Stage.Scatter()
	uitest.Do(func() { v.View.ColourBy("density") })
	d.Frames(3)
	s.Rest(d)
	b := v.LegendBox
	d.Move((b.X0+b.X1)/2, b.Y0+30)
	d.Frames(2)
	if !d.Has("tooltip") {
		t.Errorf("nothing is said over the bar of %v", b)
	}
	d.Move((b.X0+b.X1)/2, b.Y0-40)
	d.Frames(2)
	if d.Has("tooltip") {
		t.Error("it is said beside it, too")
	}
}

// A legend of a column that is made from a map says from which, also over another map.
func TestALegendSaysOfWhichMapItsNumbersAre(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:500", W: 800, H: 500})
	v := s.Desk.Stage.Scatter()
	uitest.Do(func() { s.Desk.Stage.SetEmbedding(v.View, embedding.PCA(2)) })
	for column, want := range map[string][2]string{"density": {"density", "of EmbedSOM, log10"},
		"density of PCA": {"density of PCA", "log10"}} {
		uitest.Do(func() { v.View.ColourBy(column) })
		d.Frames(3)
		s.Rest(d)
		uitest.Do(func() {
			if l := v.Colours.Legend(v.Colouring()); l.Title != want[0] || l.Subtitle != want[1] {
				t.Errorf("the legend of %s says %q, %q", column, l.Title, l.Subtitle)
			}
		})
	}
}
