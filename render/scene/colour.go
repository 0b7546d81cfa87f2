// Package picture draws a finished map into an image, without a window.
package scene

import (
	"context"
	"image/color"
	"strings"

	"blossom/model/dataset"
	"blossom/model/derived"
	"blossom/model/problem"
	"blossom/render/colour"
	"blossom/render/palette"
)

// Colour says what points are coloured by.
type Colour struct {
	Column   string     // "" chooses, "none" is one colour, "density" that of points where no column is so called
	Palette  string     // "" is the default of the column's kind
	Reversed bool       // the palette
	Range    [2]float64 // percentiles that the ends of the palette stand for
	Dark     bool       // the ground is
}

// densityID is what --colour calls the density of points.
const densityID = "density"

// What choose returns in place of a column.
const (
	flat      = -1 // one colour
	byDensity = -2
)

// choose returns the column to colour by: what is asked for, else the first label column, else the
// first dimension of the map, else the density of points.
func (c Colour) choose(ds *dataset.Dataset, cols []int) (int, error) {
	switch {
	case strings.EqualFold(c.Column, "none"):
		return flat, nil
	case c.Column != "":
		i, err := ds.Find(c.Column)
		if err != nil && strings.EqualFold(c.Column, densityID) {
			return byDensity, nil
		}
		return i, err
	}
	for i := range ds.Columns {
		if len(ds.Columns[i].Categories) > 1 {
			return i, nil
		}
	}
	if len(cols) > 0 {
		return cols[0], nil
	}
	return byDensity, nil
}

// paint makes the colours of all points of the scene by what choose has returned.
func (c Colour) paint(ctx context.Context, s Scene, col int, one, missing color.NRGBA) (*colour.Values,
	palette.Colouring, error) {
	if c.Palette != "" && palette.ByName(c.Palette) == nil {
		return nil, palette.Colouring{}, problem.New("", "palettes are "+strings.Join(palette.Names(), ", "),
			"there is no palette %q", c.Palette)
	}
	var v *colour.Values
	switch {
	case col >= 0:
		v = colour.Of(&s.Data.Columns[col], s.Spec.Columns[col], nil)
	case col == byDensity:
		kind := derived.ByID(densityID)
		column, err := kind.Column(ctx, derived.Inputs{Data: s.Data, Positions: positions(s)}, nil)
		if err != nil {
			return nil, palette.Colouring{}, err
		}
		v = colour.Of(&column, kind.Shown, nil)
	}
	return v, v.Colouring(colour.Settings{Palette: c.Palette, Reversed: c.Reversed, Low: c.Range[0], High: c.Range[1],
		Dark: c.Dark, Flat: one, Missing: missing}), nil
}
