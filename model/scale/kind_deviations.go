package scale

import (
	"context"
	"encoding/json"
	"io"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/job"
)

// Deviations of the columns of a map: each part is the exact moments of the rows of a file, and all parts add up to one
// file, after which none is needed any more.
func init() {
	RegisterKind(Kind{ID: (&job.Deviations{}).What(), Extension: momentsExt, Agrees: true, Step: "deviations",
		Check:  func(*Wish) error { return nil },
		Copy:   func(w job.Want) job.Want { d := *w.(*job.Deviations); return &d },
		Making: func(_ *Plan, want job.Want) Making { return measured{want.(*job.Deviations)} },
		Merge: func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error {
			all := &job.ColumnMoments{}
			for _, r := range there {
				if err := ctx.Err(); err != nil {
					return err
				}
				part, err := readMoments(p.File(r.Part))
				if err != nil || !all.Merge(part) {
					return problem.New(p.File(r.Part), "make it again: blossom resume "+p.folder, "is damaged")
				}
			}
			return p.writeMerged(m, func(w io.Writer) error { return all.Write(w) })
		},
		Merged: hasMerged})
}

const (
	momentsExt  = ".moments"
	mostMoments = 1 << 28 // bytes
)

// measured is a part of deviations.
type measured struct{ want *job.Deviations }

func (m measured) Rows(*job.Work) (all, invalid int) { return int(m.want.Made.Rows), m.want.Invalid }

func (m measured) Keep(context.Context, *job.Work, *Receipt) error { return nil }

func readMoments(path string) (*job.ColumnMoments, error) {
	text, err := plain.ReadFile(path, mostMoments)
	if err != nil {
		return nil, err
	}
	m := &job.ColumnMoments{}
	return m, json.Unmarshal(text, m)
}
