package view

import (
	"math"

	"blossom/assets"
	"blossom/model/landmarks/shape"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

func init() {
	Register(&Tool{ID: "draw", Title: "Draw map", Also: "shape grid som connect", Key: "3", Icon: assets.IconShapes,
		Large: true,
		Help:  "Drag draws a shape of landmarks", Press: pressToDraw, Click: clickToDraw, Options: drawOptions,
		Sketching: func(g *Hand) bool { return g.Draw.Sketching() }})
}

// pressToDraw begins what a drag does: on the ghost it moves, sizes and turns it, elsewhere it draws another one.
func pressToDraw(g *Hand) gesture {
	d := g.drawing()
	if !g.At.IsMap() || g.press.mods.Has(shell.Ctrl) {
		if g.At.Lens().Solid() {
			return &turn{}
		}
		return &pan{}
	}
	if d.On {
		if grips, ok := g.gripsOf(g.At, g.UI, d.Shape.Frame); ok {
			switch grip := grips.GripAt(vec(g.press.at), float32(g.Reach)); {
			case grip == widget.Knob:
				return &turnShape{}
			case grip >= 0:
				return &sizeShape{grip: grip}
			case grips.Has(vec(g.press.at)):
				return &moveShape{}
			}
		}
	}
	if g.At.Lens().Solid() && (d.On || g.press.mods.Has(shell.Alt)) {
		return &turn{}
	}
	switch d.kind().By {
	case shape.ByFrame:
		return &frameShape{}
	case shape.ByStroke, shape.ByOutline:
		return &strokeShape{}
	case shape.ByPiece:
		return &pieceShape{}
	}
	return &pan{}
}

// clickToDraw stamps a shape where it was clicked, or adds a corner to an outline.
func clickToDraw(g *Hand) {
	d := g.drawing()
	if !g.At.IsMap() || g.press.mods != 0 {
		return
	}
	at := g.At.Lens().World(g.press.at.x, g.press.at.y)
	if d.On {
		grips, ok := g.gripsOf(g.At, g.UI, d.Shape.Frame)
		if ok && (grips.Has(vec(g.press.at)) || grips.GripAt(vec(g.press.at), float32(g.Reach)) >= 0) {
			return
		}
		s := d.Shape
		s.Frame.Centre = vecTo(at)
		d.put(s)
		return
	}
	switch by := d.kind().By; {
	case by == shape.ByOutline:
		if len(d.corners) > 2 {
			x, y, ok := g.At.Lens().Screen(d.corners[0])
			if ok && math.Hypot(x-g.press.at.x, y-g.press.at.y) <= g.Reach {
				g.closeOutline()
				return
			}
		}
		d.corners = append(d.corners, at)
	case by == shape.ByStroke:
		g.Host.Said("drag along the line: a click is a single point")
	case by == shape.ByPiece:
		g.Host.Said("drag a rectangle around the landmarks of the piece")
	case by == shape.ByImage && d.Shape.Mask == nil:
		if d.Load != nil {
			d.Load()
		}
	default:
		if g.Map == nil {
			return
		}
		d.put(g.sized(d.Shape, at))
	}
}
