package view

import (
	"image/color"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/render/pen"
	"blossom/ui/widget"
)

// ink is the pen of a window: it writes over the picture of a view, in pixels of that picture.
type ink struct {
	ui    *widget.UI
	dl    *imgui.DrawList
	box   Box     // place of the picture on the screen
	ratio float64 // pixels of the picture a screen unit
	scale float64 // and a point
}

// NewPen returns the pen of a window for a picture that lies in box, with so many pixels a screen unit and a point.
func NewPen(u *widget.UI, dl *imgui.DrawList, box Box, ratio, scale float64) pen.Pen {
	return ink{u, dl, box, ratio, scale}
}

// inkOver is the pen for what lies over points that an eye sees.
func inkOver(dl *imgui.DrawList, s *Scene, e *Eye) ink {
	return ink{s.UI, dl, e.Box, e.Ratio, s.pixels()}
}

var _ pen.Pen = ink{}

func face(f pen.Face) widget.Face {
	return [...]widget.Face{pen.Body: widget.Body, pen.Strong: widget.Strong, pen.Small: widget.Small,
		pen.Caption: widget.Caption}[f]
}

// Scale is pixels per point of length.
func (k ink) Scale() float64 { return k.scale }

// Width is how far a line of text reaches.
func (k ink) Width(f pen.Face, s string) float64 {
	return float64(k.ui.Width(face(f), s)) * k.ratio
}

// at is the place of a pixel on the screen.
func (k ink) at(x, y float64) (sx, sy float32) {
	return float32(float64(k.box.X0) + x/k.ratio), float32(float64(k.box.Y0) + y/k.ratio)
}

func (k ink) rect(r pen.Rect) widget.Rect {
	x0, y0 := k.at(r.X0, r.Y0)
	x1, y1 := k.at(r.X1, r.Y1)
	return widget.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}
}

// Text writes a line with its left end at x, around the height middle.
func (k ink) Text(f pen.Face, x, middle float64, c color.NRGBA, s string) {
	sx, sy := k.at(x, middle)
	k.ui.DrawText(k.dl, face(f), sx, sy, Ink(c), s)
}

// Haloed writes it with a rim.
func (k ink) Haloed(f pen.Face, x, middle float64, c, rim color.NRGBA, s string) {
	pen.Rimmed(k, f, x, middle, c, rim, s)
}

// Upright writes a line that runs upwards from bottom, around x.
func (k ink) Upright(f pen.Face, x, bottom float64, c color.NRGBA, s string) {
	sx, sy := k.at(x, bottom)
	k.ui.DrawUpright(k.dl, face(f), sx, sy, Ink(c), s)
}

// Fill paints a rectangle with round corners.
func (k ink) Fill(r pen.Rect, radius float64, c color.NRGBA) {
	r = pen.Sharp(r, k.Scale())
	k.ui.FillRect(k.dl, k.rect(r), Ink(c), float32(radius/k.Scale()))
}

// Gradient paints a bar in the colours at 0, its left end, to 1.
func (k ink) Gradient(r pen.Rect, radius float64, at func(t float64) color.NRGBA) {
	colours := make([]widget.Color, 96)
	for i := range colours {
		colours[i] = Ink(at(float64(i) / float64(len(colours)-1)))
	}
	k.ui.Gradient(k.dl, k.rect(r), colours)
}
