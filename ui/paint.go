package ui

import (
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/ui/desk"
)

// paint is how the view is drawn, as the desk knows it.
type paint struct{ a *App }

var _ desk.Paint = paint{}

func (p paint) Values() *colour.Values { return p.a.active().Colours.Values }

func (p paint) Colouring() palette.Colouring { return p.a.active().Colouring() }

func (p paint) Histogram() (counts []float32, lo, hi float32) { return p.a.active().Colours.Bins() }

func (p paint) Drawn() (size, opacity float64) {
	return p.a.active().Drawn()
}
