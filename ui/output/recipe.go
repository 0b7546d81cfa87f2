package output

import (
	"context"

	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/work"
	"blossom/ui/desk"
)

// recipe is the job that makes a picture of what is open again, and has the views as they stand, so that the picture
// can be opened like a session; nil: there is none, which is logged. It knows the data by hashes as far as somebody has
// taken them.
func (o *Output) recipe(path string, p desk.Picture) *job.Job {
	d := o.w.Desk()
	d.Stage.Keep()
	made, err := job.OfDocument(context.Background(), d.Doc)
	if err == nil {
		err = made.PutState(d.Doc.State(), "views", "looks")
	}
	if err != nil {
		o.w.Log("the picture does not say how it was made: %v", err)
		return nil
	}
	made.Want(&job.Embedding{})
	if view := d.Stage.Active().Scatter(); view != nil && view.IsMap() && !p.All {
		picture := job.NewPicture()
		picture.Output = path
		if picture.Size[0], picture.Size[1], picture.Zoom = o.pictureSize(p); p.Size == desk.OnPaper {
			picture.Print = &p.Print
		}
		picture.Shapes = p.Shapes && export.OfLines(path)
		made.Seen(picture, func(string) bool { return false })
		views := parts.Views.Of(d.Doc.State())
		shown := views.Get(views.Active)
		picture.NoLegend, picture.Landmarks = !shown.Legend, shown.Landmarks && !p.Bare
		picture.Names = shown.Names && !p.Bare
		picture.Background = o.background(p)
		made.Want(picture)
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
