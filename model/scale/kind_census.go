package scale

import (
	"context"
	"errors"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/run"
)

// The census of a training before its first epoch: each part is that of the rows of a file, and all parts add up to one
// file, after which none is needed any more.
func init() {
	RegisterKind(Kind{ID: (&job.Census{}).What(), Extension: censusExt, Step: "first rows",
		Check: func(*Wish) error { return nil },
		Copy:  func(w job.Want) job.Want { c := *w.(*job.Census); return &c },
		Told:  func(want job.Want, first int64) { want.(*job.Census).First = first },
		Making: func(_ *Plan, want job.Want) Making {
			return census{want.(*job.Census)}
		},
		Merge: func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error {
			all := &run.Counted{}
			for _, r := range there {
				if err := ctx.Err(); err != nil {
					return err
				}
				part, err := readCensus(p.File(r.Part))
				if err != nil || !all.Merge(part) {
					return problem.New(p.File(r.Part), "make it again: blossom resume "+p.folder, "is damaged")
				}
			}
			return p.writeMerged(m, all.Write)
		},
		Merged: hasMerged})
}

const censusExt = ".census"

// census is a part of it.
type census struct{ want *job.Census }

func (c census) Rows(*job.Work) (all, invalid int) { return c.want.Made.Census.Rows, c.want.Invalid }

func (c census) Keep(context.Context, *job.Work, *Receipt) error { return nil }

func readCensus(path string) (*run.Counted, error) {
	f, err := plain.Open(path)
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	c, err := run.ReadCounted(f, st.Size())
	if err != nil && !errors.Is(err, context.Canceled) {
		err = problem.New(path, "remove its folder, and go on", "%v", err)
	}
	return c, err
}
