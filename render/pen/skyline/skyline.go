// Package skyline paints a hierarchy as the heights between neighbours, a column for each pixel, over the clusters of a
// cut: with a pen, the window's or that of pictures for files. Lengths are pixels.
package skyline

import (
	"image/color"
	"math"

	"blossom/render/pen"
	"blossom/render/pen/skyscale"
)

// Picture is what is shown.
type Picture struct {
	Scale skyscale.Scale
	// Columns are the heights and colours of so many columns, from the left; a colour without opacity is of no cluster.
	Columns func(n int) (heights []float64, inks []color.NRGBA)
	Cut     float64 // where the line is; NaN: there is none
	Text    string  // the clusters in words
	Unit    string  // the name of heights
	Figure  func(height float64) string
	Lit     [2]float64 // the columns under the mouse, as parts of the width; equal: none
}

// Ink is the colours beside those of the clusters.
type Ink struct{ Ground, Text, Dim, Line, Accent color.NRGBA }

// Lengths in points.
const (
	axis  = 44 // the heights at the left
	pad   = 10
	head  = 20 // the words above
	strip = 6  // the clusters below the columns
)

// Lay returns the place of the columns on a picture of w x h pixels; ok is false where there is no room for them.
func Lay(scale, w, h float64) (columns pen.Rect, ok bool) {
	r := pen.Rect{X0: math.Round(axis * scale), Y0: math.Round((pad + head) * scale),
		X1: math.Round(w - pad*scale), Y1: math.Round(h - (pad+strip+4)*scale)}
	return r, r.W() >= 40*scale && r.H() >= 16*scale
}

// Paint paints the picture into w x h pixels.
func (m *Picture) Paint(p pen.Pen, w, h float64, ink Ink) {
	in, ok := Lay(p.Scale(), w, h)
	if !ok {
		return
	}
	k := p.Scale()
	m.ticks(p, in, ink)
	if m.Lit[1] > m.Lit[0] {
		p.Fill(pen.Rect{X0: in.X0 + m.Lit[0]*in.W(), Y0: in.Y0, X1: in.X0 + m.Lit[1]*in.W(),
			Y1: in.Y1 + (strip+4)*k}, 0, mix(ink.Accent, ink.Ground, 0.85))
	}
	m.columns(p, in, ink)
	p.Fill(pen.Rect{X0: in.X0, Y0: in.Y1, X1: in.X1, Y1: in.Y1 + pen.Hair(k)}, 0, ink.Line)
	text := m.Text
	if m.Cut == m.Cut {
		y := math.Round(m.y(in, m.Cut))
		p.Fill(pen.Rect{X0: in.X0, Y0: y - math.Ceil(k/2), X1: in.X1, Y1: y + math.Ceil(k/2)}, 0, ink.Accent)
		text += " below " + m.Figure(m.Cut)
	}
	p.Text(pen.Strong, in.X0, (pad+head/2-2)*k, ink.Text, pen.Shorten(p, pen.Strong, text, in.W()))
}

func (m *Picture) y(in pen.Rect, height float64) float64 { return in.Y1 - m.Scale.Share(height)*in.H() }

// columns paints columns that look alike as one, and the clusters below them.
func (m *Picture) columns(p pen.Pen, in pen.Rect, ink Ink) {
	k, n := p.Scale(), int(in.W())
	heights, inks := m.Columns(n)
	above, none := mix(ink.Dim, ink.Ground, 0.25), mix(ink.Dim, ink.Ground, 0.75)
	line := in.Y0 - 1
	if m.Cut == m.Cut {
		line = m.y(in, m.Cut)
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && heights[to] == heights[from] && inks[to] == inks[from] {
			to++
		}
		x0, x1 := in.X0+float64(from), in.X0+float64(to)
		y, body := m.y(in, max(heights[from], 0)), none
		if c := inks[from]; c.A > 0 {
			body = mix(c, ink.Ground, 0.3)
			p.Fill(pen.Rect{X0: x0, Y0: in.Y1 + 3*k, X1: x1, Y1: in.Y1 + (3+strip)*k}, 0, c)
		}
		if y < line {
			p.Fill(pen.Rect{X0: x0, Y0: y, X1: x1, Y1: line}, 0, above)
		}
		if foot := (pen.Rect{X0: x0, Y0: max(y, line), X1: x1, Y1: in.Y1}); !foot.Empty() {
			p.Fill(foot, 0, body)
		}
		from = to
	}
}

// ticks writes heights at the left: a few round ones.
func (m *Picture) ticks(p pen.Pen, in pen.Rect, ink Ink) {
	k := p.Scale()
	last := in.Y1 + 20*k
	for _, h := range m.Scale.Ticks() {
		y := math.Round(m.y(in, h))
		if last-y < 18*k || y < in.Y0+12*k || h <= m.Scale.Low {
			continue
		}
		last = y
		p.Fill(pen.Rect{X0: in.X0, Y0: y, X1: in.X1, Y1: y + pen.Hair(k)}, 0, ink.Line)
		s := m.Figure(h)
		p.Text(pen.Caption, in.X0-6*k-p.Width(pen.Caption, s), y, ink.Dim, s)
	}
	p.Text(pen.Caption, 4*k, in.Y0+3*k, ink.Dim, pen.Shorten(p, pen.Caption, m.Unit, in.X0+26*k))
}

// mix is a with a share of b.
func mix(a, b color.NRGBA, share float64) color.NRGBA {
	of := func(x, y uint8) uint8 { return uint8(math.Round(float64(x)*(1-share) + float64(y)*share)) }
	return color.NRGBA{R: of(a.R, b.R), G: of(a.G, b.G), B: of(a.B, b.B), A: 255}
}
