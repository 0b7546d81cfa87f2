package scale

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
)

// Sums of an epoch of a training: each part is those of the points of a file, by the landmarks of the plan, and all
// parts add up to one file, after which none is needed any more.
func init() {
	RegisterKind(Kind{ID: (&job.Sums{}).What(), Extension: sumsExt, Agrees: true, Step: "an epoch",
		Check: func(*Wish) error { return nil },
		Copy:  func(w job.Want) job.Want { s := *w.(*job.Sums); return &s },
		Flaw: func(p *Plan) string {
			if _, err := landmarksOf(p); err != nil {
				return "it has no landmarks to sum by"
			}
			return ""
		},
		Making: func(_ *Plan, want job.Want) Making { return summed{want.(*job.Sums)} },
		Merge:  mergeSums,
		Merged: hasMerged})
}

const sumsExt = ".sums"

// summed is a part of sums.
type summed struct{ want *job.Sums }

func (s summed) Rows(*job.Work) (all, invalid int) { return int(s.want.Made.Rows), s.want.Invalid }

func (s summed) Keep(context.Context, *job.Work, *Receipt) error { return nil }

// landmarksOf are those that the jobs of the plan have.
func landmarksOf(p *Plan) (*landmark.File, error) {
	return landmark.Read(bytes.NewReader(p.Jobs[0].State["landmarks"].Value), filepath.Join(p.folder, PlanFile))
}

// mergeSums adds the sums of all parts.
func mergeSums(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error {
	f, err := landmarksOf(p)
	if err != nil {
		return err
	}
	all := &train.Sums{}
	for _, r := range there {
		if err := ctx.Err(); err != nil {
			return err
		}
		part, err := readSums(p.File(r.Part), f)
		if err != nil || !all.Merge(part) {
			return problem.New(p.File(r.Part), "make it again: blossom resume "+p.folder, "is damaged")
		}
	}
	return p.writeMerged(m, all.Write)
}

// readSums reads sums by the landmarks of a file.
func readSums(path string, f *landmark.File) (*train.Sums, error) {
	in, err := plain.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, err := train.ReadSums(in, f.Set.Codebook.Rows, f.Set.Codebook.Cols)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return s, err
}
