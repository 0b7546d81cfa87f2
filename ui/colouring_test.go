package ui

import (
	"fmt"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/ui/uitest"
)

// A marker's name colours by it; its box alone takes it in or out of the map. What a row is about shows beside it.
func TestAColumnsNameColoursByIt(t *testing.T) {
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
	if got := a.active().View.Look().Column; got != name || in() != was {
		t.Errorf("a click on CD8 colours by %q, and %d columns make the map, %d before", got, in(), was)
	}
	d.ClickOn(row + "/box")
	if got := a.active().View.Look().Column; got != name || in() != was-1 {
		t.Errorf("a click on its box leaves %d columns of %d, coloured by %q", in(), was, got)
	}
}

// What a view is coloured by is chosen in its header, found by its name, wherever the side bar is scrolled to.
func TestColourIsChosenInTheHeader(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true})
	opened(t, a, d)
	d.ClickOn(fmt.Sprintf("view%d/colour", a.active().View.ID))
	d.Frames(2)
	d.Type("cd19")
	d.Keys("Enter")
	d.Frames(2)
	if v := a.active(); v.Colours.Values == nil || v.Colours.Legend(v.Colouring()).Title != "CD19" {
		t.Errorf("coloured by %q", v.View.Look().Column)
	}
}

// Palettes are shown, not only named.
func TestPalettesAreShown(t *testing.T) {
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
func TestTheRangeIsByPercentileOrValue(t *testing.T) {
	a, d := begin(t, 1100, 800, 1, Options{Paths: []string{"demo:tesseract:800"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		open(a, "colour")
		a.active().View.ColourBy("x")
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
	uitest.Do(func() { a.active().View.ColourBy("y") })
	d.Frames(3)
	if l := a.active().View.Look(); l.ByValue() {
		t.Error("another column has the values of the last")
	}
	uitest.Do(func() { a.active().View.ColourBy("x") })
	d.Frames(3)
	d.ClickOn("Range by/Percentile")
	d.Frames(2)
	if now := a.active().Colouring(); now.Lo != was.Lo || now.Hi != was.Hi {
		t.Errorf("back at percentiles the range is %g–%g", now.Lo, now.Hi)
	}
}
