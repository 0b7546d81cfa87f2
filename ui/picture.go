package ui

import (
	"context"
	"fmt"
	"image"
	"io"
	"path/filepath"

	"blossom/model/engine"
	"blossom/model/format"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/render"
	"blossom/render/pngfile"
	"blossom/render/scene"
	"blossom/ui/desk"
)

// pictureExport is a picture for a file under way, drawn in parts so that the window goes on.
type pictureExport struct {
	job  *render.PictureJob
	path string
}

// pictureStep is the number of points that a picture for a file draws in a frame.
const pictureStep = 200_000

// pictureSize returns the size of the picture and its pixels per point.
func (a *App) pictureSize(p desk.Picture) (w, h int, scale float64) {
	w, h = a.view.cam.Viewport()
	scale = float64(a.ctx.Scale()) * a.view.ratio
	switch p.Size {
	case desk.TwiceAsFine:
		return 2 * w, 2 * h, 2 * scale
	case desk.OwnSize:
		return p.Width, p.Height, p.Scale
	}
	return w, h, scale
}

// exportPicture draws the map as it is looked at, at its own size, and writes it.
func (a *App) exportPicture(path string, p desk.Picture) {
	a.whenFresh(func() {
		w, h, scale := a.pictureSize(p)
		picture := scene.Options{Width: w, Height: h, Scale: scale, Dark: a.settings.Theme == "dark",
			Transparent: p.Transparent, Legend: p.Legend, Landmarks: p.Landmarks, Names: p.Landmarks}
		if p.Title {
			picture.Title = a.m.Doc.Title
		}
		o, err := scene.Scene{Points: a.canvas.points, Values: a.canvas.values, Colours: a.colours.Values,
			Look: sceneLook(a.lookNow()), Landmarks: parts.Landmarks.Of(a.m.Doc.State()), View: a.view.cam}.Picture(picture)
		if err != nil {
			a.fail(err)
			return
		}
		a.canvas.asShown(a, &o)
		job, err := a.renderer.NewPicture(o)
		if err != nil {
			a.fail(err)
			return
		}
		a.picture = &pictureExport{job: job, path: path}
	})
}

// drawPicture goes on with the picture under way and writes it when it is done.
func (a *App) drawPicture() {
	p := a.picture
	if p == nil {
		return
	}
	if a.m.Busy() {
		return // the map moved on: wait until the picture can be of one state again
	}
	if p.job.Step(pictureStep) < 1 {
		return
	}
	img := p.job.Image()
	p.job.Close()
	a.picture = nil
	a.writePicture(p.path, img)
}

func (a *App) writePicture(path string, img *image.RGBA) {
	if a.m != nil && a.isInput(path) {
		return
	}
	meta := a.pictureMeta()
	a.jobs.Start("Writing "+filepath.Base(path), func(context.Context, *live.Job) (func(), error) {
		err := format.AtomicWrite(path, func(w io.Writer) error { return pngfile.Encode(w, img, meta) })
		return func() { a.exported(path) }, err
	})
}

// pictureMeta is what a picture says about how it was made.
func (a *App) pictureMeta() pngfile.Meta {
	m := pngfile.Meta{Text: []pngfile.Text{{Key: "Software", Value: "blossom " + a.options.Version}}}
	if a.m == nil {
		return m
	}
	s := a.m.Doc.State()
	arranged, e := "by training alone", a.engines.Engine()
	if parts.Landmarks.Of(s).ByHand {
		arranged = "landmarks arranged by hand"
	}
	m.Text = append(m.Text, pngfile.Text{Key: "Source", Value: a.m.Doc.Title},
		pngfile.Text{Key: "Description", Value: fmt.Sprintf(
			"EmbedSOM of %d points, %d landmarks, k %d, boost %g, adjust %g, seed %d, %s, engine %s", a.m.Doc.Data.Points,
			parts.Landmarks.Of(s).Len(),
			parts.Projection.Of(s).K, parts.Projection.Of(s).Boost, parts.Projection.Of(s).Adjust, a.m.Doc.Seed,
			arranged, engine.FullName(e.Name(), e.Variant()))})
	return m
}

// screenshot writes the whole window as it was drawn last.
func (a *App) screenshot() {
	a.ctx.Post(func() {
		img := a.ctx.Screenshot()
		name := "blossom.png"
		if a.m != nil {
			name = a.stem() + "_window.png"
		}
		a.ask(fileQuestion{title: "Save screenshot", save: true, name: name, kind: "PNG pictures",
			kinds:  []string{".png"},
			answer: func(path string) { a.writePicture(path, img) }})
	})
}
