package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// trainFlags are those of a training whose epochs are made in parts.
func (p *parting) trainFlags(f *pflag.FlagSet) {
	p.runnerFlags(f)
	p.without = "say who makes parts: --runner local, or leave it out"
	f.Lookup("runner").Usage = "make each epoch in parts, one of each input, by " + problem.OneOf(scale.Runners()...)
	_ = f.MarkHidden("skip-bad") // landmarks of some files are others
	f.BoolVar(&p.mixed, "mixed", false,
		"machines may have another architecture or blossom, which may transform columns otherwise in the last digit")
}

// alone refuses flags of parts where nothing is made in parts, which would do nothing: these, and more.
func (p *parting) alone(f *pflag.FlagSet, more ...string) error {
	for _, name := range append(more, "stall", "runner-args", "slurm-args", "no-wait", "skip-bad", "mixed") {
		if flag := f.Lookup(name); flag != nil && flag.Changed {
			return run.Usage{Err: problem.New("", p.without, "--%s is of parts, and nothing is made in parts", name)}
		}
	}
	return nil
}

// train trains landmarks, each epoch of which is made in parts: the same to the last bit as without a runner.
func (p *parting) train(ctx context.Context, o *computing, l *job.Landmarks, paths []string) (*job.Work, error) {
	switch {
	case o.from.session != "" || o.from.print:
		return nil, run.Usage{Err: problem.New("", "leave --runner out, or them",
			"--session and --print-job do not go with parts")}
	case p.skip:
		return nil, run.Usage{Err: problem.New("", "leave it out, and name the files that are sound",
			"--skip-bad would train on some files alone")}
	case l.Output == "" || l.Output == "-" || export.IsFolder(l.Output):
		return nil, run.Usage{Err: problem.New("", "name a file: -o map.json", "landmarks are written to a file")}
	}
	options, err := p.options(o.app, o.options(nil))
	if err != nil {
		return nil, err
	}
	r, _, err := p.checked(options)
	if err != nil {
		return nil, err
	}
	paths, err = scale.Files(ctx, paths)
	if err != nil {
		return nil, err
	}
	report, end := o.progress()
	defer end()
	t := &scale.Training{Wish: scale.Wish{Flags: &o.s, Paths: paths, Folder: l.Output + ".parts", Mixed: p.mixed,
		Program: signature()}, Report: report}
	t.Make = func(ctx context.Context, plan *scale.Plan, epoch, of int, stage string) error {
		if of > 0 {
			stage = fmt.Sprintf("epoch %d of %d", epoch+1, of)
		}
		options.Progress = func(done, total int64) {
			if report != nil {
				report(stage, done, total)
			}
		}
		return p.epoch(ctx, plan, r, stage, options)
	}
	if err := t.Check(); err != nil {
		return nil, err
	}
	l.Epochs, l.Deviations, l.Counted = t.Epochs, t.Deviations, t.Counted
	var w *job.Work
	if err = t.Survey(ctx); err == nil {
		w, err = o.compute(ctx, l.Output, paths, (*job.Job).ForMap, l)
	}
	if errors.Is(err, scale.ErrLater) {
		return nil, nil
	}
	if err == nil {
		t.Remove()
	}
	return w, err
}

// epoch makes the plan of one, which stage names.
func (p *parting) epoch(ctx context.Context, plan *scale.Plan, r scale.Runner, stage string, o *scale.Options) error {
	todo, err := plan.Missing(ctx, true, nil)
	if err != nil {
		return err
	}
	if len(todo) == 0 {
		_, err = plan.Finish(ctx, false, nil)
		return err
	}
	if r.Later {
		o.Say("# %s. When it is done, give the same command again for the next one.", stage)
	}
	m, err := p.run(ctx, plan, o, nil)
	if err == nil && m == nil {
		err = scale.ErrLater
	}
	return err
}
