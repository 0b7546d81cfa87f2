package job

import (
	"context"
	"io"

	"blossom/model/base/problem"
	"blossom/model/job/run"
	"blossom/model/landmarks/train"
)

// Sums wants those of the points by their nearest landmarks of the state: what an epoch of a training takes of the
// points of one of many files.
type Sums struct {
	Output string `json:"output"` // train.Sums
	// Largest are the largest magnitudes of the columns of the map among all points of the training.
	Largest []float32 `json:"largest"`
	Salt    *uint64   `json:"salt,omitempty"` // train.Strays are drawn by it; nil: none are

	Made    *train.Sums `json:"-"` // once they are made
	Invalid int         `json:"-"` // points without a landmark
}

func init() {
	Register(Kind{ID: "sums", New: func() Want { return &Sums{} },
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Sums).makeByRanges }})
}

// What returns the ID of the kind.
func (s *Sums) What() string { return "sums" }

// Paths are the files that it names.
func (s *Sums) Paths() (written, read []*string) { return []*string{&s.Output}, nil }

// Check says what is wrong with the wish.
func (s *Sums) Check() error {
	if s.Output == "" {
		return run.Usage{Err: problem.New("", "name a file", "no output is given for the sums")}
	}
	for _, x := range s.Largest {
		if !(x >= 0) || x-x != 0 {
			return run.Usage{Err: problem.New("", "give what is largest of each column",
				"a largest magnitude of %g is none", x)}
		}
	}
	return nil
}

// Make sums the points.
func (s *Sums) Make(ctx context.Context, w *Work) error {
	r, err := w.Resident(ctx)
	if err != nil {
		return err
	}
	return s.make(ctx, w, func(sums *train.Summing) error {
		return sums.Take(ctx, w.Points.Table.X, r.Caps().Searcher, r.Caps().Summer)
	})
}

// makeByRanges sums the points as they go by.
func (s *Sums) makeByRanges(ctx context.Context, w *Work) error {
	if err := spaceByRanges(ctx, w); err != nil {
		return err
	}
	return s.make(ctx, w, func(sums *train.Summing) error {
		return w.Points.EachRange(ctx, false, func(p *run.Points) error {
			r, err := w.Engines.Engine().Load(ctx, p.Table.X)
			if err != nil {
				return err
			}
			defer r.Free()
			return sums.Take(ctx, p.Table.X, r.Caps().Searcher, r.Caps().Summer)
		})
	})
}

// make writes what comes of points that are taken.
func (s *Sums) make(ctx context.Context, w *Work, take func(*train.Summing) error) error {
	if w.Landmarks == nil {
		return problem.New(w.table.Path, "give the state landmarks", "there are no landmarks to sum points by")
	}
	sums, err := train.NewSumming(w.Landmarks.Set.Codebook, s.Largest)
	if err != nil {
		return problem.Wrap(err, w.table.Path, "plan anew, into another folder", "cannot be summed: %v", err)
	}
	if s.Salt != nil {
		sums.Straying(*s.Salt, w.Landmarks.Set.Pinned)
	}
	if err := take(sums); err != nil {
		return err
	}
	s.Made = sums.Sums()
	s.Invalid = int(s.Made.Rows - s.Made.Valid())
	return w.Files.Write(s.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return s.Made.Write(to)
	})
}
