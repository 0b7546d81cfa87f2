package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// jobFlags are those of every command that computes: where its job comes from if not from other flags, and that it is
// only to be printed.
type jobFlags struct {
	session     string
	print, hash bool
	folder      bool // the session is the map of a finished folder of parts that was named as INPUT
	other       bool // a session goes with data that it was not made of, which is said
	// past takes the document of the session, with its history, for what is of that; nil: nothing is.
	past func(*job.Job, *state.Document) error
}

func (f *jobFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.session, "session", "", "take everything from a session or recipe `FILE`, as its window shows it")
	fs.BoolVar(&f.print, "print-job", false, "print what would be computed, as a job for blossom job, and do no more")
	fs.BoolVar(&f.hash, "hash", false, "with --print-job: know the data again by all of its content (SHA-256)")
}

// besideSession are the flags that go with --session in every command: all else is in the session.
var besideSession = []string{"session", "output", "json", "quiet", "engine", "variant", "threads", "device",
	"knn", "projection", "print-job", "hash", "with-data", "values", "append", "split"}

// args checks the number of inputs, and which flags go with --session: those of every command, and own.
func (of *jobFlags) args(own ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, inputs []string) (err error) {
		if of.session == "" {
			return args(1, -1)(c, inputs)
		}
		if len(inputs) > 1 {
			return run.Usage{Err: problem.New("", "give the session alone, or with one file that is its data",
				"%d inputs are too many with --session", len(inputs))}
		}
		c.Flags().Visit(func(f *pflag.Flag) {
			if err == nil && !slices.Contains(besideSession, f.Name) && !slices.Contains(own, f.Name) {
				err = run.Usage{Err: problem.New("", "leave it out: the session says it",
					"--%s does not go with --session", f.Name)}
				if of.folder {
					err = run.Usage{Err: problem.New(of.session, "leave it out, or name the table of its sample: "+
						scale.SampleIn(filepath.Dir(of.session)), "the folder has its map, with which --%s does not go",
						f.Name)}
				}
			}
		})
		return err
	}
}

// named are the inputs without a finished folder of parts that is the only one: its map is noted as the session.
func (f *jobFlags) named(inputs []string) []string {
	if len(inputs) != 1 || f.session != "" && !f.folder {
		return inputs
	}
	shown := scale.Shown(inputs[0])
	if shown == inputs[0] {
		return inputs
	}
	f.session, f.folder = shown, true
	return nil
}

// job makes the job of a command line, which wants nothing but the landmarks that it needs. told gives it the state
// that the flags mean.
func (f *jobFlags) job(ctx context.Context, s *run.Flags, inputs []string, report run.Report,
	told stateOf) (*job.Job, error) {
	if f.session == "" {
		j, err := job.Open(ctx, s, inputs, f.hash, report)
		if err != nil {
			return nil, err
		}
		return j, told(j, ctx, s)
	}
	wanted, input, o := "", "", format.Options{Progress: report.Stage("reading")}
	if len(inputs) > 0 {
		s, err := session.Look(f.session)
		if err != nil {
			return nil, err
		}
		if s.Data.Subset != nil {
			return nil, problem.New(f.session, "leave INPUT out, or take the session of the whole data",
				"is of the points of %s alone, which other data do not have", s.Data.Subset.Name)
		}
		wanted, input = s.Data.Path, inputs[0]
	}
	opened, err := opening.LoadSession(ctx, f.session, wanted, input, o, nil)
	others := false
	if changed := (*opening.Changed)(nil); f.other && errors.As(err, &changed) {
		if opened, err = changed.Open(ctx, nil); err == nil {
			others = true
			opened.Notes = append(opened.Notes, "the session was made of other data: its rules are applied to these")
		}
	}
	if err != nil {
		return nil, err
	}
	doc, notes := opened.Doc, opened.Notes
	opened = nil // its table, in the order of a window, is needed no more
	j, err := job.OfDocument(ctx, doc)
	if err == nil {
		j.Engine = job.EngineOf(&s.Machine)
		j.Note(notes...)
	}
	if err == nil && others {
		j.OfOther()
	}
	if err == nil && f.past != nil {
		err = f.past(j, doc)
	}
	return j, err
}

