package output

import (
	"context"
	"image"

	"blossom/model/job"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/view"
)

// sketch is a picture of the active view, or of a page, as a job says it, in so many pixels: with how its views stand
// in this window.
func (o *Output) sketch(p desk.Picture, w, h int, scale float64) *job.Picture {
	out := job.NewPicture()
	out.Size, out.Zoom, out.Background = [2]int{w, h}, scale, o.background(p)
	s := o.w.Desk().Stage
	held := view.Footing{Stage: s}.Held()
	out.Window = &job.Window{Bare: p.Bare, Letters: p.Letters, Scale: float64(s.Scene.Scale), Ratio: s.Scene.Ratio,
		Large: held.Large, Selected: held.Landmarks, Population: int(held.Population)}
	if p.Title {
		out.Title = o.w.Desk().Doc.Title
	}
	views, areas := []*view.View{s.Active()}, []image.Rectangle(nil)
	if p.All && len(s.Views()) > 1 {
		views, areas, out.Window.Page, out.Title = o.onPage(p), o.areas(p, w, h, scale), true, ""
	}
	for i, v := range views {
		r, at := v.Room(), v.Standing()
		x := job.Standing{View: v.ID.Key(), Room: [4]float32{r.X0, r.Y0, r.X1, r.Y1}, Camera: at.Camera,
			Fitted: at.Fitted, First: at.First}
		if areas != nil {
			x.Page = [4]int{areas[i].Min.X, areas[i].Min.Y, areas[i].Max.X, areas[i].Max.Y}
		}
		out.Window.Views = append(out.Window.Views, x)
	}
	return out
}

// recipe is the job that makes a picture of what is open again, and has the views as they stand, so that the picture
// can be opened like a session; nil: there is none, which is logged. It knows the data by hashes as far as somebody has
// taken them.
func (o *Output) recipe(path string, sketch *job.Picture) *job.Job {
	d := o.w.Desk()
	d.Stage.Keep()
	made, err := job.OfDocument(context.Background(), d.Doc)
	if err == nil {
		again := *sketch
		again.Output = path
		err = again.WantedOf(made, d.Doc.State())
	}
	if err != nil {
		o.w.Log("the picture does not say how it was made: %v", err)
		return nil
	}
	return made
}

// background is what stands behind a picture, as a job says it.
func (o *Output) background(p desk.Picture) string {
	dark := o.w.Dark() && !p.White
	switch {
	case p.Transparent && dark:
		return "dark-transparent"
	case p.Transparent:
		return "transparent"
	case dark:
		return "dark"
	case p.White:
		return "white"
	}
	return "light"
}

// carried is what a picture says of how it was made; "" without a job, and where it cannot be told. notes say why, and
// what is left out. Who cancels the hashing of the data cancels the picture: the error is ctx's.
func (o *Output) carried(ctx context.Context, made *job.Job, at *work.Job) (text string, notes []string, err error) {
	if made == nil {
		return "", nil, nil
	}
	notes, err = made.Hash(ctx, func(_ string, done, total int64) { at.Report(done, total) })
	if err == nil {
		text, err = made.Carried("blossom " + o.Version)
	}
	if err != nil && ctx.Err() == nil {
		return "", append(notes, job.NotCarried(err)), nil
	}
	return text, notes, ctx.Err()
}
