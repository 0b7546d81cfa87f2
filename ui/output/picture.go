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
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/render/pen"
	"blossom/render/pen/figure"
	"blossom/render/pngfile"
	"blossom/ui/desk"
	"blossom/ui/output/plate"
	"blossom/ui/view"
)

// Drawing is a picture for a file under way, drawn in parts so that the window goes on.
type Drawing struct {
	plate.Job
	File   figure.File
	paper  pen.Paper
	keep   func(*Drawing) // takes it, once it is drawn
	of     string         // title of the view that it is of, or of the first
	sketch *job.Picture   // it, as a job says it
	made   *job.Job       // the job that makes it again; nil: it says nothing of that
}

// Encode writes the picture once it is drawn.
func (d *Drawing) Encode(w io.Writer) error { return d.File.Encode(w, d.paper) }

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
		drawing.keep, drawing.made = keep, o.recipe(name, drawing.sketch)
		o.drawings = append(o.drawings, drawing)
	})
}

// encode writes the picture with the recipe by which it is made again.
func (d *Drawing) encode(w io.Writer, recipe string) error {
	d.paper.Recipe = recipe
	return d.Encode(w)
}

// NewPicture begins a picture of the active view, or of all.
func (o *Output) NewPicture(p desk.Picture, format figure.Format) (*Drawing, error) {
	w, h, scale := o.pictureSize(p)
	sketch := o.sketch(p, w, h, scale)
	sketch.Shapes = p.Shapes && format.Lines
	if p.Size == desk.OnPaper {
		sketch.Print = &p.Print
	}
	paper, err := plate.Paper(sketch)
	if err != nil {
		return nil, err
	}
	plates := plate.Plate{Stage: o.w.Desk().Stage, Renderer: o.renderer}
	views, err := plates.Views(sketch.Window)
	if err != nil {
		return nil, err
	}
	figure.Tell(&paper, o.pictureSays(views))
	d := &Drawing{File: format.New(paper), paper: paper, sketch: sketch}
	d.of, _ = views[0].Content().Label()
	d.Job, err = plates.Begin(sketch, d.File)
	return d, err
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
		return render.Columns(len(views), p.Columns, image.Rect(0, 0, w, h), max(1, int(scale)))
	}
	fx, fy := float32(w)/all.W(), float32(h)/all.H()
	for _, v := range views {
		area := v.Area()
		out = append(out, image.Rect(int((area.X0-all.X0)*fx+0.5), int((area.Y0-all.Y0)*fy+0.5),
			int((area.X1-all.X0)*fx+0.5), int((area.Y1-all.Y0)*fy+0.5)))
	}
	return out
}

// DrawPicture goes on with the first picture under way and writes it when it is done.
func (o *Output) DrawPicture() {
	if len(o.drawings) == 0 || o.w.Desk().Busy() { // a map that moved on is waited for: a picture is of one state
		return
	}
	p := o.drawings[0]
	done, err := p.Step(pictureStep)
	if err == nil && done < 1 {
		return
	}
	p.Close()
	o.drawings = o.drawings[1:]
	if err != nil {
		o.w.Fail(err)
	} else {
		p.keep(p)
	}
	o.release()
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
			o.Documents.Wrote("", path)
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
			w, h, scale := o.pictureSize(desk.Picture{})
			made = o.recipe("picture.png", o.sketch(desk.Picture{}, w, h, scale))
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
