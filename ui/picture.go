package ui

import (
	"context"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/render/pngfile"
	"blossom/render/scene"
	"blossom/ui/desk"
	"blossom/ui/view"
)

// pictureExport is a picture for a file under way, drawn in parts so that the window goes on.
type pictureExport struct {
	job  pictureJob
	path string
	meta pngfile.Meta
}

// pictureJob draws a picture, of one view or of all, in steps.
type pictureJob interface {
	Step(points int) (float64, error)
	Image() *image.RGBA
	Close()
}

// single is a picture of one view.
type single struct{ *render.PictureJob }

func (s single) Step(points int) (float64, error) { return s.PictureJob.Step(points), nil }

// pictureStep is the number of points that a picture for a file draws in a frame.
const pictureStep = 200_000

// pictureSize returns the size of the picture and its pixels per point.
func (a *App) pictureSize(p desk.Picture) (w, h int, scale float64) {
	w, h = a.desk.Stage.Active().Content().PictureSize()
	scale = float64(a.ctx.Scale()) * float64(a.ctx.FramebufferScale())
	if p.All {
		r, ratio := a.rooms.regions.views, a.ctx.FramebufferScale()
		w, h = int(r.W()*ratio+0.5), int(r.H()*ratio+0.5)
	}
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
		job, err := a.newPicture(p)
		if err != nil {
			a.fail(err)
			return
		}
		views := a.desk.Stage.Views()
		if !p.All {
			views = []*view.View{a.desk.Stage.Active()}
		}
		a.picture = &pictureExport{job: job, path: path, meta: a.pictureMeta(views)}
	})
}

// newPicture begins a picture of the active view, or of all as they stand.
func (a *App) newPicture(p desk.Picture) (pictureJob, error) {
	w, h, scale := a.pictureSize(p)
	o := scene.Options{Width: w, Height: h, Scale: scale, Dark: a.settings.Theme == "dark",
		Transparent: p.Transparent}
	if p.Title {
		o.Title = a.desk.Doc.Title
	}
	if !p.All || len(a.desk.Stage.Views()) < 2 {
		picture, err := a.desk.Stage.Active().Content().Picture(o)
		if err != nil {
			return nil, err
		}
		job, err := a.renderer.NewPicture(picture)
		return single{job}, err
	}
	fonts, err := scene.Fonts()
	if err != nil {
		return nil, err
	}
	sheet := render.SheetOptions{Width: w, Height: h, Scale: scale, Theme: scene.Theme(o.Dark),
		Transparent: p.Transparent, Fonts: fonts}
	all := a.rooms.regions.views
	fx, fy := float32(w)/all.W(), float32(h)/all.H()
	o.Title = ""
	for _, v := range a.desk.Stage.Views() {
		title, detail := v.Content().Label()
		picture, err := v.Content().Picture(o)
		if err != nil {
			return nil, err
		}
		if p := v.Scatter(); p != nil && p.Told() {
			picture.Legend = nil
		}
		area := v.Area()
		sheet.Cells = append(sheet.Cells, render.SheetCell{Title: title, Detail: detail, Picture: picture,
			Rect: image.Rect(int((area.X0-all.X0)*fx+0.5), int((area.Y0-all.Y0)*fy+0.5),
				int((area.X1-all.X0)*fx+0.5), int((area.Y1-all.Y0)*fy+0.5))})
	}
	return a.renderer.NewSheet(sheet)
}

// drawPicture goes on with the picture under way and writes it when it is done.
func (a *App) drawPicture() {
	p := a.picture
	if p == nil {
		return
	}
	if a.desk.Busy() {
		return // the map moved on: wait until the picture can be of one state again
	}
	done, err := p.job.Step(pictureStep)
	if err != nil {
		p.job.Close()
		a.picture = nil
		a.fail(err)
		return
	}
	if done < 1 {
		return
	}
	img := p.job.Image()
	p.job.Close()
	a.picture = nil
	a.writePicture(p.path, img, p.meta)
}

func (a *App) writePicture(path string, img *image.RGBA, meta pngfile.Meta) {
	if a.desk != nil && a.docs.IsInput(path) {
		return
	}
	a.compute.jobs.Start("Writing "+filepath.Base(path), func(context.Context, *work.Job) (func(), error) {
		err := format.AtomicWrite(path, func(w io.Writer) error { return pngfile.Encode(w, img, meta) })
		return func() { a.docs.Wrote(path) }, err
	})
}

// pictureMeta is what a picture says about how it was made, of the views that it shows.
func (a *App) pictureMeta(views []*view.View) pngfile.Meta {
	m := pngfile.Meta{Text: []pngfile.Text{{Key: "Software", Value: "blossom " + a.options.Version}}}
	if a.desk == nil {
		return m
	}
	var shown []string
	for _, v := range views {
		what := a.mapMeta()
		if p := v.Scatter(); p == nil || !p.IsMap() {
			title, _ := v.Content().Label()
			what = fmt.Sprintf("%s of %d points", title, a.desk.Doc.Data.Points)
		}
		if !slices.Contains(shown, what) {
			shown = append(shown, what)
		}
	}
	m.Text = append(m.Text, pngfile.Text{Key: "Source", Value: a.desk.Doc.Title},
		pngfile.Text{Key: "Description", Value: strings.Join(shown, "; ")})
	return m
}

// mapMeta says how the map itself was made.
func (a *App) mapMeta() string {
	s := a.desk.Doc.State()
	arranged, e, p := "by training alone", a.compute.engines.Engine(), parts.Projection.Of(s)
	if parts.Landmarks.Of(s).ByHand {
		arranged = "landmarks arranged by hand"
	}
	return fmt.Sprintf("EmbedSOM of %d points, %d landmarks, k %d, boost %g, adjust %g, seed %d, %s, engine %s",
		a.desk.Doc.Data.Points, parts.Landmarks.Of(s).Len(), p.K, p.Boost, p.Adjust, a.desk.Doc.Seed, arranged,
		engine.FullName(e.Name(), e.Variant()))
}

// screenshot writes the whole window as it was drawn last.
func (a *App) screenshot() {
	a.ctx.Post(func() {
		img, meta := a.ctx.Screenshot(), a.pictureMeta(nil)
		name := "blossom.png"
		if a.desk != nil {
			name, meta = a.docs.Stem()+"_window.png", a.pictureMeta(a.desk.Stage.Views())
		}
		a.chooser.Ask(desk.FileQuestion{Title: "Save screenshot", Save: true, Name: name, Kind: "PNG pictures",
			Kinds:  []string{".png"},
			Answer: func(path string) { a.writePicture(path, img, meta) }})
	})
}
