package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/run"
)

// labelling is the command at work.
type labelling struct {
	computing
	n     job.Named
	rules string // a file of rules in the place of a session
	parts parting
}

// labelLong is what the command says of itself.
const labelLong = `Writes what each row of the data is called by the populations of a session, in the order of the
rows: the name of the deepest population that has it, and of several beside each other the first; none for one in no
population.
--all adds a column of 0 and 1 for each population by its name, --coordinates those of the map before it.

--each population writes a file for each of them: LABELS is cells.fcs for "cells_T cells_CD4.fcs", of the rows of that
population, in their order, with their data as they are and their numbers, from 1. --each file is one for each file of
the data. Without an extension they are in the format of the data. All of them take their places together, or none does.

The extension of LABELS says how: .csv, .tsv, .csv.gz, .parquet, .h5ad (names; the column that names the rows of
the data comes first, so that adata.obs.join(pandas.read_csv(LABELS, index_col=0)) works), .fcs, .npy, .npz (numbers
from 1 in the order of the
populations, 0 for none; FCS has names and colours in its keywords, .npz needs --coordinates or --with-data); "-" is CSV
on standard output. Coordinates in FCS are above 0 for programs of cytometry: its keywords say factor and offsets.
--key is a table of the populations: number, path, name, colour and how many points each has.
--gates writes the populations that are gates and limits as Gating-ML 2.0, for other programs: nested as they are, with
the scales and the matrix that they were drawn with; what no gate can say is named.
--rules FILE in the place of --session also takes gates of another program, Gating-ML 2.0 or a workspace of FlowJo 10.
--write-rules writes the populations that other data have too (gates, limits, labels of the file) as JSON, and --rules
FILE in the place of --session applies them to INPUT, compensated with its own matrix where they are of such values.
--counts is a table of how many points each population has in each file of the data, with their parts of all points of
the file and of those of the population above.

INPUT is other data than the session's, with the same columns: gates, points of landmarks and regions of EmbedSOM are
found there; fixed points of the session's data, and regions of its other maps, are an error, or with --partial said and
left without rows. So are populations of a file of rules that cannot be read, which --partial leaves out.

With LABELS/, a folder, each input is a part of its own, with a file of labels; populations.csv says how many of all
rows each population has, counts.csv how many of each file. INPUT may be a finished folder of blossom embed: then all
rows of its files are called by the populations of a session of it. docs/scale.md tells of parts, and of --runner.`

func labelCommand(a *app) *cobra.Command {
	o := &labelling{computing: computing{app: a, s: settings(), from: jobFlags{other: true}}}
	c := &cobra.Command{
		Use:   "label [INPUT] --session SESSION -o LABELS",
		Short: "The populations of a session, for every point",
		Long:  labelLong,
		Example: `  blossom label --session analysis.blossom -o labels.csv --all --coordinates
  blossom label patient7.fcs --session analysis.blossom -o patient7-labels.fcs --with-data --partial
  blossom label --session analysis.blossom -o cells.fcs --each population --key key.csv
  blossom label --session analysis.blossom --counts counts.csv
  blossom label out/ --session named.blossom -o labels/`,
		RunE: o.run,
	}
	f, n := c.Flags(), &o.n
	outputFlag(c, &n.Output, "`LABELS` file: "+strings.Join(format.Extensions(), ", ")+", or - for standard output")
	f.StringVar(&n.Counts, "counts", "", "write how many points each population has to this `file`")
	f.StringVar(&n.Key, "key", "", "write number, path, name, colour and points of each population to this `file`")
	f.StringVar((*string)(&n.Each), "each", "", "a file of each `population` or file of the data")
	f.StringVar(&n.Gates, "gates", "", "write the gates among them to this `file`, as Gating-ML 2.0")
	f.StringVar(&n.Rules, "write-rules", "", "write the populations that other data have too to this `file`")
	f.StringVar(&o.rules, "rules", "", "take the populations from this `file` in the place of a session: rules, "+
		"Gating-ML, a workspace of FlowJo")
	f.StringVar(&n.Sheet, "samples", "",
		"a sheet of the samples, which --counts have beside them: a text table, a column of which names the files")
	columnFlags(f, n)
	f.BoolVar(&n.Partial, "partial", false, "go on where a population cannot be evaluated or read: it has no rows, "+
		"or is left out")
	besideFlags(f, &n.Beside)
	o.computing.flags(c)
	o.parts.labelFlags(f)
	c.Args = o.from.args(append(partFlags, "counts", "samples", "key", "each", "gates", "write-rules", "all",
		"selected", "coordinates", "partial")...)
	computeFlags(f, &o.s.Machine)
	devicesFlag(f, &o.s.Machine.GPU.Device, &o.s.Machine.GPU.Beside)
	return c
}