// executing is the command job at work.
type executing struct {
	computing
	changed bool
	from    string   // a picture whose job is printed
	data    []string // in the place of what the job names
}

func jobCommand(a *app) *cobra.Command {
	o := &executing{computing: computing{app: a, s: settings()}}
	c := &cobra.Command{
		Use:   "job FILE|--from PICTURE",
		Short: "Compute what a job says, that --print-job has printed",
		Long: `Computes what the job in FILE says and writes what it wants, the same bytes as the command that printed
it, on the same engine and variant. "-" is a job on standard input.

A job is JSON: the data and how it is read, the state (transform, landmarks, parameters: parts of a session), and what
is wanted. Relative paths in it are of the folder of FILE, of the working folder with "-". Data of another size, number
of rows or hash than the job says is refused.

Pictures carry the job that made them, with names and hashes of the data in the place of paths. --from prints it.`,
		Example: `  blossom embed sample.fcs -o map.csv --print-job > map.json && blossom job map.json
  blossom embed --session s.blossom -o map.csv --print-job | ssh far blossom job -
  blossom job --from figure.png --data ~/data/sample.fcs > figure.json`,
		Args: func(c *cobra.Command, paths []string) error {
			if o.from != "" {
				return args(0, 0)(c, paths)
			}
			return args(1, 1)(c, paths)
		},
		RunE: o.run,
	}
	fs := c.Flags()
	fs.BoolVar(&o.changed, "changed", false, "take the data as it is, if it is not what the job was made of")
	fs.StringVar(&o.from, "from", "", "print the job that a picture (`PNG`, SVG, PDF) carries, and do no more")
	fs.StringArrayVar(&o.data, "data", nil,
		"take this `FILE` in the place of the one that the job names; for several files once each, in their order")
	engineFlags(fs, &o.s.Machine)
	return c
}

// run computes a job, or prints the one that a picture carries.
func (o *executing) run(c *cobra.Command, paths []string) error {
	if o.from != "" {
		return printCarried(c, o.from, o.data)
	}
	if err := o.s.Machine.Check(); err != nil {
		return err
	}
	limitThreads(o.s.Machine.GPU.Threads)
	j, err := readJob(c.InOrStdin(), paths[0])
	if err == nil && len(o.data) > 0 {
		err = j.Instead(o.data)
	}
	if err != nil {
		return err
	}
	for _, out := range j.Outputs() {
		if err := checkOutput(out, nil, append(j.Inputs(), paths[0])...); err != nil {
			return err
		}
	}
	if c.Flags().Changed("engine") || c.Flags().Changed("variant") {
		j.Engine = job.EngineOf(&o.s.Machine)
	}
	report, end := o.app.progress()
	defer end()
	options := o.options(report)
	options.Changed = o.changed
	w, err := job.Execute(c.Context(), j, options)
	end()
	if w != nil {
		o.app.notes(w.Notes)
	}
	return err
}

// printCarried prints the job that a picture carries.
func printCarried(c *cobra.Command, path string, data []string) error {
	j, _, err := job.Carrier(c.Context(), path)
	if err == nil && len(data) > 0 {
		err = j.Instead(data)
	}
	if err != nil {
		return err
	}
	return j.Write(c.OutOrStdout())
}

// readJob reads a job, whose paths are of its folder.
func readJob(stdin io.Reader, path string) (*job.Job, error) {
	if path == "-" {
		j, err := job.Read(stdin, "standard input")
		if err == nil && slices.Contains(j.Inputs(), source.Standard) {
			err = run.Usage{Err: problem.New("standard input", "save the job as a file, and give its name",
				"the job and its data cannot both come from it")}
		}
		return j, err
	}
	if err := format.CheckInput(path); err != nil {
		return nil, err
	}
	f, err := plain.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	j, err := job.Read(f, path)
	if err == nil {
		j.In(filepath.Dir(path))
	}
	return j, err
}
