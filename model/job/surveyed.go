package job

import (
	"bytes"
	"context"
	"errors"
	"io"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/job/run"
	"blossom/model/space/transform"
)

// Surveyed wants what there is to tell of the columns of one of many files, for who puts them together without reading
// them: see dataset.Surveyed. The file is empty where that is not told.
type Surveyed struct {
	Output string `json:"output"`
	First  int64  `json:"first,omitempty"` // the number of the first row of the file among those of all
	All    int64  `json:"all"`             // so many rows all files have

	Made int `json:"-"` // rows of the file, once they have been looked at
}

func init() {
	Register(Kind{ID: "surveyed", New: func() Want { return &Surveyed{} }, Plain: true,
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Surveyed).Make }})
}

// What returns the ID of the kind.
func (s *Surveyed) What() string { return "surveyed" }

// Paths are the files that it names.
func (s *Surveyed) Paths() (written, read []*string) { return []*string{&s.Output}, nil }

// Check says what is wrong with the wish.
func (s *Surveyed) Check() error {
	if s.Output == "" || s.First < 0 || s.First > s.All {
		return run.Usage{Err: problem.New("", "name a file, and how many rows there are",
			"what is told of columns has no output, or is of rows beyond all")}
	}
	return nil
}

// Make looks at the columns.
func (s *Surveyed) Make(ctx context.Context, w *Work) error {
	s.Made = w.table.Points
	var b bytes.Buffer
	told, err := dataset.SurveyPart(ctx, w.table, int(s.First), int(s.All), transform.LostRows(int(s.All)))
	if err == nil {
		err = told.Write(&b)
	}
	if err != nil && !errors.Is(err, dataset.ErrWhole) {
		return err
	}
	return w.Files.Write(s.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, err := to.Write(b.Bytes())
		return err
	})
}
