package ui

import (
	"image/color"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/pen"
	"blossom/render/scene"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	if !oneFile {
		return
	}
	view.RegisterKind(view.Kind{ID: "plainInk", Title: "Plain ground", Help: "One colour", Icon: assets.IconPalette,
		Order: 99, New: func(v *view.View) view.Content { return &plainView{View: v} }})
}

// plainView is a view of one colour, which is its own.
type plainView struct {
	*view.View
	box   view.Box
	shown int
	Zoom  float64
}

var plainInk = color.NRGBA{R: 10, G: 200, B: 90, A: 255}

func (p *plainView) Label() (title, note string) { return "Plain", "one colour" }

func (p *plainView) Head(o widget.HeaderOpts) widget.HeaderOpts {
	o.Name, o.Note = p.Label()
	return o
}

func (p *plainView) Hit(widget.HeaderHit) {}

func (p *plainView) Place(b view.Box, _ float64, _ bool) { p.box = b }

func (p *plainView) Update(time.Time) { p.Settings(&p.Zoom) }

func (p *plainView) Draw(bool) {}

func (p *plainView) Present(dl *imgui.DrawList) {
	p.shown++
	p.Scene().UI.FillRect(dl, widget.Rect(p.box), view.Ink(plainInk), 0)
}

func (p *plainView) Stir() view.Stir { return view.Stir{} }

func (p *plainView) Fit(bool) { p.SetSettings(0.0) }

func (p *plainView) Reset() { p.SetSettings(0.0) }

func (p *plainView) Glide(_, _ float64) {}

func (p *plainView) GlideZoom(factor float64) { p.SetSettings(p.Zoom + factor) }

func (p *plainView) Picture(o scene.Options) (render.PictureOptions, error) {
	return render.PictureOptions{Width: o.Width, Height: o.Height, Scale: o.Scale, Theme: scene.Theme(o.Dark),
		View: camera.NewFlat(o.Width, o.Height), Over: []render.Paint{func(p pen.Pen, w, h float64) {
			p.Fill(pen.Rect{X1: w, Y1: h}, 0, plainInk)
		}}}, nil
}

func (p *plainView) PictureSize() (w, h int) { return int(p.box.W()), int(p.box.H()) }

func (p *plainView) Keep() {}

func (p *plainView) Free() {}
