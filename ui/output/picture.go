package output

import (
	"context"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/render/pen"
	"blossom/render/pen/figure"
	"blossom/render/pngfile"
	"blossom/render/scene"
	"blossom/ui/desk"
	"blossom/ui/view"
)

// Drawing is a picture for a file under way, drawn in parts so that the window goes on.
type Drawing struct {
	Job
	File  figure.File
	paper pen.Paper
	keep  func(*Drawing) // takes it, once it is drawn
	made  *job.Job       // the job that makes it again; nil: it says nothing of that
}

// Encode writes the picture once it is drawn.
func (d *Drawing) Encode(w io.Writer) error { return d.File.Encode(w, d.paper) }

// Job draws a picture, of one view or of all, in steps.
type Job interface {
	Step(points int) (float64, error)
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
	case desk.OnPaper:
		return p.Print.Pixels()
	}
	return w, h, scale
}

// screen is the resolution of pictures that have no size on paper, pixels per inch at one pixel per point.
const screen, inch = 96, 25.4

// paper is what a picture is drawn on.
func (o *Output) paper(p desk.Picture) (pen.Paper, error) {
	fonts, err := scene.Fonts()
	w, h, scale := o.pictureSize(p)
	out := pen.Paper{Pixels: [2]int{w, h}, Points: scale, Fonts: fonts, Width: p.Print.Width, Height: p.Print.Height}
	if p.Size != desk.OnPaper {
		mm := inch / (screen * scale)
		out.Width, out.Height = float64(w)*mm, float64(h)*mm
	} else if err == nil {
		err = p.Print.Check()
	}
	if err == nil {
		err = render.CheckSize(w, h)
	}
	return out, err
}

// Picture draws the map as it is looked at, at its own size, and writes it.
func (o *Output) Picture(path string, p desk.Picture) {
	o.draw(path, p, func(d *Drawing) { o.write(path, d.made, d.encode) })
}

// draw begins a picture as soon as nothing is stale, in the format that the ending of name says, and keep takes it.
func (o *Output) draw(name string, p desk.Picture, keep func(*Drawing)) {
	format, err := figure.Of(name)
	if err != nil {
		o.w.Fail(err)
		return
	}
	o.WhenFresh(func() {
		drawing, err := o.NewPicture(p, format)
		if err != nil {
			o.w.Fail(err)
			return
		}
		drawing.keep, drawing.made = keep, o.recipe(name, p)
		o.picture = drawing
	})
}

// encode writes the picture with the recipe by which it is made again.
func (d *Drawing) encode(w io.Writer, recipe string) error {
	d.paper.Recipe = recipe
	return d.Encode(w)
}

// NewPicture begins a picture of the active view, or of all.
func (o *Output) NewPicture(p desk.Picture, format figure.Format) (*Drawing, error) {
	paper, err := o.paper(p)
	if err != nil {
		return nil, err
	}
	views := o.onPage(p)
	if !p.All {
		views = []*view.View{o.w.Desk().Stage.Active()}
	}
	p.Shapes = p.Shapes && format.Lines
	figure.Tell(&paper, o.pictureSays(views))
	d := &Drawing{File: format.New(paper), paper: paper}
	d.Job, err = o.pictureOf(p, d.File, paper.Pixels[0], paper.Pixels[1], paper.Points)
	return d, err
}

// pictureOf begins a picture of a size.
func (o *Output) pictureOf(p desk.Picture, canvas pen.Canvas, w, h int, scale float64) (Job, error) {
	how := scene.Options{Width: w, Height: h, Scale: scale, Dark: o.w.Dark() && !p.White,
		White: p.White, Transparent: p.Transparent, Bare: p.Bare}
	if p.Title {
		how.Title = o.w.Desk().Doc.Title
	}
	views := o.onPage(p)
	if len(views) == 0 {
		return nil, problem.New("", "choose one in the Export panel", "there is no view on the page")
	}
	if !p.All || len(o.w.Desk().Stage.Views()) < 2 {
		picture, err := o.w.Desk().Stage.Active().Content().Picture(how)
		if err != nil {
			return nil, err
		}
		picture.Shapes = p.Shapes
		job, err := o.renderer.NewDrawing(picture, canvas)
		return single{job}, err
	}
	fonts, err := scene.Fonts()
	if err != nil {
		return nil, err
	}
	sheet := render.SheetOptions{Width: w, Height: h, Scale: scale, Theme: how.Theme(),
		Transparent: p.Transparent, Fonts: fonts}
	how.Title = ""
	areas := o.areas(p, w, h, scale)
	for i, v := range views {
		title, detail := v.Content().Label()
		picture, err := v.Content().Picture(how)
		if err != nil {
			return nil, err
		}
		if p := v.Scatter(); p != nil && p.Told() {
			picture.Legend = nil
		}
		picture.Shapes = p.Shapes
		cell := render.SheetCell{Title: title, Detail: detail, Picture: picture, Rect: areas[i]}
		if p.Letters {
			cell.Letter = render.Letter(i)
		}
		sheet.Cells = append(sheet.Cells, cell)
	}
	return o.renderer.NewSheetOn(sheet, canvas)
}

