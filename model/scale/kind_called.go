package scale

import (
	"context"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/export"
)

// Called is how many rows populations have: those of a part, or all.
type Called struct {
	Points []int64 `json:"points"` // each population has, by its place in the tree; Unknown: it cannot be told
	Own    []int64 `json:"own"`    // each population labels: no other below it or before it has them
	None   int64   `json:"none"`   // rows in no population, or Unknown
}

// Unknown is the number of rows of what cannot be told: rows have no value that a rule looks at.
const Unknown = -1

// Files that tell how many rows populations have: of all parts together, and of each file.
const (
	CalledFile  = "populations.csv"
	CalledFiles = "counts.csv"
)

// Labels are what the rows of a part are called by the populations of the job's state, and how many rows each has. The
// part has a file of them where somebody wants these; counts are in its receipt in any case.
func init() {
	RegisterKind(Kind{ID: (&job.Named{}).What(), Bare: true, Unchanged: true,
		Check: func(*Wish) error { return nil },
		Copy:  func(w job.Want) job.Want { n := *w.(*job.Named); return &n },
		Prepare: func(p *Plan, w *Wish) {
			if w.Of != nil {
				p.Map = w.Of.sum
			}
		},
		Making: func(_ *Plan, want job.Want) Making { return called{want.(*job.Named)} },
		Whole: func(_ context.Context, _ *Plan, r Receipt, _ bool) bool {
			return r.Called != nil && len(r.Called.Points) == len(r.Called.Own)
		},
		Merge: func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error {
			return p.joinCalled(ctx, m, there)
		}})
}

// called is a part of labels.
type called struct{ want *job.Named }

func (c called) Rows(w *job.Work) (all, invalid int) { return w.Table().Points, 0 }

func (c called) Keep(_ context.Context, w *job.Work, r *Receipt) error {
	r.Called = calledOf(c.want, w.Table())
	return nil
}

// calledOf counts the rows of a part.
func calledOf(n *job.Named, data *dataset.Dataset) *Called {
	one := func(int) int { return 0 }
	counts := n.Made.Count([]string{""}, one)
	counts.Ask(n.Tree, data, n.Made.Why, one)
	out := &Called{}
	of := func(place int) int64 {
		if !counts.Known(place, 0) {
			return Unknown
		}
		return int64(counts.Points[place][0])
	}
	for i := range n.Tree.Len() {
		out.Points, out.Own = append(out.Points, of(i)), append(out.Own, int64(n.Made.Own[i]))
	}
	out.None = of(n.Tree.Len())
	return out
}

// add counts further rows. What cannot be told of some cannot be told of all.
func (c *Called) add(o *Called) {
	sum := func(to *int64, n int64) {
		if *to == Unknown || n == Unknown {
			*to = Unknown
		} else {
			*to += n
		}
	}
	for i := range o.Points {
		sum(&c.Points[i], o.Points[i])
		c.Own[i] += o.Own[i]
	}
	sum(&c.None, o.None)
}

// tree is the populations that rows are called by.
func (p *Plan) tree() (population.Tree, error) {
	const none = 0 // no population of parts is of fixed rows
	t, err := population.Decode(p.Jobs[0].State[populations].Value, none, func(string) {})
	if err != nil {
		return t, problem.Of(err, filepath.Join(p.folder, PlanFile))
	}
	return t, nil
}

// joinCalled adds what parts have counted, and writes the tables of it.
func (p *Plan) joinCalled(ctx context.Context, m *Manifest, there []Receipt) error {
	tree, err := p.tree()
	if err != nil {
		return err
	}
	m.Called = &Called{Points: make([]int64, tree.Len()), Own: make([]int64, tree.Len())}
	files := ofFiles{Tally: export.Tally{Tree: tree, Each: true}}
	for _, r := range there {
		if len(r.Called.Points) != tree.Len() {
			return problem.New(p.receipt(r.Part), "make it again: remove this file, and blossom resume "+p.folder,
				"counts %d populations, and the plan has %d", len(r.Called.Points), tree.Len())
		}
		m.Called.add(r.Called)
		files.add(p.Shards[r.Part].Path, int64(r.Rows), r.Called)
	}
	files.end()
	all := export.Tally{Tree: tree}
	all.Add("", m.Rows, m.Called.Points, m.Called.Own, m.Called.None)
	for name, tally := range map[string]*export.Tally{CalledFile: &all, CalledFiles: &files.Tally} {
		ds, err := tally.Table(ctx)
		if err == nil {
			err = format.Save(ctx, filepath.Join(p.folder, name), ds, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ofFiles tells of each file what was counted in its parts, which follow each other.
type ofFiles struct {
	export.Tally
	path string
	rows int64
	sum  *Called // nil: there is no file yet
}

func (f *ofFiles) add(path string, rows int64, c *Called) {
	if f.sum != nil && path != f.path {
		f.end()
	}
	if f.sum == nil {
		f.path, f.rows = path, 0
		f.sum = &Called{Points: make([]int64, len(c.Points)), Own: make([]int64, len(c.Own))}
	}
	f.sum.add(c)
	f.rows += rows
}

func (f *ofFiles) end() {
	if f.sum != nil {
		f.Add(filepath.Base(filepath.FromSlash(f.path)), f.rows, f.sum.Points, f.sum.Own, f.sum.None)
		f.sum = nil
	}
}
