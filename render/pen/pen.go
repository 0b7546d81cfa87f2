// Package pen writes and paints over a map: names, axes, the legend. What lies over a map is laid out once and painted
// with a pen, of which the window has one and pictures for files another, so that both look alike. Lengths and places
// are pixels of the map's picture.
package pen

import (
	"image/color"
	"math"
)

// Face is a font with a size.
type Face uint8

// The faces of what lies over a map, as in the window.
const (
	Body Face = iota
	Strong
	Small
	Caption
)

// Size returns the em of a face in points.
func (f Face) Size() float64 { return [...]float64{13, 13, 11.5, 10.5}[f] }

// Rect is a rectangle in pixels.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// Box makes a rectangle of its left, top, right and bottom.
func Box(x0, y0, x1, y1 float64) Rect { return Rect{X0: x0, Y0: y0, X1: x1, Y1: y1} }

// W and H are its sides.
func (r Rect) W() float64 { return r.X1 - r.X0 }
func (r Rect) H() float64 { return r.Y1 - r.Y0 }

// Empty says whether it has no area.
func (r Rect) Empty() bool { return !(r.X1 > r.X0 && r.Y1 > r.Y0) }

// Overlaps says whether two rectangles have pixels in common.
func (r Rect) Overlaps(o Rect) bool { return r.X0 < o.X1 && o.X0 < r.X1 && r.Y0 < o.Y1 && o.Y0 < r.Y1 }

// Pen paints.
type Pen interface {
	// Scale is pixels per point of length.
	Scale() float64
	// Width is how far a line of text reaches.
	Width(f Face, s string) float64
	// Text writes a line with its left end at x, around the height middle.
	Text(f Face, x, middle float64, ink color.NRGBA, s string)
	// Haloed writes it with a rim of another colour, so that it can be read on points.
	Haloed(f Face, x, middle float64, ink, rim color.NRGBA, s string)
	// Upright writes a line that runs upwards from bottom, around x.
	Upright(f Face, x, bottom float64, ink color.NRGBA, s string)
	// Fill paints a rectangle with corners of a radius; without width or height it is a hairline.
	Fill(r Rect, radius float64, ink color.NRGBA)
	// Gradient paints a bar in the colours at 0, its left end, to 1.
	Gradient(r Rect, radius float64, at func(t float64) color.NRGBA)
}

// Hair is the width of a thin line: a point, in whole pixels.
func Hair(scale float64) float64 { return max(1, float64(int(scale+0.5))) }

// Sharp returns r with a hairline's width, on whole pixels, where it has none.
func Sharp(r Rect, scale float64) Rect {
	if r.W() == 0 {
		r.X0 = math.Round(r.X0)
		r.X1 = r.X0 + Hair(scale)
	}
	if r.H() == 0 {
		r.Y0 = math.Round(r.Y0)
		r.Y1 = r.Y0 + Hair(scale)
	}
	return r
}

// Rimmed writes text with a rim of another colour by a pen that can write alone: eight times around its place.
func Rimmed(p Pen, f Face, x, middle float64, ink, rim color.NRGBA, s string) {
	d := p.Scale()
	for _, o := range [8][2]float64{{-d, 0}, {d, 0}, {0, -d}, {0, d}, {-d, -d}, {d, d}, {-d, d}, {d, -d}} {
		p.Text(f, x+o[0], middle+o[1], rim, s)
	}
	p.Text(f, x, middle, ink, s)
}

// Shorten cuts s so that it is no wider than width, with an ellipsis for what is missing; "" where there is room for
// nothing.
func Shorten(p Pen, f Face, s string, width float64) string {
	r := []rune(s)
	lo, hi := 0, len(r)                       // runes that fit, that do not
	for first := 64; first < hi; first *= 2 { // a long text is looked at as far as it is near the width
		if p.Width(f, string(r[:first])) > width+0.5 {
			hi = first
		}
	}
	if hi == len(r) && p.Width(f, s) <= width+0.5 { // a room that was measured for it may have been rounded
		return s
	}
	for lo < hi-1 {
		if m := (lo + hi) / 2; p.Width(f, string(r[:m])+"…") <= width {
			lo = m
		} else {
			hi = m
		}
	}
	for lo > 0 && r[lo-1] == ' ' {
		lo--
	}
	if lo == 0 && p.Width(f, "…") > width {
		return ""
	}
	return string(r[:lo]) + "…"
}
