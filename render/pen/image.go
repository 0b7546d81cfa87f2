package pen

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"blossom/render/text"
)

// Image is a pen for a picture. Origin is where the map begins in it.
type Image struct {
	Dst    *image.RGBA
	Fonts  *text.Fonts
	Points float64 // pixels per point of length
	Origin image.Point
}

var _ Canvas = (*Image)(nil)

// lineHeight is that of a line of text in ems, and ascent the share of it above the baseline: the window's fonts are
// measured by lines, in whole pixels.
const (
	lineHeight = (2728.0 + 680.0) / 2816.0
	ascent     = 2728.0 / (2728.0 + 680.0)
)

// Scale is pixels per point of length.
func (p *Image) Scale() float64 { return p.Points }

// Width is how far a line of text reaches.
func (p *Image) Width(f Face, s string) float64 {
	l, _ := lineOf(f, p.Points)
	return p.Fonts.Advance(l, s)
}

// Text writes a line with its left end at x, around the height middle.
func (p *Image) Text(f Face, x, middle float64, ink color.NRGBA, s string) {
	l, height := lineOf(f, p.Points)
	// The place in a page is added last: rounding does not depend on it.
	at := Spot{math.Round(x) + float64(p.Origin.X), baseline(middle, height) + float64(p.Origin.Y)}
	p.Fonts.Write(p.Dst, l, at.X, at.Y, s, ink)
}

// Haloed writes it with a rim.
func (p *Image) Haloed(f Face, x, middle float64, ink, rim color.NRGBA, s string) {
	Rimmed(p, f, x, middle, ink, rim, s)
}

// Upright writes a line that runs upwards from bottom, around x.
func (p *Image) Upright(f Face, x, bottom float64, ink color.NRGBA, s string) {
	l, height := lineOf(f, p.Points)
	w, h := int(math.Ceil(p.Fonts.Advance(l, s)))+1, int(height)
	if w < 1 || h < 1 || s == "" {
		return
	}
	flat := image.NewRGBA(image.Rect(0, 0, w, h))
	p.Fonts.Write(flat, l, 0, math.Ceil(ascent*height), s, ink)
	up := image.NewRGBA(image.Rect(0, 0, h, w))
	for px := range w {
		for py := range h {
			up.SetRGBA(py, w-1-px, flat.RGBAAt(px, py))
		}
	}
	at := image.Pt(int(math.Round(x-height/2)), int(math.Round(bottom))-w).Add(p.Origin)
	draw.Draw(p.Dst, up.Rect.Add(at), up, image.Point{}, draw.Over)
}

// Fill paints a rectangle with round corners.
func (p *Image) Fill(r Rect, radius float64, ink color.NRGBA) {
	r = Sharp(r, p.Points)
	whole := image.Rect(int(r.X0), int(r.Y0), int(r.X1), int(r.Y1))
	if radius == 0 && r == Box(float64(whole.Min.X), float64(whole.Min.Y), float64(whole.Max.X), float64(whole.Max.Y)) {
		draw.Draw(p.Dst, whole.Add(p.Origin), image.NewUniform(ink), image.Point{}, draw.Over)
		return
	}
	p.Gradient(r, radius, func(float64) color.NRGBA { return ink })
}

// Gradient paints a bar with round corners and smooth edges.
func (p *Image) Gradient(r Rect, radius float64, at func(t float64) color.NRGBA) {
	r = Sharp(r, p.Points)
	x, y, w, h := r.X0+float64(p.Origin.X), r.Y0+float64(p.Origin.Y), r.W(), r.H()
	b := image.Rect(int(math.Floor(x)), int(math.Floor(y)), int(math.Ceil(x+w)),
		int(math.Ceil(y+h))).Intersect(p.Dst.Bounds())
	mask := image.NewAlpha(image.Rect(0, 0, 1, 1))
	radius = min(radius, w/2, h/2)
	for px := b.Min.X; px < b.Max.X; px++ {
		cx := float64(px) + 0.5
		ink := image.NewUniform(at(min(max((cx-x)/w, 0), 1)))
		for py := b.Min.Y; py < b.Max.Y; py++ {
			cy := float64(py) + 0.5
			cover := 1.0
			if radius > 0 { // the distance to the rectangle shrunk by the radius, minus that
				dx, dy := max(x+radius-cx, cx-(x+w-radius), 0), max(y+radius-cy, cy-(y+h-radius), 0)
				cover = min(max(radius+0.5-math.Hypot(dx, dy), 0), 1)
			} else {
				cover = max(min(x+w, cx+0.5)-max(x, cx-0.5), 0) * max(min(y+h, cy+0.5)-max(y, cy-0.5), 0)
			}
			if cover == 0 {
				continue
			}
			mask.Pix[0] = uint8(cover*255 + 0.5)
			draw.DrawMask(p.Dst, image.Rect(px, py, px+1, py+1), ink, image.Point{}, mask, image.Point{}, draw.Over)
		}
	}
}
