package axes

import (
	"image/color"

	"blossom/render/pen"
	"blossom/render/text"
)

// Look is how axes are painted. Lengths are in points; Scale is pixels per point.
type Look struct {
	Fonts                     *text.Fonts
	Scale                     float64
	Line, Text, TextDim, Halo color.NRGBA
}

// In points; text sizes as in the window.
const (
	titleSize = 12.0
	tickSize  = 10.5
	tickMark  = 4.0
	gap       = 4.0 // between a mark and its number, and around titles
)

// Left and Bottom are the room that numbers take outside of the frame, in points.
const (
	Left   = 40.0
	Bottom = 22.0
)

// Span is what of an axis is seen, in coordinates.
type Span struct{ Lo, Hi float64 }

// Width is how many pixels the title of an axis takes.
func (k Look) Width(a Axis) float64 {
	line := text.Line{Size: titleSize * k.Scale}
	w := k.Fonts.Width(line, a.Title)
	if a.Note != "" {
		w += k.Fonts.Width(line, between+a.Note)
	}
	return w
}

// Title writes what an axis is, with the left end of its baseline at the pixel (x, y), in room pixels.
func (k Look) Title(c pen.Canvas, a Axis, x, y, room float64) {
	line := text.Line{Size: titleSize * k.Scale}
	rim := pen.Rim{Ink: k.Halo, Width: 1.6 * k.Scale}
	title := k.Fonts.Shorten(line, a.Title, room)
	c.Write(line, x, y, k.Text, rim, title)
	w := k.Fonts.Width(line, title)
	if a.Note != "" && k.Width(a) <= room {
		c.Write(line, x+w, y, k.TextDim, rim, between+a.Note)
	}
}
