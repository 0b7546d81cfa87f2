package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// placedFlags are those of a command that places points in a map, of many files in parts.
func (p *parting) placedFlags(f *pflag.FlagSet) {
	p.labelFlags(f)
	p.without = "write parts to a folder: --into REF --map Y -o OUT/, or leave it out"
	f.Lookup("runner").Usage = "with --into: make parts, one of each input, by " + problem.OneOf(scale.Runners()...)
}

// inParts says whether points are placed in parts, and refuses flags of parts where they are not.
func (o *layingOut) inParts(f *pflag.FlagSet) (bool, error) {
	if o.kind.Run.Into == nil {
		return false, nil
	}
	if split := f.Lookup("split"); o.parts.runner != "" || export.IsFolder(o.out) && !split.Changed {
		if o.into == "" {
			return false, run.Usage{Err: problem.New("", "lay a sample out, and place all rows in its map: "+
				"--into SAMPLE --map Y -o OUT/", "a map of all points is made of them together, not in parts")}
		}
		return true, nil
	}
	return false, o.parts.alone(f, "part-format", "part-rows")
}

// placeInParts places the rows of each input in the map of others, as parts of a folder.
func (o *layingOut) placeInParts(ctx context.Context, inputs []string, p *job.Placed) error {
	if o.from.print || o.from.session != "" {
		return run.Usage{Err: problem.New("", "leave them out", "--print-job and --session do not go with parts")}
	}
	reference := o.s
	in := &reference.Input
	in.More, in.Join, in.MaxPoints = nil, nil, 0 // these flags are about the new points
	p.Output, p.Points = "", []job.File{{Path: inputs[0]}}
	return o.parts.planned(ctx, &o.computing, o.out, func(ext string, report run.Report) (*scale.Plan, error) {
		into, err := o.job(ctx, &reference, []string{o.into}, report)
		if err == nil {
			_, err = into.Hash(ctx, report)
		}
		if err == nil {
			err = p.Note(ctx, report)
		}
		if err != nil {
			return nil, err
		}
		asItIs := func(*job.Job, context.Context, *run.Flags) error { return nil }
		return scale.Prepare(ctx, scale.Wish{Flags: &o.s, Want: p, Paths: inputs, Into: into, State: asItIs,
			Folder: filepath.Clean(o.out), Output: ext, Mixed: o.parts.mixed, Most: o.parts.most,
			Program: signature()}, report)
	})
}
