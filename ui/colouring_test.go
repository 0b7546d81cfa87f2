package ui

import (
	"fmt"
	"testing"
)

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
