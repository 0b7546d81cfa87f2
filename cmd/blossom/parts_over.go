package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// partFlags are those of a command that makes parts of the files of a finished folder, and else one file.
func (p *parting) partFlags(f *pflag.FlagSet) {
	p.runnerFlags(f)
	p.without = "give a folder that blossom embed -o FOLDER/ has made as INPUT, or leave it out"
	f.Lookup("runner").Usage = "with a folder as INPUT: make parts by " + problem.OneOf(scale.Runners()...)
	f.StringVar(&p.format, "part-format", "npy", "with a folder as INPUT: format of the parts")
}

// again is what is wanted of the files of a finished folder, with the parts of a state of these IDs.
type again struct {
	want  job.Want
	state state.State
	ids   []string
}

// over makes something else of the files of a finished folder, in parts in the folder out.
func (p *parting) over(c *cobra.Command, o *computing, folder, out string, of again) error {
	switch {
	case o.from.session != "" || o.from.print:
		return run.Usage{Err: problem.New("", "give a file as INPUT, or leave them out",
			"--session and --print-job do not go with parts")}
	case o.s.Origin.Landmarks != "":
		return run.Usage{Err: problem.New(folder, "leave --landmarks out", "has landmarks of its own")}
	case !export.IsFolder(out):
		return run.Usage{Err: problem.New(out, "name a folder: -o labels/", "parts are written to a folder")}
	}
	ext := "." + strings.TrimPrefix(p.format, ".")
	if err := format.Writable("x" + ext); err != nil {
		return run.Usage{Err: err}
	}
	limitThreads(o.s.Machine.GPU.Threads)
	report, end := o.progress()
	defer end()
	options, err := p.options(o.app, o.options(report))
	if err != nil {
		return err
	}
	if _, _, err := p.checked(options); err != nil {
		return err
	}
	if err := checkFolder(out); err != nil {
		return err
	}
	plan, err := scale.Open(folder)
	if err != nil {
		return err
	}
	put, err := encoded(of)
	if err != nil {
		return err
	}
	out = filepath.Clean(out)
	next, err := plan.Over(of.want, put, ext, out, signature())
	if err == nil {
		err = next.Write(out)
	}
	if err != nil {
		return err
	}
	m, err := p.run(c.Context(), next, options, report)
	end()
	if err != nil || m == nil || !o.json {
		return err
	}
	return o.printJSON(m)
}

// encoded are the parts of a state as jobs have them.
func encoded(of again) (map[string]state.Encoded, error) {
	j := &job.Job{}
	if err := j.PutState(of.state, of.ids...); err != nil {
		return nil, err
	}
	return j.State, nil
}
