package view

import (
	"context"
	"image"
	"image/draw"
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/model/maps/derived"
	"blossom/model/maps/pyramid"
	"blossom/model/work"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/pen"
	"blossom/render/scene"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// Ahead is how densely all rows of a finished folder lie, before the sample of them is read that a map has for points:
// as a map without colours will show them, and where, but for rows that lie outside of what was counted.
type Ahead struct {
	density *pyramid.Pyramid
	among   []float32 // x and y of landmarks that are seen, too; nil: there are none
	values  work.Values
	picture *work.Value[aheadKey, *aheadPicture]

	shown   *aheadPicture // as the texture has it; nil: there is none
	texture uint32
	ref     imgui.TextureRef
}

// aheadKey is what the picture depends on.
type aheadKey struct {
	w, h  int
	scale float64 // pixels a point
	dark  bool
}

// aheadPicture is the rows as a camera sees them that fits them.
type aheadPicture struct {
	image *image.RGBA
	cam   *camera.Flat
	key   legend.Key
}

// NewAhead returns what shows the rows of a pyramid, which were placed among such places or, nil, by none. Its picture
// is made by jobs; done is called when it is.
func NewAhead(density *pyramid.Pyramid, among []float32, jobs *work.Jobs, done func()) *Ahead {
	a := &Ahead{density: density, among: among, values: work.Values{Jobs: jobs}}
	a.picture = work.Keep[aheadKey, *aheadPicture](&a.values, work.Policy{Title: "Density of all rows", Quiet: true,
		Background: true, Finish: true, Silent: true, Done: done})
	return a
}

// Draw draws them in a place of the window with so many pixels a screen unit, as soon as their picture is there.
func (a *Ahead) Draw(u *widget.UI, in widget.Rect, ratio float64, dark bool) {
	key := aheadKey{w: int(math.Round(float64(in.W()) * ratio)), h: int(math.Round(float64(in.H()) * ratio)),
		scale: float64(u.Pt(1)) * ratio, dark: dark}
	if key.w < 1 || key.h < 1 {
		return
	}
	if a.picture.Want(key) {
		a.picture.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*aheadPicture, error) {
			return a.paint(ctx, key)
		})
	}
	a.values.Serve()
	p, _ := a.picture.Now() // while the window is resized it is of another size
	if p == nil {
		return
	}
	a.upload(p)
	dl := imgui.WindowDrawList()
	dl.AddImage(a.ref, in.Min(), in.Max())
	over := render.Overlay{Theme: scene.Theme(dark), Cam: p.cam, Keys: []legend.Key{p.key}}
	over.PaintKeys(NewPen(u, dl, Box(in), ratio, key.scale), pen.Rect{})
}

// Shown says whether there is a picture.
func (a *Ahead) Shown() bool { return a.shown != nil }

// extent is the box that a map of the rows is fitted to; ok is false where there are none. See Scatter.Extent.
func (a *Ahead) extent(ctx context.Context) (box camera.Bounds, ok bool, err error) {
	low, high, ok, err := a.density.Middle(ctx, derived.Tail)
	box = camera.Bounds{Min: camera.Vec{X: low[0], Y: low[1]}, Max: camera.Vec{X: high[0], Y: high[1]}}
	if among, some := camera.BoundsOf(a.among, 2); ok && some {
		box = box.Union(among)
	}
	return box, ok, err
}

// paint paints the rows over the ground of a map.
func (a *Ahead) paint(ctx context.Context, k aheadKey) (*aheadPicture, error) {
	p := &aheadPicture{cam: camera.NewFlat(k.w, k.h), image: image.NewRGBA(image.Rect(0, 0, k.w, k.h))}
	theme := scene.Theme(k.dark)
	draw.Draw(p.image, p.image.Rect, image.NewUniform(theme.Background), image.Point{}, draw.Src)
	box, ok, err := a.extent(ctx)
	if err != nil || !ok {
		return nil, err
	}
	p.cam.Fit(box, render.FitMargins(float64(k.w), float64(k.h), k.scale))
	to := p.cam.Projection()
	frame := a.density.Frame
	region, err := a.density.Read(ctx, scene.Seen(frame, a.density.Inside, to))
	if err != nil {
		return nil, err
	}
	rows := scene.AllRowsOf(frame, region, sceneLook(parts.DefaultLook()), k.dark, false, false)
	p.key = rows.Key(theme)
	draw.Draw(p.image, p.image.Rect, rows.Backdrop(to), image.Point{}, draw.Over)
	return p, nil
}

// upload makes a texture of a picture.
func (a *Ahead) upload(p *aheadPicture) {
	if a.shown == p {
		return
	}
	a.drop()
	a.shown, a.texture = p, shell.Texture(p.image)
	a.ref = shell.TextureRef(a.texture)
}

// drop gives the texture back.
func (a *Ahead) drop() {
	if a.shown != nil {
		shell.FreeTexture(a.texture)
		a.shown = nil
	}
}

// Free gives everything back.
func (a *Ahead) Free() {
	a.values.Close()
	a.drop()
}
