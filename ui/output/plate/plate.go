// Package plate makes pictures for files of the views of a stage, as the picture of a job says it. The window draws
// from it what it writes, so that commands without a window draw the same of the same job.
package plate

import (
	"image"
	"math"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/pen"
	"blossom/render/scene"
	"blossom/ui/view"
)

// Plate is what a picture is made of.
type Plate struct {
	Stage    *view.Stage
	Renderer *render.Renderer
}

// Job draws a picture, of one view or of several, in steps.
type Job interface {
	// Step draws up to so many points, and returns the share of the work that is done. The error is a Problem.
	Step(points int) (float64, error)
	Close()
}

// Size is that of a picture in pixels, of which there are scale to a point of length.
func Size(p *job.Picture) (w, h int, scale float64) {
	if p.Print != nil {
		return p.Print.Pixels()
	}
	return p.Size[0], p.Size[1], p.Zoom
}

// Paper is what a picture is drawn on. The error is a Problem: it cannot be so large.
func Paper(p *job.Picture) (pen.Paper, error) {
	fonts, err := scene.Fonts()
	w, h, scale := Size(p)
	out := pen.Paper{Pixels: [2]int{w, h}, Points: scale, Fonts: fonts, Width: pen.OnScreen(w, scale),
		Height: pen.OnScreen(h, scale)}
	if p.Print != nil {
		out.Width, out.Height = p.Print.Width, p.Print.Height
		if err == nil {
			err = p.Print.Check()
		}
	}
	if err == nil {
		err = render.CheckSize(w, h)
	}
	return out, err
}

// Ground is how a picture shows its views: the size, and what is behind them.
func Ground(p *job.Picture) scene.Options {
	o := scene.Options{Dark: strings.HasPrefix(p.Background, "dark"), White: p.Background == "white",
		Transparent: strings.HasSuffix(p.Background, "transparent"), Bare: p.Window.Bare, Title: p.Title,
		Legend: scene.LegendOptions{Apart: p.Print != nil}}
	o.Width, o.Height, o.Scale = Size(p)
	return o
}

// Views are those of a picture, as the document has them; one that it has not is an error.
func (x Plate) Views(w *job.Window) (out []*view.View, err error) {
	for _, s := range w.Views {
		at := slices.IndexFunc(x.Stage.Views(), func(v *view.View) bool { return v.ID.Key() == s.View })
		if at < 0 {
			return nil, problem.New("", "name one of its views", "there is no view %.40q", s.View)
		}
		out = append(out, x.Stage.Views()[at])
	}
	if len(out) == 0 {
		err = problem.New("", "choose one in the Export panel", "there is no view on the page")
	}
	return out, err
}

// Begin begins the picture on a canvas; the job is nil where that fails.
func (x Plate) Begin(p *job.Picture, canvas pen.Canvas) (Job, error) {
	how := Ground(p)
	views, err := x.Views(p.Window)
	if err != nil {
		return nil, err
	}
	if p.Window.Page {
		return x.page(p, views, how, canvas)
	}
	picture, err := views[0].Content().Picture(how)
	if err != nil {
		return nil, err
	}
	picture.Shapes = p.Shapes
	made, err := x.Renderer.NewDrawing(picture, canvas)
	if err != nil {
		return nil, err
	}
	return made, nil
}

// page begins a picture of several views.
func (x Plate) page(p *job.Picture, views []*view.View, how scene.Options, canvas pen.Canvas) (Job, error) {
	fonts, err := scene.Fonts()
	if err != nil {
		return nil, err
	}
	sheet := render.SheetOptions{Width: how.Width, Height: how.Height, Scale: how.Scale, Theme: how.Theme(),
		Transparent: how.Transparent, Title: how.Title, Fonts: fonts}
	how.Title = ""
	failed := map[int]bool{}
	err = sheet.Fill(Areas(p), func(i int, in image.Rectangle) (render.SheetCell, error) {
		how.Width, how.Height = in.Dx(), in.Dy()
		title, detail := views[i].Content().Label()
		cell := render.SheetCell{Title: title, Detail: detail}
		picture, err := views[i].Content().Picture(how)
		if err != nil { // the view says why it shows nothing, and so does the page
			if failed[i] = true; len(failed) == len(views) {
				return cell, err
			}
			picture = empty(how, problem.As(err).What)
		}
		picture.Shapes = p.Shapes
		cell.Picture = picture
		if p.Window.Letters {
			cell.Letter = render.Letter(i)
		}
		return cell, nil
	})
	if err != nil {
		return nil, err
	}
	made, err := x.Renderer.NewSheetOn(sheet, canvas)
	if err != nil {
		return nil, err // nil alone, and no job that is nil
	}
	return made, nil
}

// empty is a picture of words alone.
func empty(how scene.Options, words string) render.PictureOptions {
	theme := how.Theme()
	return render.PictureOptions{View: camera.NewFlat(how.Width, how.Height), Over: []render.Paint{
		func(p pen.Pen, w, h float64) {
			line := pen.Shorten(p, pen.Body, words, w-20*p.Scale())
			p.Text(pen.Body, (w-p.Width(pen.Body, line))/2, h/2, theme.TextDim, line)
		}}}
}

// Areas are where the views of a page lie on it, their names above them: where they say, or in columns.
func Areas(p *job.Picture) (out []image.Rectangle) {
	w, h, scale := Size(p)
	n, across := len(p.Window.Views), p.Window.Across
	if across == 0 {
		across = int(math.Ceil(math.Sqrt(float64(n))))
	}
	out = render.Columns(n, across, render.BelowTitle(p.Title, w, h, scale), max(1, int(scale)))
	for i, v := range p.Window.Views {
		if at := v.Page; at != [4]int{} {
			out[i] = image.Rect(at[0], at[1], at[2], at[3])
		}
	}
	return out
}

// Inside is the room that a view of a picture has in it, below its name on a page.
func Inside(p *job.Picture, view int) image.Rectangle {
	w, h, scale := Size(p)
	if !p.Window.Page {
		return image.Rect(0, 0, w, h)
	}
	return render.BelowHeader(Areas(p)[view], scale)
}
