package main

import (
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
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
	f.Lookup("runner").Usage = "make parts, of a folder as INPUT or of pairs of files, by " +
		problem.OneOf(scale.Runners()...)
	f.StringVar(&p.format, "part-format", "npy", "with a folder as INPUT: format of the parts")
	f.IntVar(&p.most, "part-rows", 10_000_000,
		"with --runner and files: rows of a part at most, of which pairs are linked")
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
	return p.planned(c.Context(), o, out, func(ext string, _ run.Report) (*scale.Plan, error) {
		plan, err := scale.Open(folder)
		if err != nil {
			return nil, err
		}
		put, err := encoded(of)
		if err != nil {
			return nil, err
		}
		next, err := plan.Over(of.want, put, ext, filepath.Clean(out), signature())
		if err != nil {
			return nil, err
		}
		return next, next.Write(filepath.Clean(out))
	})
}

// encoded are the parts of a state as jobs have them.
func encoded(of again) (map[string]state.Encoded, error) {
	j := &job.Job{}
	if err := j.PutState(of.state, of.ids...); err != nil {
		return nil, err
	}
	return j.State, nil
}
