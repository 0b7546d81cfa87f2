package pen

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"

	"blossom/render/text"
)

// An Image is a Canvas, too. Edges are as smooth as those that OpenGL draws: a pixel is covered by its distance
// from the outline.

// Write writes a line of text.
func (p *Image) Write(l text.Line, x, y float64, ink color.NRGBA, rim Rim, s string) {
	x, y = x+float64(p.Origin.X), y+float64(p.Origin.Y)
	if rim.Width > 0 {
		p.Fonts.Haloed(p.Dst, l, x, y, s, ink, rim.Ink, rim.Width)
		return
	}
	p.Fonts.Draw(p.Dst, l, x, y, s, ink)
}

// over lays a colour over a pixel, covering a share of it.
func over(px []uint8, ink color.NRGBA, cover float64) {
	a := cover * float64(ink.A) / 255
	for i, c := range [4]uint8{ink.R, ink.G, ink.B, 255} {
		px[i] = uint8(float64(c)*a + float64(px[i])*(1-a) + 0.5)
	}
}

// Stroke paints lines.
func (p *Image) Stroke(lines [][]Spot, width float64, ink color.NRGBA) {
	ink.A = uint8(float64(ink.A)*min(width, 1) + 0.5) // a thin line keeps a pixel's width and loses opacity
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			p.segment(p.moved(l[i-1]), p.moved(l[i]), max(width, 1)/2, ink)
		}
	}
}

// moved is a place of the map as one of the picture.
func (p *Image) moved(s Spot) Spot { return Spot{s.X + float64(p.Origin.X), s.Y + float64(p.Origin.Y)} }

// segment paints all that is nearer to a line than half.
func (p *Image) segment(a, b Spot, half float64, ink color.NRGBA) {
	clip := p.Dst.Bounds()
	dx, dy, reach := b.X-a.X, b.Y-a.Y, half+0.5
	d2 := dx*dx + dy*dy
	if !(d2 < 1e15) {
		return
	}
	first := max(int(math.Floor(min(a.Y, b.Y)-reach)), clip.Min.Y)
	last := min(int(math.Ceil(max(a.Y, b.Y)+reach)), clip.Max.Y)
	for y := first; y < last; y++ {
		cy := float64(y) + 0.5
		t0, t1 := 0.0, 1.0 // the part of the line that is near this row
		if dy != 0 {
			t0, t1 = (cy-reach-a.Y)/dy, (cy+reach-a.Y)/dy
			t0, t1 = max(min(t0, t1), 0), min(max(t0, t1), 1)
		}
		x0, x1 := a.X+t0*dx, a.X+t1*dx
		from := max(int(math.Floor(min(x0, x1)-reach)), clip.Min.X)
		to := min(int(math.Ceil(max(x0, x1)+reach)), clip.Max.X)
		for x := from; x < to; x++ {
			ex, ey := float64(x)+0.5-a.X, cy-a.Y
			t := 0.0
			if d2 > 0 {
				t = min(max((ex*dx+ey*dy)/d2, 0), 1)
			}
			if cover := min(reach-math.Hypot(ex-t*dx, ey-t*dy), 1); cover > 0 {
				over(p.Dst.Pix[p.Dst.PixOffset(x, y):], ink, cover)
			}
		}
	}
}

// Ring fills what lies between two circles.
func (p *Image) Ring(at Spot, inner, outer float64, ink color.NRGBA) {
	at = p.moved(at)
	r := image.Rect(int(math.Floor(at.X-outer-1)), int(math.Floor(at.Y-outer-1)), int(math.Ceil(at.X+outer+1)),
		int(math.Ceil(at.Y+outer+1))).Intersect(p.Dst.Bounds())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			d := math.Hypot(float64(x)+0.5-at.X, float64(y)+0.5-at.Y)
			cover := min(max(outer+0.5-d, 0), 1)
			if inner > 0 {
				cover *= 1 - min(max(inner+0.5-d, 0), 1)
			}
			if cover > 0 {
				over(p.Dst.Pix[p.Dst.PixOffset(x, y):], ink, cover)
			}
		}
	}
}

// Polygon fills an outline.
func (p *Image) Polygon(corners []Spot, ink color.NRGBA) {
	b := Extent(corners)
	r := image.Rect(int(math.Floor(b.X0)), int(math.Floor(b.Y0)), int(math.Ceil(b.X1)), int(math.Ceil(b.Y1))).
		Add(p.Origin).Intersect(p.Dst.Bounds())
	if r.Empty() || len(corners) < 3 {
		return
	}
	v := vector.NewRasterizer(r.Dx(), r.Dy())
	for i, c := range corners {
		c = p.moved(c)
		x, y := float32(c.X-float64(r.Min.X)), float32(c.Y-float64(r.Min.Y))
		if i == 0 {
			v.MoveTo(x, y)
		} else {
			v.LineTo(x, y)
		}
	}
	v.ClosePath()
	v.Draw(p.Dst, r, image.NewUniform(ink), image.Point{})
}

// Extent is the rectangle around places.
func Extent(at []Spot) Rect {
	r := Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, s := range at {
		r = Rect{min(r.X0, s.X), min(r.Y0, s.Y), max(r.X1, s.X), max(r.Y1, s.Y)}
	}
	return r
}

// Picture lays a picture on the whole pixels of a rectangle, pixel by pixel: here it is as large as that.
func (p *Image) Picture(r Rect, img *image.RGBA) {
	at := image.Pt(int(math.Round(r.X0)), int(math.Round(r.Y0))).Add(p.Origin)
	draw.Draw(p.Dst, image.Rectangle{at, at.Add(img.Rect.Size())}, img, img.Rect.Min, draw.Over)
}

// Seams says whether pictures may show where they meet.
func (*Image) Seams() bool { return false }

// Group says nothing: a picture has no parts.
func (p *Image) Group(string) (end func()) { return func() {} }

// Part is the canvas of a part.
func (p *Image) Part(origin Spot, cut Rect) (Canvas, func()) {
	within := image.Rect(int(math.Round(cut.X0)), int(math.Round(cut.Y0)), int(math.Round(cut.X1)),
		int(math.Round(cut.Y1))).Add(p.Origin)
	part := *p
	part.Dst = p.Dst.SubImage(within).(*image.RGBA)
	part.Origin = p.Origin.Add(image.Pt(int(math.Round(origin.X)), int(math.Round(origin.Y))))
	return &part, func() {}
}
