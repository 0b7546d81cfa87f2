// Package picture draws a finished map into an image, without a window.
package picture

import (
	"image/color"
	"strings"

	"blossom/model/dataset"
	"blossom/model/problem"
	"blossom/model/transform"
	"blossom/render/colour"
	"blossom/render/palette"
)

// Colour says what points are coloured by.
type Colour struct {
	Column   string     // "" chooses, "none" is one colour
	Palette  string     // "" is the default of the column's kind
	Reversed bool       // the palette
	Range    [2]float64 // percentiles that the ends of the palette stand for
}

// choose returns the column to colour by, -1 for none: what is asked for, else the first label
// column, else the first dimension of the map.
func (c Colour) choose(ds *dataset.Dataset, cols []int) (int, error) {
	switch {
	case strings.EqualFold(c.Column, "none"):
		return -1, nil
	case c.Column != "":
		return ds.Find(c.Column)
	}
	for i := range ds.Columns {
		if len(ds.Columns[i].Categories) > 1 {
			return i, nil
		}
	}
	if len(cols) > 0 {
		return cols[0], nil
	}
	return -1, nil
}

// paint makes the colours of all points of ds by column col, -1 for one colour.
func (c Colour) paint(ds *dataset.Dataset, spec transform.Spec, col int, flat, missing color.NRGBA) (*colour.Values, palette.Colouring, error) {
	if c.Palette != "" && palette.ByName(c.Palette) == nil {
		return nil, palette.Colouring{}, problem.New("", "palettes are "+strings.Join(palette.Names(), ", "), "there is no palette %q", c.Palette)
	}
	var v *colour.Values
	if col >= 0 {
		v = colour.Of(ds, spec, col, nil)
	}
	return v, v.Colouring(colour.Settings{Palette: c.Palette, Reversed: c.Reversed, Low: c.Range[0], High: c.Range[1], Flat: flat, Missing: missing}), nil
}
