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
	Ground                    color.NRGBA // of the strips that numbers are written on
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

// Draw paints two axes at the left and the bottom of a frame, which are pixels of dst, with numbers outside and titles
// inside of it.
func Draw(dst draw.Image, k Look, frame image.Rectangle, x, y Axis, seenX, seenY Span) {
	number, title := text.Line{Size: tickSize * k.Scale}, text.Line{Size: titleSize * k.Scale}
	f, ok := Of(Rect{float64(frame.Min.X), float64(frame.Min.Y), float64(frame.Max.X), float64(frame.Max.Y)}, x, y,
		seenX, seenY, Measure{Scale: k.Scale,
			Number: func(s string) float64 { return k.Fonts.Width(number, s) },
			Title:  func(s string) float64 { return k.Fonts.Width(title, s) }})
	if !ok {
		return
	}
	for _, r := range f.Strips {
		draw.Draw(dst, pixels(r, 0).Intersect(dst.Bounds()), image.NewUniform(k.Ground), image.Point{}, draw.Src)
	}
	for _, r := range f.Lines {
		draw.Draw(dst, pixels(r, max(1, int(k.Scale))).Intersect(dst.Bounds()), image.NewUniform(k.Line), image.Point{},
			draw.Over)
	}
	above, _ := k.Fonts.Heights(number)
	for _, l := range f.Numbers {
		k.Fonts.Draw(dst, number, l.X, l.Y+above/2, l.Text, k.TextDim)
	}
	above, _ = k.Fonts.Heights(title)
	for i, t := range f.Titles {
		k.Title(dst, []Axis{x, y}[i], t.X, t.Y+above/2, t.Room)
	}
}

// pixels returns whole pixels of a rectangle, at least so many along each side.
func pixels(r Rect, least int) image.Rectangle {
	p := image.Rect(int(math.Round(r.X0)), int(math.Round(r.Y0)), int(math.Round(r.X1)), int(math.Round(r.Y1)))
	p.Max.X, p.Max.Y = max(p.Max.X, p.Min.X+least), max(p.Max.Y, p.Min.Y+least)
	return p
}

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
func (k Look) Title(dst draw.Image, a Axis, x, y, room float64) {
	line := text.Line{Size: titleSize * k.Scale}
	rim := 1.6 * k.Scale
	title := k.Fonts.Shorten(line, a.Title, room)
	k.Fonts.Haloed(dst, line, x, y, title, k.Text, k.Halo, rim)
	w := k.Fonts.Width(line, title)
	if a.Note != "" && k.Width(a) <= room {
		k.Fonts.Haloed(dst, line, x+w, y, between+a.Note, k.TextDim, k.Halo, rim)
	}
}
