package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/work/engine"
	"blossom/render/colour"
	"blossom/render/palette"
)

// computing is a command that makes a job of its flags, or of a session, and executes or prints it.
type computing struct {
	*app
	s    run.Flags
	from jobFlags
	json bool
	keep bool // an interrupt keeps and writes all that is finished by then
	// ranges: there is nothing to be found out of all rows at once first, as most landmarks that are trained here are.
	ranges bool
}

// flags are those of every such command.
func (o *computing) flags(c *cobra.Command) {
	o.from.add(c)
	c.Flags().BoolVar(&o.json, "json", false, "say what was done on standard output, for programs")
}

// stateOf gives a job what the flags of a command mean for its data.
type stateOf func(*job.Job, context.Context, *run.Flags) error

// compute makes a job of the inputs that wants all of wants, and executes or prints it; then there is no work. out is
// the output that has to be named.
func (o *computing) compute(ctx context.Context, out string, inputs []string, state stateOf,
	wants ...job.Want) (*job.Work, error) {
	return o.computed(ctx, out, inputs, func(report run.Report) (*job.Job, error) {
		if !o.from.print {
			engine.Start(o.s.Machine.Engine, o.s.Machine.GPU)
		}
		j, err := o.from.job(ctx, &o.s, inputs, report, state)
		if err == nil {
			j.Want(wants...)
		}
		return j, err
	}, wants...)
}

// computed is compute of a job that make makes.
func (o *computing) computed(ctx context.Context, out string, inputs []string,
	make func(run.Report) (*job.Job, error), wants ...job.Want) (*job.Work, error) {
	if err := o.ready(out, inputs, wants); err != nil {
		return nil, err
	}
	o.s.Input.ByRanges = o.ranges && job.ByRanges(wants...)
	if o.keep {
		unhurried.Store(true) // an interrupt writes the present state first
		defer unhurried.Store(false)
	}
	report, end := o.progress()
	defer end()
	w, err := o.done(ctx, report, make)
	if err != nil && w == nil && o.keep && errors.Is(err, context.Canceled) {
		end()
		o.note("there was no map yet that could be kept: its points were still being prepared")
	}
	return w, err
}

// done executes the job that make makes, or prints it. There is no work where nothing has been written.
func (o *computing) done(ctx context.Context, report run.Report,
	make func(run.Report) (*job.Job, error)) (*job.Work, error) {
	j, err := make(report)
	switch {
	case err != nil:
		return nil, err
	case o.from.print:
		return nil, j.Write(o.out)
	}
	for _, path := range j.Outputs() { // a session names its data itself
		if err := format.SameFile(path, j.Inputs()...); err != nil {
			return nil, err
		}
	}
	w, err := job.Execute(ctx, j, o.options(report))
	if err != nil && w != nil && !w.Unfinished() {
		w = nil
	}
	return w, err
}

// options are what the flags say of the machine.
func (o *computing) options(report run.Report) job.Options {
	return job.Options{Engine: o.s.Machine.GPU, Program: signature(), Report: report, Colour: palette.Ink,
		Shade: palette.Default().At, Labels: colour.OfLabels}
}

// ready says what is wrong before any work is done: with the flags, what is wanted, and where it goes.
func (o *computing) ready(out string, inputs []string, wants []job.Want) error {
	o.s.Input.More = inputs[min(1, len(inputs)):]
	if err := o.s.Check(); err != nil {
		return err
	}
	var written []string
	read := append(o.s.Files(inputs...), o.from.session)
	for _, w := range wants {
		out, in := w.Paths()
		for _, path := range in {
			read = append(read, *path)
		}
		for _, path := range out {
			if *path != "" {
				written = append(written, *path)
			}
		}
	}
	if err := source.Once(read); err != nil {
		return run.Usage{Err: err}
	}
	for _, path := range written {
		if err := format.SameFile(path, read...); err != nil {
			return err
		}
		if st, err := os.Stat(path); err == nil && st.IsDir() && !export.IsFolder(path) {
			return problem.New(path, "give the name of a file", "is a folder")
		}
	}
	for _, w := range wants {
		if err := w.Check(); err != nil {
			return err
		}
	}
	limitThreads(o.s.Machine.GPU.Threads)
	if out == "" {
		return checkOutput(out, nil)
	}
	return o.checkOutputs(written)
}

// checkOutputs refuses outputs that cannot be written, or that are the same. A job that is printed may be for another
// machine.
func (o *computing) checkOutputs(written []string) error {
	var places []string
	for _, path := range written {
		place := whereIs(path)
		if slices.Contains(places, place) && place != os.DevNull {
			return run.Usage{Err: problem.New(path, "give each output a file of its own", "is named twice")}
		}
		places = append(places, place)
		if o.json && place == "-" {
			return clash()
		}
		if o.from.print {
			continue
		}
		if err := checkOutput(path, nil); err != nil {
			return err
		}
	}
	return nil
}

// whereIs is where a file is or would be, however it is spelled.
func whereIs(path string) string {
	if path == "-" {
		return path
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}
