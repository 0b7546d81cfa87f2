package opening

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/model/work"
)

// Undecided is several files of which it is not certain what belongs together: a question more than an error. They
// have been read; Open makes one table of them as it was decided.
type Undecided struct {
	Plan *match.Plan
	// Old is the document whose files they are, to be kept as far as its columns are; nil: there is none.
	Old *state.Document

	options format.Options
	prints  fingerprint.Set
	known   *known
}

func (u *Undecided) Error() string { return u.Unwrap().Error() }

// Unwrap returns the error as where there is nobody to ask.
func (u *Undecided) Unwrap() error {
	if err := u.Plan.Strangers(); err != nil {
		return err
	}
	return problem.New(u.Plan.Files[0].Path, "decide which columns are one", "columns of %d files are in doubt: %s",
		len(u.Plan.Files), strings.Join(u.Plan.Doubts(), "; "))
}

// Compare reads several files and matches their columns as how says. old is the document whose files they are, whose
// texts are read as they were, or nil. A file that is damaged is left out, unless it is one of the document's.
func Compare(ctx context.Context, paths []string, how match.How, old *state.Document, o format.Options,
	j *work.Job) (*Undecided, error) {
	know := Sheets{}.know
	if old != nil { // it has sheets of its own
		know = without
	}
	paths, k, err := know(ctx, paths)
	if err != nil {
		return nil, err
	}
	return compare(ctx, paths, how, old, k, o, j)
}

func compare(ctx context.Context, paths []string, how match.How, old *state.Document, k *known,
	o format.Options, j *work.Job) (*Undecided, error) {
	if j != nil {
		o.Progress = j.Report
	}
	files := slices.Clone(paths)
	if old != nil {
		o.Reading, how.Panel = old.Data.Reading, parts.Panel.Of(old.State())
		for _, t := range old.Data.Joined {
			files = append(files, t.Path)
		}
	}
	prints, err := printsOf(ctx, files)
	if err != nil {
		return nil, err
	}
	o.Damaged = func(path string, err error) bool {
		own := old != nil && slices.Contains(old.Files(), path)
		return !own && k.damaged(path, err)
	}
	plan, err := source.Compare(ctx, paths, how, o)
	if err != nil {
		return nil, err
	}
	o.Damaged = nil
	for _, path := range k.left {
		delete(prints, path)
	}
	u := &Undecided{Plan: plan, Old: old, options: o, prints: prints, known: k}
	if old != nil {
		u.Plan = match.New(plan.Files, ticks(plan, old))
	}
	return u, nil
}

// Clear says whether there is nothing to ask.
func (u *Undecided) Clear() bool { return len(u.Plan.Doubtful()) == 0 && u.Plan.Strangers() == nil }

// Without is the same without a file. Of a sample the others keep the share that they were read with.
func (u *Undecided) Without(file int) *Undecided {
	out := *u
	if n := len(u.Plan.Files); u.options.MaxPoints > 0 {
		out.options.MaxPoints = max(1, u.options.MaxPoints/n) * (n - 1)
	}
	out.Plan = match.New(slices.Delete(slices.Clone(u.Plan.Files), file, file+1), u.Plan.How.Without(file))
	return &out
}

