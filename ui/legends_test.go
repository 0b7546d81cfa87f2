package ui

import (
	"fmt"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
)

// legendName is the control of a name in the legend of the active view.
func legendName(a *App, row int) string {
	return fmt.Sprintf("legend%d/label%d", a.active().View.ID, row)
}

// A legend of many names takes a small part of a small view, can be gone through and folded, and answers to the mouse:
// a name shows where its points are, and selects them.
func TestALegendOfManyNames(t *testing.T) {
	a, d := begin(t, 900, 520, 1, Options{Paths: []string{"demo:cytometry:3000"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.settings.Sidebar = false
		a.active().View.ColourBy("population")
	})
	rest(t, a, d)
	v := a.active()
	for _, size := range [][2]int{{900, 520}, {480, 420}, {330, 300}} {
		d.Resize(size[0], size[1])
		rest(t, a, d)
		if r, b := v.LegendBox, v.Rect(); r.W()*r.H() > 0.15*b.W()*b.H() || r.Empty() && b.H() > 200 {
			t.Errorf("a legend of %g×%g in a view of %g×%g", r.W(), r.H(), b.W(), b.H())
		}
	}
	d.Resize(900, 520)
	rest(t, a, d)
	if !d.Has(legendName(a, 0)) || d.Has(legendName(a, 31)) {
		t.Fatal("the legend does not begin with the first of its names, or shows all")
	}

	c := d.Rect(legendName(a, 2)).Center()
	d.Move(c.X, c.Y)
	d.Frames(3)
	if only := v.Style().Colouring.Only; only != 3 {
		t.Errorf("over the third name, number %d stands out", only)
	}
	d.Sleep(900 * time.Millisecond)
	if tip := d.Rect("tooltip"); tip.Has(c) || tip.Overlaps(d.Rect(legendName(a, 4))) {
		t.Errorf("the tooltip at %v covers what the mouse is on, or the names below", tip)
	}
	if v.Colouring().Only != 0 {
		t.Error("the legend itself is dimmed")
	}
	d.Click(c.X, c.Y)
	var count int
	uitest.Do(func() { count = v.Colours.Counts[2] })
	if n := a.desk.Stage.Selected().Count(); n != count || n == 0 {
		t.Errorf("a click on a name of %d points selects %d", count, n)
	}
	d.Hold("Shift", func() { d.ClickOn(legendName(a, 3)) })
	uitest.Do(func() { count += v.Colours.Counts[3] })
	if n := a.desk.Stage.Selected().Count(); n != count {
		t.Errorf("with the next %d are selected, not %d", n, count)
	}
	d.ClickOn(legendName(a, 3))
	d.ClickOn(legendName(a, 3))
	if n := a.desk.Stage.Selected().Count(); n != 0 {
		t.Errorf("a second click leaves %d", n)
	}
	d.Move(400, 200)
	d.Frames(3)
	if v.Style().Colouring.Only != 0 {
		t.Error("a name stands out though the mouse has left")
	}

	was := v.Saved()
	d.Wheel(c.X, c.Y, -4)
	d.Frames(2)
	if d.Has(legendName(a, 0)) || v.Saved() != was {
		t.Error("the wheel does not go through the names, or zooms the map under them")
	}
	d.Wheel(c.X, c.Y, -100)
	if !d.Has(legendName(a, 31)) {
		t.Error("the last name cannot be reached")
	}
	d.ClickOn(fmt.Sprintf("legend%d/title", v.View.ID))
	if d.Has(legendName(a, 31)) || v.LegendBox.H() > 30 {
		t.Errorf("folded, the legend is %g high", v.LegendBox.H())
	}
	d.ClickOn(fmt.Sprintf("legend%d/title", v.View.ID))
	if !d.Has(legendName(a, 31)) {
		t.Error("the legend does not unfold")
	}
}

// Views that are coloured alike have one legend.
func TestViewsColouredAlikeHaveOneLegend(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:cytometry:2000"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.active().View.ColourBy("population")
		a.desk.Stage.Split(a.active().View)
		a.desk.Stage.SetEmbedding(a.active().View, embedding.PCA(2))
	})
	rest(t, a, d)
	shown := func() (n int) {
		uitest.Do(func() {
			for _, v := range a.desk.Stage.Scatters() {
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
	uitest.Do(func() { a.active().View.ColourBy("BUV563-A") })
	rest(t, a, d)
	if n := shown(); n != 2 {
		t.Errorf("%d legends for two kinds of colours", n)
	}
	uitest.Do(func() { a.active().View.Edit(func(p *parts.View) { p.Legend = false }) })
	d.Frames(3)
	if n := shown(); n != 1 {
		t.Errorf("%d legends where one view has none", n)
	}
}
