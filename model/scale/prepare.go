package scale

import (
	"bytes"
	"context"
	"math"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// Wish is what a plan is made of.
type Wish struct {
	Flags  *run.Flags // how data is read and what the map is
	Want   job.Want   // a want of a Kind: parts are made of it
	Paths  []string   // files, folders and patterns of names
	Of     *Plan      // in their place: the plan whose files are read again, as it reads them; nil: there is none
	Folder string     // where parts go
	Output string     // the extension of the parts; "": none has a file, where what is wanted needs none
	Mixed  bool       // machines may compute otherwise
	Shown  int        // rows of the sample that a window shows; 0: there is none
	// Most is how many rows a part has at most, of a file whose rows are read by themselves; 0: each file is a part.
	Most    int
	Program string // name and version
	// Into is the job of the points among whose map those of the files are placed, where that is what is wanted.
	Into *job.Job
	// Layout is what makes their map, of a sample of the rows; nil: it is there.
	Layout job.Want
	// State gives an opened job its state; nil: that of the map that the flags mean.
	State func(j *job.Job, ctx context.Context, s *run.Flags) error
}

// input is what a part is made of.
type input struct {
	path string
	read *job.Job // it is read as this job says; nil: as the flags say
	part *Shard   // it is this part of a file; nil: all of it
}

// inputs are what parts are made of, in order.
func (w *Wish) inputs(ctx context.Context) (out []input, err error) {
	if w.Of == nil {
		paths, err := Files(ctx, w.Paths)
		for _, path := range paths {
			out = append(out, input{path: path})
		}
		return out, err
	}
	for _, s := range w.Of.Shards {
		path := w.Of.at(s)
		if w.kind().Unchanged {
			if err := w.Of.unchanged(s); err != nil {
				return nil, err
			}
		}
		out = append(out, input{path, w.Of.Jobs[s.Job], &s})
	}
	return out, nil
}

// Prepare makes the plan of a wish, and writes it: it looks at the head of each file alone. The error is a Problem, or
// ctx's.
func Prepare(ctx context.Context, w Wish, report run.Report) (*Plan, error) {
	p, err := w.planned(ctx, report)
	if err != nil {
		return nil, err
	}
	return p, p.Write(w.Folder)
}

// planned is the plan of a wish, which is not written yet.
func (w *Wish) planned(ctx context.Context, report run.Report) (*Plan, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	inputs, err := w.inputs(ctx)
	if err != nil {
		return nil, err
	}
	by, print, err := w.engine()
	if err != nil {
		return nil, err
	}
	p := &Plan{Format: planFormat, Version: planVersion, Program: w.Program, Mixed: w.Mixed, Output: w.Output,
		Shown: w.Shown, Fingerprint: print}
	texts := map[string]int{}
	for i, in := range inputs {
		if report != nil {
			report("planning", int64(i), int64(len(inputs)))
		}
		j, rows, err := w.of(ctx, in, by)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := j.Write(&text); err != nil {
			return nil, err
		}
		s, err := shardOf(in.path, w.Folder)
		if err != nil {
			return nil, err
		}
		if s.Rows = rows; rows > math.MaxInt32 && (w.Most <= 0 || w.Most > math.MaxInt32) {
			return nil, run.Usage{Err: problem.New(in.path, "leave --part-rows out, or give fewer",
				"has %s rows, more than the %s of a part", problem.Grouped(int64(rows)),
				problem.Grouped(math.MaxInt32))}
		}
		at, known := texts[text.String()]
		if !known {
			at = len(p.Jobs)
			texts[text.String()], p.Jobs = at, append(p.Jobs, j)
		}
		s.Job = at
		parted, err := w.parted(ctx, s, in, j)
		if err != nil {
			return nil, err
		}
		p.Shards = append(p.Shards, parted...)
		if len(p.Shards) > mostShards {
			return nil, problem.New(w.Folder, "give a larger --part-rows", "more than %d parts", mostShards)
		}
	}
	if k := w.kind(); k.Prepare != nil {
		k.Prepare(p, w)
	}
	return p, w.layOut(p)
}

// check says what of a wish cannot be done in parts: what depends on all rows.
func (w *Wish) check() error {
	bad := func(remedy, what string) error { return run.Usage{Err: problem.New("", remedy, "%s", what)} }
	s := w.Flags
	switch {
	case w.State == nil && s.Origin.Landmarks == "" && s.Origin.LandmarksHD == "" && s.Origin.Made == nil:
		return run.Usage{Err: problem.New(w.Folder+string(filepath.Separator),
			"train them first (blossom train) and give them with --landmarks or --session, or write files with --split",
			"a folder has parts of one map, whose landmarks have to be there")}
	case s.Input.MaxPoints > 0:
		return bad("leave --max-points out", "all rows are projected in parts")
	case s.Space.Fill != "" && s.Space.Fill != "none":
		return bad("leave --fill out", "a gap is filled by what all rows have, which no part knows")
	case len(s.Input.Join) > 0 || s.Input.Gates.Path != "":
		return bad("leave them out", "tables and gates beside the data are of one table, which parts are not")
	}
	return w.kind().Check(w)
}

// kind is that of the parts.
func (w *Wish) kind() Kind {
	k, _ := making.Find(w.Want.What())
	return k
}

// of is the job of one file, and how many rows that has.
func (w *Wish) of(ctx context.Context, in input, by job.Engine) (*job.Job, int, error) {
	s := *w.Flags
	if in.read != nil {
		r := w.Of.kind().file(in.read).Reading
		s.Input.Reading, s.Input.Part = r.Reading, max(0, r.Part-1)
		s.Input.Match.Panel = parts.PanelIn(in.read.State)
	}
	s.Input.MaxPoints, s.Input.Sample = 1, dataset.SampleFirst
	j, err := job.Open(ctx, &s, []string{in.path}, false, nil)
	if err != nil {
		return nil, 0, err
	}
	if in.read != nil {
		j.Seed = in.read.Seed
		if panel, said := in.read.State["panel"]; said {
			j.State = map[string]state.Encoded{"panel": panel}
		}
	}
	stated := w.State
	if stated == nil {
		stated = (*job.Job).ForMap
	}
	if err := stated(j, ctx, &s); err != nil {
		return nil, 0, err
	}
	want := w.kind().Copy(w.Want)
	written, _ := want.Paths()
	*written[0] = ""
	if w.Output != "" {
		*written[0] = "part" + w.Output
	}
	rows := j.Table().Total
	j.Data[0].Reading.MaxPoints, j.Data[0].Reading.Sample = 0, ""
	j.Data[0].Path, j.Data[0].Size, j.Data[0].Rows = "shard"+filepath.Ext(in.path), 0, 0
	if around := w.kind().Around; around == nil {
		j.Want(want)
	} else if j, err = around(w, j, want); err != nil {
		return nil, 0, err
	}
	j.Engine = by
	return j, rows, nil
}

// parted are the parts of a file: ranges of its rows where it has more than parts may have, and these are read by
// themselves.
func (w *Wish) parted(ctx context.Context, s Shard, in input, j *job.Job) (out []Shard, err error) {
	if in.part != nil {
		s.Rows, s.From, s.Whole, s.Span = in.part.Rows, in.part.From, in.part.Whole, in.part.Span
		return []Shard{s}, nil
	}
	rows := int64(s.Rows)
	if w.Most <= 0 || s.Rows <= w.Most {
		return []Shard{s}, nil
	}
	n := (rows + int64(w.Most) - 1) / int64(w.Most)
	if n > mostShards {
		return nil, problem.New(w.Folder, "give a larger --part-rows", "more than %d parts", mostShards)
	}
	starts := make([]int64, n+1)
	for i := range starts {
		starts[i] = int64(i) * rows / n
	}
	o, r := w.Flags.Input.Options(), w.kind().file(j).Reading
	o.Reading, o.Part = r.Reading, max(0, r.Part-1)
	spans, parted, err := format.Parted(ctx, in.path, o, starts[:n])
	if err != nil || !parted {
		return []Shard{s}, err
	}
	s.Whole = rows
	for i := range n {
		s.From, s.Rows = starts[i], int(starts[i+1]-starts[i])
		if spans != nil {
			s.Span = &spans[i]
		}
		out = append(out, s)
	}
	return out, nil
}

// engine is what computes the parts, and its fingerprint: as in the plan whose files are read again, where the flags
// say nothing else. Where all engines agree it is each machine's own, unless the flags name a variant.
func (w *Wish) engine() (e job.Engine, print string, err error) {
	m := &w.Flags.Machine
	if k := w.kind(); k.Agrees && m.GPU.Variant == "" {
		e = job.Engine{Kind: m.Engine}
		return e, k.fingerprint(e, w.Program), nil
	}
	if w.Of == nil || m.Engine != engine.Auto || m.GPU.Variant != "" {
		e, err = opened(m)
		return e, w.kind().fingerprint(e, w.Program), err
	}
	e = w.Of.Jobs[0].Engine
	if w.Of.Program == w.Program { // perhaps on another kind of processor than this
		return e, w.Of.Fingerprint, nil
	}
	return e, w.kind().fingerprint(e, w.Program), nil
}

// opened is the engine and variant that are used here.
func opened(m *run.Machine) (job.Engine, error) {
	engines, err := run.OpenEngine(m.Engine, m.GPU)
	if err != nil {
		return job.Engine{}, err
	}
	defer engines.Close()
	e := engines.Engine()
	return job.Engine{Kind: e.Name(), Variant: e.Variant()}, nil
}

// Files are those of patterns, folders and names, each once, those of a pattern or a folder by their names.
func Files(ctx context.Context, paths []string) (out []string, err error) {
	named, err := source.Named(paths)
	if err != nil {
		return nil, err
	}
	o, err := source.Expand(ctx, named)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, path := range o.Files {
		full, err := filepath.Abs(path)
		switch {
		case err != nil:
			return nil, err
		case source.Generated(path) || path == source.Standard:
			return nil, problem.New(path, "write it to a file first: blossom demo", "is no file, which parts are of")
		case seen[full]:
			return nil, problem.New(path, "name each file once", "is named twice")
		}
		seen[full] = true
		if err := format.CheckInput(path); err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}
