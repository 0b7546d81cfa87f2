package view_test

import (
	"fmt"
	"image/color"
	"testing"

	"blossom/model/document/parts"
	"blossom/render/palette"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A right click on a name of the legend colours its points, in every view and whenever it is looked at again; it is one
// entry of the history, and other labels keep their colours.
func TestALabelIsColouredFromTheLegend(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:3000", W: 1100, H: 800})
	v := s.Desk.Stage.Scatter()
	by := func(column string) {
		uitest.Do(func() { v.View.ColourBy(column) })
		s.Rest(d)
	}
	by("population")
	name := func(row int) string { return fmt.Sprintf("legend%d/label%d", v.View.ID, row) }
	colourOf := func(label int) color.NRGBA {
		c := v.Colouring()
		return c.LabelColour(label)
	}
	first, third := colourOf(0), colourOf(2)
	choose := func(ink int) {
		c := d.Rect(name(2)).Center()
		d.ClickWith(shell.Right, c.X, c.Y)
		d.Frames(2)
		d.Shoot("legend-colours")
		d.ClickOn(fmt.Sprintf("legend%d/legend-label/inks/%d", v.View.ID, ink))
		d.Frames(2)
	}
	choose(41)
	label := v.Colours.Labels[2]
	if got := colourOf(2); got != palette.Ink(41) || got == third {
		t.Fatalf("%s has the colour %v, not %v", label, got, palette.Ink(41))
	}
	if got := colourOf(0); got != first || s.Last() != "Colour of "+label {
		t.Errorf("another label has %v, not %v, after %q", got, first, s.Last())
	}
	by("CD3")
	by("population")
	if got := colourOf(2); got != palette.Ink(41) {
		t.Errorf("after another column %s has %v", label, got)
	}
	uitest.Do(func() { s.Desk.Stage.Split(v.View) })
	s.Rest(d)
	choose(7)
	looks := parts.Looks.Of(s.Desk.Doc.State())
	for id, l := range looks {
		if l.Column == "population" && l.Inks.Of()[label] != 7 {
			t.Errorf("view %s has %v", id, l.Inks.Of())
		}
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	d.Frames(2)
	if got := colourOf(2); got != palette.Ink(41) {
		t.Errorf("undone it has %v", got)
	}
	c := d.Rect(name(2)).Center()
	d.ClickWith(shell.Right, c.X, c.Y)
	d.Frames(2)
	d.ClickOn(fmt.Sprintf("legend%d/legend-label/As it was", v.View.ID))
	d.Frames(2)
	if got := colourOf(2); got != third {
		t.Errorf("as it was it has %v, not %v", got, third)
	}
}