// Open makes one table of the files and a document of it, a new one or that of Old with what of it still fits.
func (u *Undecided) Open(ctx context.Context, j *work.Job) (*Opened, error) {
	var report func(done, total int64)
	if j != nil {
		report = j.Report
	}
	data := u.Plan.Files[0]
	if len(u.Plan.Files) > 1 {
		var err error
		if data, err = u.Plan.Join(ctx); err != nil {
			return nil, err
		}
	}
	data, err := u.known.fits(data)
	if err != nil {
		return nil, err
	}
	var out *Opened
	if u.Old != nil {
		out, err = u.keep(ctx, data, report)
	} else {
		out, err = Prepare(ctx, data, max(1, u.options.Seed), j)
	}
	if err == nil {
		err = u.known.put(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	o := u.options
	out.Doc.Prints = u.prints
	out.Doc.Sampling = state.Sampling{MaxPoints: o.MaxPoints, How: o.Sample, Seed: o.Seed, Match: u.Plan.How}
	return out, nil
}

// keep makes the document of Old again from data: settings, landmarks and looks of the columns that are still there.
func (u *Undecided) keep(ctx context.Context, data *dataset.Dataset, report func(done, total int64)) (*Opened, error) {
	data, apart, err := rejoin(ctx, data, u.Old.Data.Joined, u.options)
	if err != nil {
		return nil, err
	}
	was := renamed(u.Old, data)
	if was.Data.Points == data.Points && !slices.Equal(was.Files(), u.paths()) {
		// A sample of as many points: what is kept by rows cannot tell that they are others.
		was.Always(func(s *state.State) {
			parts.Select(s, nil)
			parts.Snapshots.Put(s, parts.SnapshotTable{})
		})
	}
	s, err := session.Of(was, "", "", time.Time{})
	if err != nil {
		return nil, err
	}
	doc, notes, err := s.Adapt(data, data.Name)
	if err != nil { // no column of its map is left
		out, err := Prepare(ctx, data, u.Old.Seed, nil)
		if err == nil {
			out.Notes = append(apart, "no column of the map is in all files: it began anew")
		}
		return out, err
	}
	order := transform.Shuffle(data.Points, doc.Seed)
	table, err := transform.Build(ctx, data, parts.Transform.Of(doc.State()), order, report)
	if err != nil {
		return nil, err
	}
	parts.Remeasured(doc, table)
	if table, err = u.tick(ctx, doc, table); err != nil {
		return nil, err
	}
	suggestValues(doc)
	return &Opened{Doc: doc, Table: table, Notes: append(apart, notes...), Restored: true, Lost: lost(u.Old, doc),
		Said: fmt.Sprintf("%s: the map is kept, its history begins here", data.Name)}, nil
}

// paths are the files.
func (u *Undecided) paths() (out []string) {
	for _, f := range u.Plan.Files {
		out = append(out, f.Path)
	}
	return out
}

// tick takes columns into the map, or out of it, as was decided by hand, and carries the landmarks along.
func (u *Undecided) tick(ctx context.Context, doc *state.Document, table *transform.Table) (*transform.Table, error) {
	in, out := u.Plan.Ticked()
	spec := parts.Transform.Of(doc.State()).Clone()
	changed := false
	if now := u.compensated(spec, doc.Data); !now.Equal(spec) {
		spec, changed = now, true
	}
	for i := range spec.Columns {
		c, name := &spec.Columns[i], doc.Data.Columns[i].Name
		was := c.Use
		switch {
		case in[name] && doc.Data.Columns[i].Categories == nil:
			c.Use = transform.InMap
		case c.Use == transform.InMap && (out[name] || doc.Data.Columns[i].Aside):
			c.Use = transform.ColourOnly
		}
		changed = changed || c.Use != was
	}
	if !changed || len(spec.MapColumns()) == 0 {
		return table, nil
	}
	now, err := transform.Update(ctx, table, doc.Data, spec, nil)
	if err != nil {
		return nil, err
	}
	l := *parts.Landmarks.Of(doc.State())
	fill, err := transform.Centroids(ctx, table, now, l.Codebook)
	if err != nil {
		return nil, err
	}
	l.Codebook, l.CodeRev = transform.Carry(table, now, l.Codebook, fill), revision.Next()
	doc.Always(func(s *state.State) {
		parts.Transform.Put(s, spec)
		l.Space = parts.Transform.Rev(*s)
		parts.Landmarks.Put(s, &l)
	})
	return now, nil
}

// compensated is a spec with the compensation that suits the files there are now: a matrix of some files is not that of
// the others. Where there was none before, there is none.
func (u *Undecided) compensated(spec transform.Spec, data *dataset.Dataset) transform.Spec {
	had := slices.ContainsFunc(parts.Transform.Of(u.Old.State()).Mixes, transform.Mix.Compensates)
	kept := slices.ContainsFunc(spec.Mixes, func(m transform.Mix) bool { return m.Op == transform.Compensate })
	if !had || kept && (data.Spillover != nil || len(u.Plan.Files) == 1) {
		return spec
	}
	own := transform.OwnCompensation(data)
	if !own.On {
		own.Mix = transform.Mix{}
	}
	return spec.WithCompensation(data, own.Mix)
}

// renamed is a document with the names that its columns have in data: with another file a column may be called by its
// antigen that was called by its detector.
func renamed(old *state.Document, data *dataset.Dataset) *state.Document {
	now := map[string]string{}
	was := *old.Data
	was.Columns = slices.Clone(was.Columns)
	for i, name := range again(old.Data, data) {
		if name != "" {
			now[was.Columns[i].Name], was.Columns[i].Name = name, name
		}
	}
	s := old.State()
	looks := maps.Clone(parts.Looks.Of(s))
	for id, l := range looks {
		if name, ok := now[l.Column]; ok {
			l.Column = name
			looks[id] = l
		}
	}
	parts.Looks.Put(&s, looks)
	parts.Views.Edit(&s, func(v *parts.ViewList) {
		v.Views = slices.Clone(v.Views)
		for i := range v.Views {
			columns := slices.Clone(v.Views[i].Recipe.Columns)
			for k, c := range columns {
				if name, ok := now[c]; ok {
					columns[k] = name
				}
			}
			v.Views[i].Recipe.Columns = columns
		}
	})
	out := state.New(&was, old.Title, old.Seed, s)
	out.Sampling, out.Foreign, out.Prints = old.Sampling, old.Foreign, old.Prints
	return out
}

// lost are the columns of old's map, as they are called there, that doc's has not because not all of its files do.
func lost(old, doc *state.Document) (out []string) {
	was, is := parts.Transform.Of(old.State()), parts.Transform.Of(doc.State())
	names := again(old.Data, doc.Data)
	for _, i := range was.MapColumns() {
		k := slices.IndexFunc(doc.Data.Columns, func(c dataset.Column) bool { return c.Name == names[i] })
		if names[i] == "" || k < 0 || doc.Data.Columns[k].Aside && is.Columns[k].Use != transform.InMap {
			out = append(out, match.Title(&old.Data.Columns[i]))
		}
	}
	return out
}

// again returns what each column of old is called in data, "" where it is gone or not certain: by name and label, by
// antigen, by name.
func again(old, data *dataset.Dataset) []string {
	out := make([]string, len(old.Columns))
	taken := map[string]bool{}
	for _, same := range []func(a, b *dataset.Column) bool{
		func(a, b *dataset.Column) bool { return a.Name == b.Name && a.Label == b.Label },
		func(a, b *dataset.Column) bool { return match.Title(a) == match.Title(b) },
		match.SameAntigen,
		func(a, b *dataset.Column) bool { return a.Name == b.Name && (a.Label == "" || b.Label == "") },
	} {
		for i := range old.Columns {
			if out[i] != "" {
				continue
			}
			var found []string
			for k := range data.Columns {
				if b := &data.Columns[k]; !taken[b.Name] && same(&old.Columns[i], b) {
					found = append(found, b.Name)
				}
			}
			if len(found) == 1 {
				out[i], taken[found[0]] = found[0], true
			}
		}
	}
	return out
}

// ticks are the decisions of plan, with those that keep in the map of old what is there, and out of it what is not.
func ticks(plan *match.Plan, old *state.Document) match.How {
	spec := parts.Transform.Of(old.State())
	used := map[string]bool{}
	known := map[string]bool{}
	for i, c := range old.Data.Columns {
		for _, name := range []string{c.Name, match.Title(&c)} {
			known[name] = true
			used[name] = used[name] || spec.Columns[i].Use == transform.InMap
		}
	}
	for i := 0; i < len(plan.Rows); i++ {
		r := &plan.Rows[i]
		if r.Apart || r.Files() < len(r.From) {
			continue
		}
		name := r.Name
		if !known[name] {
			name = r.Label
		}
		if known[name] && used[name] != r.InMap {
			plan, i = match.New(plan.Files, plan.Tick(i, used[name])), -1 // the rows stand in another order now
		}
	}
	return plan.How
}
