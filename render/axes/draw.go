package axes

import (
	"image"
	"image/color"
	"image/draw"
	"math"

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
	gap       = 4.0  // between a mark and its number, and around titles
	roomX     = 64.0 // that a tick takes beside another
	roomY     = 40.0
)

// Left and Bottom are the room that numbers take outside of the frame, in points.
const (
	Left   = 40.0
	Bottom = 22.0
)

// Span is what of an axis is seen, in coordinates.
type Span struct{ Lo, Hi float64 }

// place returns the pixel of a coordinate between two pixels.
func (s Span) place(at, from, to float64) float64 { return from + (at-s.Lo)/(s.Hi-s.Lo)*(to-from) }

// Draw paints two axes at the left and the bottom of a frame, which are pixels of dst, with numbers outside and titles
// inside of it.
func Draw(dst draw.Image, k Look, frame image.Rectangle, x, y Axis, seenX, seenY Span) {
	left, right := float64(frame.Min.X), float64(frame.Max.X)
	top, bottom := float64(frame.Min.Y), float64(frame.Max.Y)
	if right-left < 2*titleSize*k.Scale || bottom-top < 2*titleSize*k.Scale {
		return
	}
	k.fill(dst, left, top, left+k.Scale, bottom)
	k.fill(dst, left, bottom, right, bottom+k.Scale)
	number := text.Line{Size: tickSize * k.Scale}
	above, _ := k.Fonts.Heights(number)
	rim := 1.4 * k.Scale
	for _, t := range x.Ticks(seenX.Lo, seenX.Hi, int((right-left)/k.Scale/roomX)) {
		at := seenX.place(t.At, left, right)
		k.fill(dst, at, bottom, at+k.Scale, bottom+tickMark*k.Scale)
		w := k.Fonts.Width(number, t.Text)
		k.Fonts.Haloed(dst, number, at-w/2, bottom+(tickMark+gap)*k.Scale+above, t.Text, k.TextDim, k.Halo, rim)
	}
	for _, t := range y.Ticks(seenY.Lo, seenY.Hi, int((bottom-top)/k.Scale/roomY)) {
		at := seenY.place(t.At, bottom, top)
		k.fill(dst, left-tickMark*k.Scale, at, left, at+k.Scale)
		w := k.Fonts.Width(number, t.Text)
		k.Fonts.Haloed(dst, number, left-(tickMark+gap)*k.Scale-w, at+above/2, t.Text, k.TextDim, k.Halo, rim)
	}
	line := text.Line{Size: titleSize * k.Scale}
	above, below := k.Fonts.Heights(line)
	room := (right - left) - 2*gap*k.Scale
	k.Title(dst, y, left+2*gap*k.Scale, top+gap*k.Scale+above, room)
	w := math.Min(k.Width(x), room)
	k.Title(dst, x, right-gap*k.Scale-w, bottom-gap*k.Scale-below, room)
}

// Width is how many pixels the title of an axis takes.
func (k Look) Width(a Axis) float64 {
	line := text.Line{Size: titleSize * k.Scale}
	w := k.Fonts.Width(line, a.Title)
	if a.Note != "" {
		w += k.Fonts.Width(line, "  "+a.Note)
	}
	return w
}

// Title writes what an axis is, with the left end of its baseline at the pixel (x, y), in room pixels.
func (k Look) Title(dst draw.Image, a Axis, x, y, room float64) {
	line := text.Line{Size: titleSize * k.Scale}
	rim := 1.6 * k.Scale
	title := k.Fonts.Shorten(line, a.Title, room)
	k.Fonts.Haloed(dst, line, x, y, title, k.Text, k.Halo, rim)
	w := k.Fonts.Width(line, title)
	if a.Note != "" && k.Width(a) <= room {
		k.Fonts.Haloed(dst, line, x+w, y, "  "+a.Note, k.TextDim, k.Halo, rim)
	}
}

// fill paints a rectangle of whole pixels, at least one.
func (k Look) fill(dst draw.Image, x0, y0, x1, y1 float64) {
	r := image.Rect(int(math.Round(x0)), int(math.Round(y0)), int(math.Round(x1)), int(math.Round(y1)))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	draw.Draw(dst, r.Intersect(dst.Bounds()), image.NewUniform(k.Line), image.Point{}, draw.Over)
}
