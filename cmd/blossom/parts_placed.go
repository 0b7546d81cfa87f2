package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// placedFlags are those of a command that places points in a map, of many files in parts.
func (p *parting) placedFlags(f *pflag.FlagSet) {
	p.labelFlags(f)
	p.without = "write parts to a folder: -o OUT/, or leave it out"
	f.IntVar(&p.shown, "shown", scale.LayoutSample, "with OUT/: rows of the sample that is laid out, in whose map all "+
		"rows are placed; blossom OUT/ shows it in the window")
}

// inParts says whether points are placed in parts, and refuses flags of parts where they are not.
func (o *layingOut) inParts(f *pflag.FlagSet) (bool, error) {
	if o.kind.Run.Into == nil {
		return false, nil
	}
	if split := f.Lookup("split"); o.parts.runner != "" || export.IsFolder(o.out) && !split.Changed {
		return true, o.idleInParts(f)
	}
	return false, o.parts.alone(f, "part-format", "part-rows", "shown")
}

// idleInParts refuses flags that say nothing where rows are placed in parts.
func (o *layingOut) idleInParts(f *pflag.FlagSet) error {
	if o.into != "" {
		return idleFlags(f, "all rows are placed in the map that is given: --into", "shown")
	}
	of := []string{"at", "keep"}
	for _, t := range o.kind.Run.Tables {
		of = append(of, t.ID)
	}
	if err := idleFlags(f, "a sample is laid out, and all rows are placed in its map: -o "+o.out, of...); err != nil {
		return err
	}
	want, _ := o.want()
	if _, read := want.Paths(); *read[0] != "" { // the file of positions that a map begins with
		return run.Usage{Err: problem.New("", "name a way to start, or leave --start out",
			"the sample has no positions yet that it could start from: --start %s", *read[0])}
	}
	return nil
}

// placeInParts places the rows of each input in the map of others, as parts of a folder, or in that of a sample of all
// rows, which is made first.
func (o *layingOut) placeInParts(ctx context.Context, inputs []string) error {
	if o.from.print || o.from.session != "" {
		return run.Usage{Err: problem.New("", "leave them out", "--print-job and --session do not go with parts")}
	}
	if err := o.s.Check(); err != nil {
		return err
	}
	want, _ := o.want()
	p, placed := want.(*job.Placed)
	if !placed {
		lays, _ := job.LayingOf(want)
		p = &job.Placed{Of: lays.Recipe, Compensation: o.s.Space.Compensation, Beside: o.beside}
		written, _ := want.Paths()
		*written[0] = scale.LaidMap
		if err := want.Check(); err != nil {
			return err
		}
	}
	p.Output, p.Points = "", []job.File{{Path: inputs[0]}}
	return o.parts.planned(ctx, &o.computing, o.out, func(ext string, report run.Report) (*scale.Plan, error) {
		folder := filepath.Clean(o.out)
		w := scale.Wish{Flags: &o.s, Want: p, Paths: inputs, Folder: folder, Output: ext, Mixed: o.parts.mixed,
			Most: o.parts.most, Program: signature(),
			// new points are as those of the map
			State: func(*job.Job, context.Context, *run.Flags) error { return nil }}
		var err error
		if placed {
			w.Into, err = o.reference(ctx, p, report)
		} else {
			w.Layout, w.Shown = want, o.parts.shown
			w.Into, err = o.sampled(ctx, p, inputs, report)
		}
		if err != nil {
			return nil, err
		}
		return scale.Prepare(ctx, w, report)
	})
}

// reference is the job of the points whose map is given.
func (o *layingOut) reference(ctx context.Context, p *job.Placed, report run.Report) (*job.Job, error) {
	s := o.s
	in := &s.Input
	in.More, in.Join, in.MaxPoints = nil, nil, 0 // these flags are about the new points
	into, err := o.job(ctx, &s, []string{o.into}, report)
	if err == nil {
		_, err = into.Hash(ctx, report)
	}
	if err == nil {
		err = p.Note(ctx, report)
	}
	return into, err
}

// sampled is the job of a sample of the inputs that there is not yet, by what the first of these is.
func (o *layingOut) sampled(ctx context.Context, p *job.Placed, inputs []string, report run.Report) (*job.Job, error) {
	files, err := scale.Files(ctx, inputs)
	if err != nil {
		return nil, err
	}
	s := o.s
	s.Input.More, s.Input.MaxPoints, s.Input.Sample = nil, 1, dataset.SampleFirst // its columns are looked at
	into, err := o.job(ctx, &s, files[:1], report)
	if err != nil {
		return nil, err
	}
	sample, positions := scale.LaidIn(filepath.Clean(o.out))
	into.Data, p.Map = []job.File{{Path: sample}}, positions
	return into, nil
}
