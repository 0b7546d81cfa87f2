package opening

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/maps/derived"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work"
)

// Inner are the populations of a document with their rows, by place: those that lie in the one that a subset is of are
// brought along.
type Inner struct {
	Tree population.Tree
	Sets []*selection.Set
}

// into puts them into the tree of a subset of doc: rules by columns of the file alone as they are, others as the points
// that they have.
func (in Inner) into(tree population.Tree, doc *state.Document, s *dataset.Subset) (population.Tree, error) {
	f := Found{Subset: s, Mixes: parts.Transform.Of(doc.State()).Mixes}
	return tree.TakeDown(in.Tree, population.ID(s.Population), func(p population.Population) (population.Rule, bool) {
		if place := in.Tree.Place(p.ID); !f.portable(p.Rule, doc) && place < len(in.Sets) {
			return population.Of(part(in.Sets[place], s.Rows)), true
		}
		return p.Rule, false
	})
}

// part are the rows of a set that a subset has, by their places in it.
func part(set *selection.Set, rows []int32) *selection.Set {
	words := make([]uint64, (len(rows)+63)/64)
	for i, row := range rows {
		if set.Contains(int(row)) {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return selection.FromBits(len(rows), words)
}

// Among makes a document of the rows that s lists of those of doc, which nobody else changes: a new map, of the columns
// and transforms of doc's, with the populations of doc that lie in it.
func Among(ctx context.Context, doc *state.Document, s dataset.Subset, in Inner, program string, j *work.Job) (*Opened,
	error) {
	data, err := among(ctx, doc, s, program)
	if err != nil {
		return nil, err
	}
	out, err := prepare(ctx, data, varying(data, parts.Transform.Of(doc.State())), doc.Seed, j)
	if err != nil {
		return nil, err
	}
	views, looks := parts.Views.Of(doc.State()), parts.Looks.Of(doc.State())
	tree, err := in.into(population.Tree{}, doc, data.Subset)
	if err != nil {
		return nil, err
	}
	column := looks.Get(views.LookOf(views.Active)).Column
	if _, err := data.Find(column); err != nil {
		column = ""
	}
	if tree.Len() > 0 {
		column = derived.ByID("population").ColumnName(data, "")
	}
	out.Doc.Always(func(now *state.State) {
		parts.Populations.Put(now, tree)
		if column != "" {
			own := parts.Looks.Of(*now).Get(parts.FirstView)
			own.Column = column
			parts.Looks.Put(now, parts.LookTable{parts.FirstView: own})
		}
	})
	if folder := parts.Images.Of(doc.State()); folder != "" {
		out.Doc.Always(parts.Images.With(folder))
	}
	if known := parts.Samples.Of(doc.State()); !known.Empty() {
		out.Doc.Always(parts.Samples.With(known))
	}
	out.Doc.Always(parts.Panel.With(parts.Panel.Of(doc.State())))
	out.Doc.Prints, out.Doc.Sampling, out.Doc.Within = doc.Prints, doc.Sampling, doc.ID
	out.Said = fmt.Sprintf("%s: %s of %s points", population.Brief(s.Name), problem.Grouped(int64(data.Points)),
		problem.Grouped(int64(doc.Data.Points)))
	return out, nil
}

// among are the rows of s, which keep the document that has named them.
func among(ctx context.Context, doc *state.Document, s dataset.Subset, program string) (*dataset.Dataset, error) {
	var err error
	if s.Parent, err = parentOf(doc, program); err != nil {
		return nil, err
	}
	return dataset.Among(ctx, doc.Data, s)
}

// parentOf is the session of a document, without its history, as a file.
func parentOf(doc *state.Document, program string) ([]byte, error) {
	s, err := session.Of(doc, "", program, doc.Time())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = s.Write(&out)
	return out.Bytes(), err
}

// varying is a transform without the columns that have one value alone in data, unless none is left then.
func varying(data *dataset.Dataset, spec transform.Spec) transform.Spec {
	out := spec.Clone()
	for i := range out.Columns {
		if c := &data.Columns[i]; c.Stats.Min == c.Stats.Max && out.Columns[i].Use == transform.InMap {
			out.Columns[i].Use = transform.ColourOnly
		}
	}
	if len(out.MapColumns()) == 0 {
		return spec
	}
	return out
}

// Follow gives the document of a subset the rows that its population has now, those of s in doc. Where they are others
// its map is kept, and its history begins anew; rows that stay are still in the populations of fixed points.
func Follow(ctx context.Context, o *Opened, doc *state.Document, s dataset.Subset, in Inner, program string) (*Opened,
	error) {
	was := o.Doc.Data.Subset
	if slices.Equal(was.Rows, s.Rows) && was.Name == s.Name {
		kept, now := *o.Doc.Data, *was
		var err error
		if now.Parent, err = parentOf(doc, program); err != nil {
			return nil, err
		}
		kept.Subset, o.Doc.Data = &now, &kept
		return o, in.follow(o.Doc, doc, &now)
	}
	data, err := among(ctx, doc, s, program)
	if err != nil {
		return nil, err
	}
	old := o.Doc.Copy()
	old.Always(func(now *state.State) {
		carried := parts.Populations.Of(*now).Carry(func(set *selection.Set) *selection.Set {
			return moved(set, was.Rows, s.Rows)
		})
		parts.Populations.Put(now, carried)
		parts.Select(now, nil)
		parts.Snapshots.Put(now, parts.SnapshotTable{})
	})
	file, err := session.Of(old, "", program, time.Time{})
	if err != nil {
		return nil, err
	}
	next, notes, err := file.Adapt(data, data.Name)
	if err != nil {
		return nil, err
	}
	out := &Opened{Doc: next, Notes: notes, Restored: true, Back: o.Back, Session: o.Session, Said: fmt.Sprintf(
		"%s has %s now, where it had %s: its map is kept, and its history begins here", s.Name,
		problem.Count(data.Points, "point"), problem.Grouped(int64(len(was.Rows))))}
	next.Prints, next.Sampling, next.Within = old.Prints, old.Sampling, doc.ID
	out.Table, err = transform.Build(ctx, data, parts.Transform.Of(next.State()),
		transform.Shuffle(data.Points, next.Seed), nil)
	if err != nil {
		return nil, err
	}
	parts.Remeasured(next, out.Table)
	suggestValues(next)
	return out, in.follow(next, doc, next.Data.Subset)
}

// follow brings the populations of a subset's document up to those of doc that lie in it, as an entry of its history
// where they are others.
func (in Inner) follow(sub, doc *state.Document, s *dataset.Subset) error {
	was := parts.Populations.Of(sub.State())
	now, err := in.into(was, doc, s)
	if err == nil && !population.Equal(was, now) {
		sub.Do("Populations of "+population.Brief(s.Of), func(at *state.State) { parts.Populations.Put(at, now) })
	}
	return err
}

// moved is a set of the rows was as one of the rows now, both by their places in other data.
func moved(set *selection.Set, was, now []int32) *selection.Set {
	words := make([]uint64, (len(now)+63)/64)
	at := 0
	for i, row := range now {
		for at < len(was) && was[at] < row {
			at++
		}
		if at < len(was) && was[at] == row && set.Contains(at) {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return selection.FromBits(len(now), words)
}

// Parent opens the document again that has named the points of doc, as it was then; it is the one that doc is within.
func Parent(ctx context.Context, doc *state.Document, o format.Options, j *work.Job) (*Opened, error) {
	name := doc.Data.Subset.Of
	if j != nil {
		o.Progress = j.Report
	}
	if doc.Data.Subset.Parent == nil {
		return nil, problem.New(doc.Data.Path, "open the file itself", "the session does not have what %s was part of",
			doc.Title)
	}
	f := found{files: doc.Inputs(), prints: doc.Prints}
	s, err := session.ReadParent(doc.Data.Subset.Parent, f.files, name)
	if err != nil {
		return nil, err
	}
	if f.data, _, err = readData(ctx, s, name, f.files, o); err != nil {
		return nil, err
	}
	out, notes, err := s.Adapt(f.data, name)
	if err != nil {
		return nil, err
	}
	back, err := restored(ctx, s, name, out, notes, f, o.Progress)
	if err == nil {
		back.Doc.ID = doc.Within
		back.Session, back.Said = "", name+" as it was when the points of "+doc.Data.Subset.Name+" were taken"
	}
	return back, err
}

// Found are the populations that were named in the map of a population, with their rows.
type Found struct {
	Subset *dataset.Subset
	Tree   population.Tree
	Sets   []*selection.Set // by place in the tree, rows of the subset
	Why    []error          // by place: why it could not be evaluated; nil, also for all of them: it could
	Mixes  []transform.Mix  // the operations on columns before rules look at them
}

// Into puts them into the population of doc whose map they were found in, as an entry of the history: those by columns
// alone as they are, others as fixed points.
func (f *Found) Into(doc *state.Document) error {
	if doc.Data.Points != f.Subset.Points {
		return problem.New(doc.Data.Path, "open the data that it was part of",
			"the populations of %s are of data with %s, and this has %d", f.Subset.Name,
			problem.Count(f.Subset.Points, "row"), doc.Data.Points)
	}
	now := parts.Populations.Of(doc.State())
	rules := make([]population.Rule, f.Tree.Len())
	for i, p := range f.Tree.All() {
		fixed, is := p.Rule.(*population.Cells)
		switch {
		case p.As != "" && is && fixed.Sum() == p.As: // it has the points that it came with: the whole keeps its rule
		case i < len(f.Why) && f.Why[i] != nil:
		case f.portable(p.Rule, doc):
			rules[i] = p.Rule
		default:
			rules[i] = population.Of(f.whole(f.Sets[i]))
		}
	}
	next, err := now.TakeBack(population.ID(f.Subset.Population), f.Tree, rules)
	if err == nil && !population.Equal(now, next) {
		doc.Do("Populations of the map of "+population.Brief(f.Subset.Name), func(s *state.State) {
			parts.Populations.Put(s, next)
		})
	}
	return err
}

// portable says whether a rule says of doc's data what it says of the subset's: it looks at columns of the file, to
// which the same is done in both.
func (f *Found) portable(r population.Rule, doc *state.Document) bool {
	needs, mixes := r.Needs(), parts.Transform.Of(doc.State()).Mixes
	if needs.Landmarks || needs.Rows || len(needs.Maps) > 0 || !slices.EqualFunc(mixes, f.Mixes, transform.Mix.Equal) {
		return false
	}
	measured := func(m transform.Mix) bool { // on the points, perhaps
		return !m.Compensates() && m.Op != transform.Linearise
	}
	there := doc.Data.Places()
	return !slices.ContainsFunc(mixes, measured) && !slices.ContainsFunc(needs.Columns, func(name string) bool {
		_, ok := there[name]
		return !ok
	})
}

// whole is a set of rows of the subset in the data that it is part of.
func (f *Found) whole(set *selection.Set) *selection.Set {
	words := make([]uint64, (f.Subset.Points+63)/64)
	for i, row := range f.Subset.Rows {
		if set.Contains(i) {
			words[row/64] |= 1 << (row % 64)
		}
	}
	return selection.FromBits(f.Subset.Points, words)
}
