package ui

import (
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/ui/desk"
)

// paint is how the view is drawn, as the desk knows it.
type paint struct{ a *App }

var _ desk.Paint = paint{}

func (p paint) Values() *colour.Values { return p.a.colours.Values }

func (p paint) Colouring() palette.Colouring { return p.a.currentColouring() }

func (p paint) Histogram() (counts []float32, lo, hi float32) { return p.a.colours.histogram() }

func (p paint) Drawn() (size, opacity float64) {
	s := p.a.canvas.picture.style
	return float64(s.Size) / (float64(p.a.ctx.Scale()) * p.a.view.ratio), float64(s.Opacity)
}
