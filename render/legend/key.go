package legend

import (
	"image/color"
	"math"

	"blossom/render/pen"
)

// Key says what lines or patches over a map mean: "edge: distance of landmarks", and samples of them.
type Key struct {
	Title string
	Lines []Line // samples, side by side
	// Ramp is a bar of colours in place of lines, from its left end to its right one; Ends are the numbers there.
	Ramp []color.NRGBA
	Ends [2]string
	// OfCells says that the ends are of points in cells: they are known once these have been counted.
	OfCells bool
}

// Line is a sample of a line.
type Line struct {
	Text   string
	Width  float64 // points
	Colour color.NRGBA
}

const (
	keyLine   = 18.0 // length of a sample, points
	keyHeight = 34.0
	keyGap    = 6.0   // beside the legend
	keyRamp   = 110.0 // length of a bar
	keyLeast  = 320.0 // the height of a view that has room for keys
)

// size is what a key takes, without what lies around it.
func (y *Key) size(p pen.Pen) (w, h float64) {
	k := p.Scale()
	w = p.Width(pen.Small, y.Title)
	row := 0.0
	for i, l := range y.Lines {
		if i > 0 {
			row += 10 * k
		}
		row += keyLine*k + 4*k + p.Width(pen.Small, l.Text)
	}
	if len(y.Ramp) > 0 {
		row = p.Width(pen.Small, y.Ends[0]) + p.Width(pen.Small, y.Ends[1]) + keyRamp*k + 10*k
	}
	return max(w, row), keyHeight * k
}

// LayKeys lays keys out above each other in a view of w x h pixels: beside its legend, where there is no room above it,
// or else in the lower left corner. It returns the place of each; none where there is no room at all.
func LayKeys(p pen.Pen, keys []Key, legend pen.Rect, w, h float64) []pen.Rect {
	k := p.Scale()
	if len(keys) == 0 || h < keyLeast*k || w < overLeast*k {
		return nil
	}
	wide, high := 0.0, 0.0
	for i := range keys {
		kw, kh := keys[i].size(p)
		wide, high = max(wide, kw), high+kh
	}
	wide, high = wide+2*overPad*k, high+keyGap*k
	r, ok := placeKeys(k, wide, high, legend, w, h)
	if !ok {
		return nil
	}
	var out []pen.Rect
	y := r.Y0
	for i := range keys {
		_, kh := keys[i].size(p)
		part := pen.Rect{X0: r.X0, Y0: y, X1: r.X1, Y1: y + kh}
		if i == len(keys)-1 {
			part.Y1 = r.Y1
		}
		out = append(out, part)
		y += kh
	}
	return out
}

// placeKeys finds the place of keys that take so much room together.
func placeKeys(k, wide, high float64, legend pen.Rect, w, h float64) (pen.Rect, bool) {
	at := func(x, foot float64) pen.Rect { return pen.Rect{X0: x, Y0: foot - high, X1: x + wide, Y1: foot} }
	corner := at((overLeft-overPad)*k, h-(overBottom-overPad/2)*k)
	places := []pen.Rect{corner}
	if !legend.Empty() {
		places = []pen.Rect{at(legend.X1+keyGap*k, legend.Y1), at(legend.X0, legend.Y0-keyGap*k), corner}
	}
	for _, r := range places {
		if r.X1 <= w && r.Y0 >= overPad*k && !r.Overlaps(legend) {
			return r, true
		}
	}
	return pen.Rect{}, false
}

// Paint paints the key in a place that LayKeys gave it.
func (y *Key) Paint(p pen.Pen, r pen.Rect, ink Ink) {
	k := p.Scale()
	p.Fill(r, 6*k, ink.Ground)
	x, top := r.X0+overPad*k, r.Y0+11*k
	p.Text(pen.Small, x, top, ink.Text, y.Title)
	mid := top + 17*k
	for _, l := range y.Lines {
		t := max(l.Width*k, 1)
		c := l.Colour
		if l.Width*k < 1 { // a line thinner than a pixel keeps a pixel's width and loses opacity
			c.A = uint8(math.Round(float64(c.A) * l.Width * k))
		}
		p.Fill(pen.Rect{X0: x, Y0: mid - t/2, X1: x + keyLine*k, Y1: mid + t/2}, 0, c)
		x += (keyLine + 4) * k
		p.Text(pen.Small, x, mid, ink.Dim, l.Text)
		x += p.Width(pen.Small, l.Text) + 10*k
	}
	if n := len(y.Ramp); n > 0 {
		p.Text(pen.Small, x, mid, ink.Dim, y.Ends[0])
		x += p.Width(pen.Small, y.Ends[0]) + 5*k
		p.Gradient(pen.Rect{X0: x, Y0: mid - 4*k, X1: x + keyRamp*k, Y1: mid + 4*k}, 2*k, func(t float64) color.NRGBA {
			return y.Ramp[min(n-1, max(0, int(math.Round(t*float64(n-1)))))]
		})
		p.Text(pen.Small, x+(keyRamp+5)*k, mid, ink.Dim, y.Ends[1])
	}
}