// columnFlags are further columns beside the labels.
func columnFlags(f *pflag.FlagSet, n *job.Named) {
	f.BoolVar(&n.All, "all", false, "a column of 0 and 1 of each population, too")
	f.BoolVar(&n.Selected, "selected", false, "a column of 0 and 1 of the points that are selected in the session, "+
		"too; then populations need not be there")
	f.BoolVar(&n.Coordinates, "coordinates", false, "the coordinates of the map, too")
}

// run labels points, or prints the job that does.
func (o *labelling) run(c *cobra.Command, inputs []string) error {
	if o.from.session == "" && o.rules == "" {
		return run.Usage{Err: problem.New("",
			"name the session in which they were named: --session FILE, or --rules FILE",
			"there are no populations to look for")}
	}
	if o.parts.wanted(c.Flags(), o.n.Output) && o.n.Each == "" {
		return o.inParts(c, inputs)
	}
	if err := cmp.Or(o.parts.ignored(c.Flags(), inputs), folder(c.Flags(), &o.n.Output)); err != nil {
		return err
	}
	o.n.From, o.n.Session = o.rules, o.from.session
	state := func(j *job.Job, ctx context.Context, s *run.Flags) error {
		return j.ForRules(ctx, s, o.rules, o.n.Partial)
	}
	w, err := o.compute(c.Context(), cmp.Or(o.n.Output, o.n.Counts, o.n.Key, o.n.Gates,
		o.n.Rules), inputs, state, &o.n)
	if w == nil {
		return err
	}
	o.notes(w.Notes)
	if !o.json {
		return nil
	}
	return o.printJSON(ofPopulations(w, &o.n))
}

// inParts labels the rows of many files, each by itself.
func (o *labelling) inParts(c *cobra.Command, inputs []string) error {
	for _, name := range []string{"counts", "samples", "key", "each", "gates", "write-rules", "selected", "with-data",
		"values", "append", "split"} {
		if f := c.Flags().Lookup(name); f != nil && f.Changed {
			return run.Usage{Err: problem.New("", "leave it out, or write one file of labels",
				"--%s does not go with parts: a folder has populations.csv and counts.csv", name)}
		}
	}
	if o.rules != "" && o.from.session != "" {
		return run.Usage{Err: problem.New("", "give one of them", "--rules is in the place of --session")}
	}
	want := o.n
	want.Output = ""
	return o.parts.make(c.Context(), &o.computing, c.Flags(), asking{out: o.n.Output, paths: inputs, want: &want,
		called: true, rules: o.rules, partial: o.n.Partial, session: o.from.session})
}

// labelsDone is what label says of its work with --json.
type labelsDone struct {
	Input       string           `json:"input"`
	Output      string           `json:"output,omitempty"`
	Files       []string         `json:"files,omitempty"` // with --each
	Counts      string           `json:"counts,omitempty"`
	Key         string           `json:"key,omitempty"`
	Gates       string           `json:"gates,omitempty"`
	Points      int              `json:"points"`
	Unassigned  int              `json:"unassigned"`
	Populations []populationDone `json:"populations"`
	Notes       []string         `json:"notes"`
}

// populationDone is a population: all points in it, and those that it gives their label.
type populationDone struct {
	Name     string `json:"name"`
	Parent   string `json:"parent,omitempty"`
	Points   int    `json:"points"`
	Labelled int    `json:"labelled"`
}

func ofPopulations(w *job.Work, n *job.Named) labelsDone {
	out := labelsDone{Input: strings.Join(w.Inputs(), " "), Output: n.Output, Counts: n.Counts, Key: n.Key,
		Gates: n.Gates, Points: len(n.Made.Values), Unassigned: n.Made.None, Notes: append([]string{}, w.Notes...)}
	if n.Each != "" {
		out.Files = n.Files
	}
	for i, p := range n.Tree.All() {
		up, _ := n.Tree.Find(p.Parent)
		out.Populations = append(out.Populations,
			populationDone{p.Name, up.Name, n.Made.Sets[i].Count(), n.Made.Own[i]})
	}
	return out
}
