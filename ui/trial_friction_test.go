package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// legendName is the control of a name in the legend of the active view.
func legendName(a *App, row int) string { return fmt.Sprintf("legend%d/label%d", a.active().ID, row) }

// A legend of many names takes a small part of a small view, can be gone through and folded, and answers to the mouse:
// a name shows where its points are, and selects them.
func TestTrialFrictionLegend(t *testing.T) {
	a, d := begin(t, 900, 520, 1, Options{Paths: []string{"demo:cytometry:3000"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.settings.Sidebar = false
		a.desk.Stage.ColourBy(a.active(), "population")
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
	uitest.Do(func() { count = v.Counts[2] })
	if n := a.desk.Stage.Selected().Count(); n != count || n == 0 {
		t.Errorf("a click on a name of %d points selects %d", count, n)
	}
	d.Hold("Shift", func() { d.ClickOn(legendName(a, 3)) })
	uitest.Do(func() { count += v.Counts[3] })
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
	d.ClickOn(fmt.Sprintf("legend%d/title", v.ID))
	if d.Has(legendName(a, 31)) || v.LegendBox.H() > 30 {
		t.Errorf("folded, the legend is %g high", v.LegendBox.H())
	}
	d.ClickOn(fmt.Sprintf("legend%d/title", v.ID))
	if !d.Has(legendName(a, 31)) {
		t.Error("the legend does not unfold")
	}
}

// Views that are coloured alike have one legend.
func TestTrialFrictionOneLegend(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:cytometry:2000"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.desk.Stage.ColourBy(a.active(), "population")
		a.desk.Stage.Split(a.active())
		a.desk.Stage.SetEmbedding(a.active(), embedding.PCA(2))
	})
	rest(t, a, d)
	shown := func() (n int) {
		uitest.Do(func() {
			for _, v := range a.desk.Stage.Views() {
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
	uitest.Do(func() { a.desk.Stage.ColourBy(a.active(), "BUV563-A") })
	rest(t, a, d)
	if n := shown(); n != 2 {
		t.Errorf("%d legends for two kinds of colours", n)
	}
	uitest.Do(func() { a.active().Edit(func(p *parts.View) { p.Legend = false }) })
	d.Frames(3)
	if n := shown(); n != 1 {
		t.Errorf("%d legends where one view has none", n)
	}
}

// A marker's name colours by it; its box alone takes it in or out of the map. What a row is about shows beside it.
func TestTrialFrictionNameColours(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true})
	opened(t, a, d)
	in := func() int { return len(parts.Transform.Of(a.desk.Doc.State()).MapColumns()) }
	was := in()
	var at int
	var name string
	uitest.Do(func() {
		for i := range a.desk.Doc.Data.Columns {
			if c := &a.desk.Doc.Data.Columns[i]; c.Short() == "CD8" {
				at, name = i, c.Name
			}
		}
	})
	row := fmt.Sprintf("data/%d", at)
	d.MoveTo(row)
	d.Sleep(time.Second)
	if tip := d.Rect("tooltip"); tip.Overlaps(d.Rect(row)) || tip.Overlaps(d.Rect(fmt.Sprintf("data/%d", at+1))) {
		t.Errorf("the summary of a marker covers the list: %v", tip)
	}
	d.ClickOn(row)
	if got := a.active().Look().Column; got != name || in() != was {
		t.Errorf("a click on CD8 colours by %q, and %d columns make the map, %d before", got, in(), was)
	}
	d.ClickOn(row + "/box")
	if got := a.active().Look().Column; got != name || in() != was-1 {
		t.Errorf("a click on its box leaves %d columns of %d, coloured by %q", in(), was, got)
	}
}

// What a view is coloured by is chosen in its header, found by its name, wherever the side bar is scrolled to.
func TestTrialFrictionColourInTheHeader(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true})
	opened(t, a, d)
	d.ClickOn(fmt.Sprintf("view%d/colour", a.active().ID))
	d.Frames(2)
	d.Type("cd19")
	d.Keys("Enter")
	d.Frames(2)
	if v := a.active(); v.Values == nil || v.Legend(v.Colouring()).Title != "CD19" {
		t.Errorf("coloured by %q", v.Look().Column)
	}
}

// The side bar is as wide as it is dragged, within limits, also in the next run.
func TestTrialFrictionSideBarWidth(t *testing.T) {
	a, d := begin(t, 1300, 600, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	drag := func(by float32) {
		r := d.Rect("side edge")
		c := r.Center()
		d.Drag(c.X, c.Y, c.X+by, c.Y, 4)
		d.Frames(2)
	}
	was := d.Rect("side bar").W()
	drag(-90)
	if w := d.Rect("side bar").W(); w < was+80 || w > was+100 {
		t.Errorf("dragged by 90 the side bar goes from %g to %g", was, w)
	}
	if again := loadSettings(a.options.ConfigDir); again.Width != a.settings.Width || again.Width == was {
		t.Errorf("the next run begins with %g, not %g", again.Width, a.settings.Width)
	}
	drag(-900)
	widest := d.Rect("side bar").W()
	drag(1200)
	if least := d.Rect("side bar").W(); widest > 500 || least < 200 {
		t.Errorf("it can be %g to %g wide", least, widest)
	}
}

// Palettes are shown, not only named.
func TestTrialFrictionPalettesAreSeen(t *testing.T) {
	a, d := begin(t, 1100, 800, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { open(a, "colour") })
	d.Frames(3)
	d.ClickOn("colour/palette")
	d.Frames(3)
	before := d.Screenshot()
	seen := map[[3]uint8]bool{}
	r := d.Rect("colour/palette")
	for y := int(r.Y1) + 2; y < min(int(r.Y1)+300, before.Rect.Dy()); y++ {
		for x := int(r.X0); x < int(r.X0)+90; x++ {
			p := before.RGBAAt(x, y)
			if max(p.R, p.G, p.B)-min(p.R, p.G, p.B) > 60 {
				seen[[3]uint8{p.R, p.G, p.B}] = true
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("the list of palettes shows %d colours", len(seen))
	}
}

// The ends of the palette are percentiles or values; values are those of one column.
func TestTrialFrictionRangeByValue(t *testing.T) {
	a, d := begin(t, 1100, 800, 1, Options{Paths: []string{"demo:tesseract:800"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		open(a, "colour")
		a.desk.Stage.ColourBy(a.active(), "x")
	})
	d.Frames(3)
	was := a.active().Colouring()
	d.ClickOn("Range by/Value")
	d.Frames(2)
	if now := a.active().Colouring(); now.Lo != was.Lo || now.Hi != was.Hi {
		t.Errorf("going over to values changes the range from %g–%g to %g–%g", was.Lo, was.Hi, now.Lo, now.Hi)
	}
	d.Enter("To value", "0.75")
	d.Enter("From value", "-2.5")
	if now := a.active().Colouring(); now.Lo != -2.5 || now.Hi != 0.75 {
		t.Errorf("the range is %g–%g", now.Lo, now.Hi)
	}
	d.Enter("From value", "3") // not above the other end
	if now := a.active().Colouring(); !(now.Lo <= 0.75) {
		t.Errorf("the low end is above the high one: %g–%g", now.Lo, now.Hi)
	}
	uitest.Do(func() { a.desk.Stage.ColourBy(a.active(), "y") })
	d.Frames(3)
	if l := a.active().Look(); l.ByValue() {
		t.Error("another column has the values of the last")
	}
	uitest.Do(func() { a.desk.Stage.ColourBy(a.active(), "x") })
	d.Frames(3)
	d.ClickOn("Range by/Percentile")
	d.Frames(2)
	if now := a.active().Colouring(); now.Lo != was.Lo || now.Hi != was.Hi {
		t.Errorf("back at percentiles the range is %g–%g", now.Lo, now.Hi)
	}
}

// Keywords of a file are searched, and their values copied.
func TestTrialFrictionKeywords(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true})
	opened(t, a, d)
	var key, value string
	uitest.Do(func() {
		for key, value = range a.desk.Doc.Data.Metadata {
			break
		}
	})
	d.ClickOn("data/keywords")
	d.Frames(2)
	if len(a.desk.Doc.Data.Metadata) > 12 { // fewer are seen at once
		d.Type(key)
	}
	d.ClickOn(key)
	d.Frames(2)
	var got string
	uitest.Do(func() { got = a.ctx.Clipboard() })
	if got != value {
		t.Errorf("a click on %s copies %q, not %q", key, got, value)
	}
}

// The palette of commands leads to panels.
func TestTrialFrictionPaletteKnowsPanels(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	for _, p := range a.panels {
		uitest.Do(func() { a.ui.Open[p.ID] = false })
		d.Keys("Ctrl+P")
		d.Type("show " + p.Title + " panel")
		d.Keys("Enter")
		d.Frames(3)
		if !a.ui.Open[p.ID] || !a.settings.Sidebar {
			t.Errorf("the palette does not open %s", p.Title)
		}
	}
}

// What is shown over the points is no entry of the history.
func TestTrialFrictionHistory(t *testing.T) {
	a, d := begin(t, 1100, 900, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	was := a.desk.Doc.History().Len()
	for _, id := range []string{"show-landmarks", "show-names", "show-legend", "fit"} {
		uitest.Do(func() { commandByID(id).run(a) })
		d.Frames(2)
	}
	uitest.Do(func() {
		a.active().Edit(func(p *parts.View) { p.Axes = !p.Axes })
		a.desk.Stage.Split(a.active())
	})
	d.Frames(2)
	if n := a.desk.Doc.History().Len(); n != was {
		t.Errorf("looking around makes %d entries", n-was)
	}
}

// Toasts leave headers and bars free, and a card never lies on its point, however small the view.
func TestTrialFrictionNothingIsCovered(t *testing.T) {
	a, d := beginTraining(t, 1000, 640, 1, Options{Paths: []string{"demo:cytometry:2000"}})
	opened(t, a, d)
	for _, size := range [][2]int{{1000, 640}, {430, 330}} {
		d.Resize(size[0], size[1])
		for _, tool := range view.Tools() {
			uitest.Do(func() {
				a.setTool(tool)
				a.note(note{text: "A long note over the map that needs some room to be read in full"})
				a.note(note{text: "Another"})
			})
			d.Frames(3)
			bars := []widget.Rect{a.active().Header, a.regions.options, a.regions.strip}
			toasts := 0
			uitest.Do(func() {
				for _, name := range a.ui.Names() {
					if !strings.HasPrefix(name, "toast ") || strings.Contains(name, "/") {
						continue
					}
					toasts++
					toast, _ := a.ui.Rect(name)
					for _, bar := range bars {
						if toast.Overlaps(bar) {
							t.Errorf("%v, %s: a toast at %v lies on a bar at %v", size, tool.ID, toast, bar)
						}
					}
				}
			})
			if toasts < 2 {
				t.Fatalf("%d toasts are shown", toasts)
			}
		}
		d.Sleep(7 * time.Second)
		i := visible(a)
		if i < 0 {
			t.Fatal("no point is seen")
		}
		x, y, _ := spot(a.active(), i)
		d.Move(float32(x), float32(y))
		d.Sleep(400 * time.Millisecond)
		h := a.desk.Stage.Hover()
		if !h.On {
			t.Fatalf("%v: nothing is hovered at %g, %g", size, x, y)
		}
		if card := h.Place(); card.Empty() || card.Has(imgui.Vec2{X: float32(x), Y: float32(y)}) {
			t.Errorf("%v: the card at %v covers its point at %g, %g", size, card, x, y)
		}
		d.Move(3, 3)
		d.Frames(2)
	}
}
