package output

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
	"blossom/model/job"
	"blossom/model/job/export"
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
	job  Job
	path string
	meta pngfile.Meta
	made *job.Job // the job that makes it again; nil: it says nothing of that
}

// Job draws a picture, of one view or of all, in steps.
type Job interface {
	Step(points int) (float64, error)
	Image() *image.RGBA
	Close()
}

// single is a picture of one view.
type single struct{ *render.PictureJob }

func (s single) Step(points int) (float64, error) { return s.PictureJob.Step(points), nil }

// pictureStep is the number of points that a picture for a file draws in a frame.
const pictureStep = 200_000

// PictureSize is the size of a picture, in pixels.
func (o *Output) PictureSize(p desk.Picture) (w, h int) {
	w, h, _ = o.pictureSize(p)
	return w, h
}

// pictureSize returns the size of the picture and its pixels per point.
func (o *Output) pictureSize(p desk.Picture) (w, h int, scale float64) {
	w, h = o.w.Desk().Stage.Active().Content().PictureSize()
	scale = float64(o.context.Scale()) * float64(o.context.FramebufferScale())
	if p.All {
		r, ratio := o.Views(), o.context.FramebufferScale()
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

// Picture draws the map as it is looked at, at its own size, and writes it.
func (o *Output) Picture(path string, p desk.Picture) {
	if err := export.PictureName(path); err != nil {
		o.w.Fail(err)
		return
	}
	o.WhenFresh(func() {
		drawing, err := o.NewPicture(p)
		if err != nil {
			o.w.Fail(err)
			return
		}
		views := o.w.Desk().Stage.Views()
		if !p.All {
			views = []*view.View{o.w.Desk().Stage.Active()}
		}
		o.picture = &pictureExport{job: drawing, path: path, meta: o.pictureMeta(views), made: o.recipe(path, p)}
	})
}

// NewPicture begins a picture of the active view, or of all as they stand.
func (o *Output) NewPicture(p desk.Picture) (Job, error) {
	w, h, scale := o.pictureSize(p)
	how := scene.Options{Width: w, Height: h, Scale: scale, Dark: o.w.Dark() && !p.White,
		White: p.White, Transparent: p.Transparent, Bare: p.Bare}
	if p.Title {
		how.Title = o.w.Desk().Doc.Title
	}
	if !p.All || len(o.w.Desk().Stage.Views()) < 2 {
		picture, err := o.w.Desk().Stage.Active().Content().Picture(how)
		if err != nil {
			return nil, err
		}
		job, err := o.renderer.NewPicture(picture)
		return single{job}, err
	}
	fonts, err := scene.Fonts()
	if err != nil {
		return nil, err
	}
	sheet := render.SheetOptions{Width: w, Height: h, Scale: scale, Theme: how.Theme(),
		Transparent: p.Transparent, Fonts: fonts}
	all := o.Views()
	fx, fy := float32(w)/all.W(), float32(h)/all.H()
	how.Title = ""
	for _, v := range o.w.Desk().Stage.Views() {
		title, detail := v.Content().Label()
		picture, err := v.Content().Picture(how)
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
	return o.renderer.NewSheet(sheet)
}

// DrawPicture goes on with the picture under way and writes it when it is done.
func (o *Output) DrawPicture() {
	p := o.picture
	if p == nil {
		return
	}
	if o.w.Desk().Busy() {
		return // the map moved on: wait until the picture can be of one state again
	}
	done, err := p.job.Step(pictureStep)
	if err != nil {
		p.job.Close()
		o.picture = nil
		o.w.Fail(err)
		return
	}
	if done < 1 {
		return
	}
	img := p.job.Image()
	p.job.Close()
	o.picture = nil
	o.writePicture(p.path, img, p.meta, p.made)
}

// writePicture writes a picture that says what meta does, and how it was made where made is not nil.
func (o *Output) writePicture(path string, img *image.RGBA, meta pngfile.Meta, made *job.Job) {
	if o.w.Desk() != nil && o.Documents.IsInput(path) {
		return
	}
	o.jobs.Start("Writing "+filepath.Base(path), func(ctx context.Context, at *work.Job) (func(), error) {
		if made != nil {
			text, err := o.carried(ctx, made, at)
			if err != nil {
				return nil, err
			}
			meta.Text = append(meta.Text, pngfile.Text{Key: job.RecipeKey, Value: text})
		}
		err := format.AtomicWrite(path, func(w io.Writer) error { return pngfile.Encode(w, img, meta) })
		return func() { o.Documents.Wrote(path) }, err
	})
}

// pictureMeta is what a picture says about how it was made, of the views that it shows.
func (o *Output) pictureMeta(views []*view.View) pngfile.Meta {
	m := pngfile.Meta{Text: []pngfile.Text{{Key: "Software", Value: "blossom " + o.Version}}}
	if o.w.Desk() == nil {
		return m
	}
	var shown []string
	for _, v := range views {
		what := o.mapMeta()
		if p := v.Scatter(); p == nil || !p.IsMap() {
			title, _ := v.Content().Label()
			what = fmt.Sprintf("%s of %d points", title, o.w.Desk().Doc.Data.Points)
		}
		if !slices.Contains(shown, what) {
			shown = append(shown, what)
		}
	}
	m.Text = append(m.Text, pngfile.Text{Key: "Source", Value: o.w.Desk().Doc.Title},
		pngfile.Text{Key: "Description", Value: strings.Join(shown, "; ")})
	return m
}

// mapMeta says how the map itself was made.
func (o *Output) mapMeta() string {
	s := o.w.Desk().Doc.State()
	arranged, e, p := "by training alone", o.Engines.Engine(), parts.Projection.Of(s)
	if parts.Landmarks.Of(s).ByHand {
		arranged = "landmarks arranged by hand"
	}
	return fmt.Sprintf("EmbedSOM of %d points, %d landmarks, k %d, boost %g, adjust %g, seed %d, %s, engine %s",
		o.w.Desk().Doc.Data.Points, parts.Landmarks.Of(s).Len(), p.K, p.Boost, p.Adjust, o.w.Desk().Doc.Seed, arranged,
		engine.FullName(e.Name(), e.Variant()))
}

// Screenshot writes the whole window as it was drawn last.
func (o *Output) Screenshot() {
	o.context.Post(func() {
		img, meta := o.context.Screenshot(), o.pictureMeta(nil)
		name, made := "blossom.png", (*job.Job)(nil)
		if o.w.Desk() != nil {
			made = o.recipe("", desk.Picture{})
			name, meta = o.Documents.Stem()+"_window.png", o.pictureMeta(o.w.Desk().Stage.Views())
		}
		o.w.Ask(desk.FileQuestion{Title: "Save screenshot", Save: true, Name: name, Kind: "PNG pictures",
			Kinds:  []string{".png"},
			Answer: func(path string) { o.writePicture(path, img, meta, made) }})
	})
}
