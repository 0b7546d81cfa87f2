package scale

import (
	"context"
	"io"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/job"
)

// Groves are trees of the rows of each two files: all of them are merged into one of all rows, after which no part is
// needed any more.
func init() {
	RegisterKind(Kind{ID: (&job.Grove{}).What(), Extension: groveExt, Step: "links",
		Check: func(*Wish) error { return nil },
		Copy:  func(w job.Want) job.Want { g := *w.(*job.Grove); return &g },
		Second: func(w job.Want, s Shard) *job.File {
			g := w.(*job.Grove)
			if g.First = s.First; s.With != nil {
				g.WithFirst = s.With.First
			}
			return &g.With
		},
		Prepare: func(p *Plan, _ *Wish) { p.Shards = pairs(p.Shards) },
		Making:  func(_ *Plan, want job.Want) Making { return linked{want.(*job.Grove)} },
		Merge:   mergeGroves,
		Merged:  hasMerged})
}

const groveExt = ".grove"

// pairs are those of shards, each with every later one; a single one has none.
func pairs(of []Shard) (out []Shard) {
	first := int64(0)
	for i := range of {
		of[i].First = first
		first += int64(of[i].Rows)
	}
	if len(of) == 1 {
		return of
	}
	for i := range of {
		for k := i + 1; k < len(of); k++ {
			s := of[i]
			s.With = &of[k]
			out = append(out, s)
		}
	}
	return out
}

// linked is a part of the trees.
type linked struct{ want *job.Grove }

func (l linked) Rows(w *job.Work) (all, invalid int) { return l.want.Rows, w.Points.Table.Invalid }

func (l linked) Keep(context.Context, *job.Work, *Receipt) error { return nil }

// tableRows is how many rows the files of pairs of shards have together.
func tableRows(shards []Shard) (n int64) {
	for _, s := range shards {
		n = max(n, s.First+int64(s.Rows))
		if s.With != nil {
			n = max(n, s.With.First+int64(s.With.Rows))
		}
	}
	return n
}

// mergeGroves makes one tree of those of all pairs.
func mergeGroves(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error {
	if len(there) < len(p.Shards) {
		return problem.New(p.folder, "go on: blossom resume "+p.folder,
			"the rows of some files are linked to no others")
	}
	all := linkage.NewGroves(int(tableRows(p.Shards)), 0)
	for _, r := range there {
		if err := addGrove(ctx, all, p.File(r.Part), p.folder); err != nil {
			return err
		}
	}
	tree, err := all.Grove(ctx)
	if err != nil {
		return err
	}
	return p.writeMerged(m, func(w io.Writer) error { return tree.Write(ctx, w) })
}

// addGrove merges the tree in a file.
func addGrove(ctx context.Context, all *linkage.Groves, path, folder string) error {
	f, err := plain.Open(path)
	if err != nil {
		return plain.Problem(err, path)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return plain.Problem(err, path)
	}
	g, err := linkage.ReadGrove(ctx, f, st.Size())
	if err == nil {
		err = all.Add(ctx, g)
	}
	if err != nil && ctx.Err() == nil {
		return problem.Wrap(err, path, "make it again: blossom resume "+folder, "%v", err)
	}
	return err
}
