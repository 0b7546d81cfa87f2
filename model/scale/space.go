package scale

import (
	"context"
	"os"
	"path/filepath"

	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
)

// writeSpace writes the space of points as a file of landmarks, of which there is one of no meaning, under a name into
// the folder of the wish, which is made.
func (w *Wish) writeSpace(p *run.Points, name string) (path string, err error) {
	path = filepath.Join(w.Folder, name)
	if err := os.MkdirAll(w.Folder, 0o777); err != nil {
		return "", plain.Problem(err, w.Folder)
	}
	one, err := landmark.New(matrix.New(1, p.Table.X.Cols), matrix.New(1, 2)) // a file of none is none
	if err == nil {
		err = format.AtomicWrite(path, p.File(one).Write)
	}
	return path, err
}

// inSpace is the plan of another want of the files, in a folder and in the space of the landmarks in a file. It is not
// written yet.
func (w Wish) inSpace(ctx context.Context, landmarks, folder string, want job.Want, ext string,
	report run.Report) (*Plan, error) {
	flags := *w.Flags
	flags.Origin, flags.Space = run.Defaults().Origin, run.Space{} // the landmarks know their columns and transforms
	flags.Origin.Landmarks = landmarks
	w.Flags, w.Want, w.Output, w.Shown, w.Folder = &flags, want, ext, 0, folder
	return w.planned(ctx, report)
}