// onPage are the views of a page.
func (o *Output) onPage(p desk.Picture) []*view.View {
	all := slices.Clone(o.w.Desk().Stage.Views())
	if !p.All || len(all) < 2 {
		return all
	}
	return slices.DeleteFunc(all, func(v *view.View) bool { return p.Left(v.ID) })
}

// areas are where the views lie on a page: as in the window, or in columns.
func (o *Output) areas(p desk.Picture, w, h int, scale float64) (out []image.Rectangle) {
	views, all := o.onPage(p), o.Views()
	if p.Columns == 0 && len(views) < len(o.w.Desk().Stage.Views()) {
		p.Columns = min(2, len(views)) // in the window others stand between them
	}
	if p.Columns > 0 {
		return render.Columns(len(views), p.Columns, w, h, max(1, int(scale)))
	}
	fx, fy := float32(w)/all.W(), float32(h)/all.H()
	for _, v := range views {
		area := v.Area()
		out = append(out, image.Rect(int((area.X0-all.X0)*fx+0.5), int((area.Y0-all.Y0)*fy+0.5),
			int((area.X1-all.X0)*fx+0.5), int((area.Y1-all.Y0)*fy+0.5)))
	}
	return out
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
	done, err := p.Step(pictureStep)
	if err != nil {
		p.Close()
		o.picture = nil
		o.w.Fail(err)
		return
	}
	if done < 1 {
		return
	}
	p.Close()
	o.picture = nil
	p.keep(p)
}

// write writes a picture beside the window, with the recipe by which it is made again: "" where made is nil.
func (o *Output) write(path string, made *job.Job, encode func(w io.Writer, recipe string) error) {
	if o.w.Desk() != nil && o.Documents.IsInput(path) {
		return
	}
	o.jobs.Start("Writing "+filepath.Base(path), func(ctx context.Context, at *work.Job) (func(), error) {
		recipe, notes, err := o.carried(ctx, made, at)
		if err != nil {
			return nil, err
		}
		err = format.AtomicWrite(path, func(w io.Writer) error { return encode(w, recipe) })
		return func() {
			o.Documents.Wrote(path)
			for _, note := range notes {
				o.w.Log("%s: %s", filepath.Base(path), note)
			}
		}, err
	})
}

// pictureSays is what a picture says about how it was made, of the views that it shows: keys and values.
func (o *Output) pictureSays(views []*view.View) [][2]string {
	says := [][2]string{{"Software", "blossom " + o.Version}}
	if o.w.Desk() == nil {
		return says
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
	return append(says, [2]string{"Source", o.w.Desk().Doc.Title},
		[2]string{"Description", strings.Join(shown, "; ")})
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
		img, says := o.context.Screenshot(), o.pictureSays(nil)
		name, made := "blossom.png", (*job.Job)(nil)
		if o.w.Desk() != nil {
			made = o.recipe("picture.png", desk.Picture{})
			name, says = o.Documents.Stem()+"_window.png", o.pictureSays(o.w.Desk().Stage.Views())
		}
		o.w.Ask(desk.FileQuestion{Title: "Save screenshot", Save: true, Name: name, Kind: "PNG pictures",
			Kinds: []string{".png"},
			Answer: func(path string) {
				o.write(path, made, func(w io.Writer, recipe string) error {
					meta := pngfile.MetaOf(says)
					meta.Text = append(meta.Text, pngfile.Text{Key: job.RecipeKey, Value: recipe})
					return pngfile.Encode(w, img, meta)
				})
			}})
	})
}
