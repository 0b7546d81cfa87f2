package panel

import (
	"testing"

	"blossom/model/document/parts"
	"blossom/model/maps/density"
	"blossom/ui/uitest"
)

// Points are drawn in cells by a click, whose scale and size then stand in the place of the size of points; another
// click brings points back. A column that is chosen meanwhile keeps how they are drawn.
func TestPointsAreDrawnInCells(t *testing.T) {
	s, d := colourPanel(t, "demo:cytometry:3000")
	look := func() (l parts.Look) {
		uitest.Do(func() { l = s.Desk.Look() })
		return l
	}
	d.ClickOn("colour/drawn/Hexagons")
	s.Rest(d)
	d.Shoot("panel-cells-of-a-column")
	if l := look(); l.Draw != "hexagons" || l.Counts != density.Log {
		t.Fatalf("%+v", l.Drawing)
	}
	d.ClickOn("colour/counts/Equal")
	d.Frames(2)
	d.Enter("colour/Cell size", "9")
	s.Rest(d)
	if l := look(); l.Counts != density.Equal || l.Cell != 9 {
		t.Errorf("%+v", l.Drawing)
	}
	d.ClickOn("colour/cells-show/Median")
	s.Rest(d)
	if l := look(); l.Show != parts.ShowMedian {
		t.Errorf("%+v", l.Drawing)
	}
	d.ClickOn("colour/drawn/Density")
	d.Frames(2)
	d.Enter("colour/Smoothing", "4")
	uitest.Do(func() { s.Desk.ColourBy("population") })
	s.Rest(d)
	d.ClickOn("colour/cells-show")
	d.Frames(3)
	d.ClickOn("share of CD4 naive")
	s.Rest(d)
	d.Shoot("panel-cells-of-a-share")
	if label, ok := look().Share(); !ok || label != "CD4 naive" || look().Smooth != 4 {
		t.Errorf("%+v", look().Drawing)
	}
	d.ClickOn("colour/drawn/Hexagons")
	d.Frames(2)
	d.Enter("colour/Cell size", "9")
	uitest.Do(func() { s.Desk.ColourBy("") })
	s.Rest(d)
	d.Shoot("panel-cells-of-counts")
	if l := look(); l.Draw != "hexagons" || l.Cell != 9 {
		t.Errorf("another column has %+v", l.Drawing)
	}
	d.ClickOn("colour/drawn/Points")
	s.Rest(d)
	if l := look(); l.Draw != "" {
		t.Errorf("%+v", l.Drawing)
	}
}
