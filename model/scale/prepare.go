package scale

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job"
	"blossom/model/job/run"
)

// Wish is what a plan is made of.
type Wish struct {
	Flags   *run.Flags // how data is read and what the map is
	Want    job.Want   // a want of a Kind: parts are made of it
	Paths   []string   // files, folders and patterns of names
	Folder  string     // where parts go
	Output  string     // the extension of the parts
	Mixed   bool       // machines may compute otherwise
	Shown   int        // rows of the sample that a window shows; 0: there is none
	Program string     // name and version
}

// Prepare makes the plan of a wish: it looks at the head of each file alone. The error is a Problem, or ctx's.
func Prepare(ctx context.Context, w Wish, report run.Report) (*Plan, error) {
	p, err := planned(ctx, w, report)
	if err != nil {
		return nil, err
	}
	return p, p.Write(w.Folder)
}

// planned is the plan of a wish, not written yet.
func planned(ctx context.Context, w Wish, report run.Report) (*Plan, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	paths, err := Files(ctx, w.Paths)
	if err != nil {
		return nil, err
	}
	engine, err := opened(&w.Flags.Machine)
	if err != nil {
		return nil, err
	}
	p := &Plan{Format: planFormat, Version: planVersion, Program: w.Program, Mixed: w.Mixed, Output: w.Output,
		Shown: w.Shown, Fingerprint: Fingerprint(engine, w.Program)}
	texts, k := map[string]int{}, w.kind()
	for i, path := range paths {
		if report != nil {
			report("planning", int64(i), int64(len(paths)))
		}
		j, rows, err := w.of(ctx, path, engine)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := j.Write(&text); err != nil {
			return nil, err
		}
		s, err := shardOf(path, w.Folder)
		if err != nil {
			return nil, err
		}
		s.Rows = rows
		at, known := texts[text.String()]
		if !known {
			if at = len(p.Jobs); at == 0 && k.Framed {
				p.Frame = frameOf(j)
			}
			texts[text.String()], p.Jobs = at, append(p.Jobs, j)
		}
		s.Job = at
		p.Shards = append(p.Shards, s)
	}
	return p, nil
}

// check says what of a wish cannot be done in parts: what depends on all rows.
func (w *Wish) check() error {
	bad := func(remedy, what string) error { return run.Usage{Err: problem.New("", remedy, "%s", what)} }
	s := w.Flags
	switch {
	case s.Origin.Landmarks == "" && s.Origin.LandmarksHD == "":
		return run.Usage{Err: problem.New(w.Folder+string(filepath.Separator),
			"train them first (blossom train) and give them with --landmarks, or write files with --split",
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
func (w *Wish) of(ctx context.Context, path string, engine job.Engine) (*job.Job, int, error) {
	s := *w.Flags
	s.Input.MaxPoints, s.Input.Sample = 1, dataset.SampleFirst
	j, err := job.Open(ctx, &s, []string{path}, false, nil)
	if err != nil {
		return nil, 0, err
	}
	if err := j.ForMap(ctx, &s); err != nil {
		return nil, 0, err
	}
	want := w.kind().Copy(w.Want)
	written, _ := want.Paths()
	*written[0] = "part" + w.Output
	j.Want(want)
	rows := j.Table().Total
	j.Data[0].Reading.MaxPoints, j.Data[0].Reading.Sample = 0, ""
	j.Data[0].Path, j.Data[0].Size, j.Data[0].Rows = "shard"+filepath.Ext(path), 0, 0
	j.Engine = engine
	return j, rows, nil
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
	var named []string
	for _, path := range paths {
		found, err := matching(path)
		if err != nil {
			return nil, err
		}
		named = append(named, found...)
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

// matching are the files that a pattern stands for; a name without one stays.
func matching(path string) ([]string, error) {
	if found, err := filepath.Glob(path); err == nil && len(found) > 0 {
		return found, nil // by their names
	}
	if _, err := os.Lstat(path); err != nil && hasPattern(path) {
		return nil, problem.New(path, "check the pattern and the folder", "no file has such a name")
	}
	return []string{path}, nil
}

func hasPattern(path string) bool {
	for _, c := range path {
		if c == '*' || c == '?' || c == '[' {
			return true
		}
	}
	return false
}
