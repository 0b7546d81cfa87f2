package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// asking is what a command asks of parts.
type asking struct {
	out   string
	paths []string
	want  job.Want
	// called: rows are called by the populations of a session, or of a file of rules, in the place of being placed.
	called  bool
	rules   string
	partial bool

	session string
}

// finished is the plan of the folder whose files are read again, as it reads them: that which is named in the place of
// files, or whose sample a session is of. nil: there is none.
func (a *asking) finished() (*scale.Plan, error) {
	folder := ""
	switch {
	case len(a.paths) == 1:
		if folder = a.paths[0]; filepath.Base(folder) == scale.PlanFile {
			folder = filepath.Dir(folder)
		}
		if st, err := os.Stat(filepath.Join(folder, scale.PlanFile)); err != nil || st.IsDir() {
			return nil, nil
		}
	case len(a.paths) == 0 && a.session != "":
		s, err := session.Look(a.session)
		if err != nil {
			return nil, err
		}
		of := s.Data.Path
		if !filepath.IsAbs(of) {
			of = filepath.Join(filepath.Dir(a.session), of)
		}
		w, err := scale.WholeOf(of)
		if err != nil {
			return nil, err
		}
		if w == nil {
			return nil, problem.New(a.session, "name the files, or the folder: blossom ... out/ --session "+a.session,
				"is of no sample of a finished folder, whose files could be read")
		}
		folder = w.Folder
	default:
		return nil, nil
	}
	p, err := scale.Open(folder)
	if err != nil {
		return nil, err
	}
	if p.Map != "" {
		return nil, problem.New(folder, "give the folder of the map", "has what rows are called, and no map of them")
	}
	if _, err := scale.ReadManifest(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(folder, "finish it first: blossom resume "+folder, "is not finished")
	} else if err != nil {
		return nil, err
	}
	return p, nil
}

// like has flags that nobody has given say what they said of another plan.
func (p *parting) like(of *scale.Plan, f *pflag.FlagSet) {
	if of == nil {
		return
	}
	if shown := f.Lookup("shown"); shown != nil && !shown.Changed {
		p.shown = of.Shown
	}
	if !f.Changed("mixed") {
		p.mixed = of.Mixed
	}
	if shown := f.Lookup("shown"); shown != nil && !f.Changed("part-format") { // then both are of coordinates
		p.format = of.Output
	}
}

// states has the wish be what a session or a file of rules says.
func (a *asking) states(ctx context.Context, o *computing, w *scale.Wish, report run.Report) error {
	if a.rules != "" {
		w.State = func(j *job.Job, ctx context.Context, s *run.Flags) error {
			return j.ForRules(ctx, s, a.rules, a.partial)
		}
		return nil
	}
	if a.session == "" {
		return nil
	}
	opened, err := a.opened(ctx, w.Of, report)
	if err != nil {
		return err
	}
	o.notes(opened.Notes)
	of, err := scale.AskedBy(opened.Doc, opened.Table, a.session, signature())
	if err != nil {
		return err
	}
	of.Map(w.Flags)
	if a.called {
		w.State, err = of.Called(a.partial, func(text string) { o.note("%s", text) })
	}
	return err
}

// opened is the document of the session: with the sample of a finished folder, where one is named, as its data.
func (a *asking) opened(ctx context.Context, of *scale.Plan, report run.Report) (*opening.Opened, error) {
	wanted, chosen := "", ""
	if of != nil && len(a.paths) > 0 {
		s, err := session.Look(a.session)
		if err != nil {
			return nil, err
		}
		wanted, chosen = s.Data.Path, of.Sample()
	}
	o := format.Options{Progress: report.Stage("reading")}
	opened, err := opening.LoadSession(ctx, a.session, wanted, chosen, o, nil)
	if changed := (*opening.Changed)(nil); errors.As(err, &changed) && chosen != "" {
		if opened, err = changed.Open(ctx, nil); err == nil {
			opened.Notes = append(opened.Notes, "the session was made of other data: it is applied to these")
		}
	}
	return opened, err
}
