package main

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/maps/quality"
	"blossom/model/work/embedding"
)

func tsneCommand(a *app) *cobra.Command {
	s, t := settings(), run.DefaultTSNE()
	var out string
	var from jobFlags
	asJSON := false
	var clash func(string) error
	c := &cobra.Command{
		Use:   "tsne INPUT... -o OUT",
		Short: "Lay all points out by t-SNE, or place new ones in such a map",
		Long: `Lays all points of INPUT out by t-SNE and writes their coordinates, a row for each row of INPUT, as
the extension of OUT says: .npy (n x dims float32), .csv, .tsv (header tsne1,tsne2); "-" is CSV on standard output.
Points with a missing or infinite value in a column of the map have no coordinates (NaN).

Neighbours are exact while comparing all pairs is affordable; else groups of near points are looked through, and the
share of neighbours that is found is measured at 1,000 points and told. The same input, seed, engine and variant give
the same bytes, whatever the number of threads.

With --into REF --map Y new points are placed in a map that stays as it is: INPUT has the new points, REF those of the
map, Y their positions. Each is placed for itself: some of them come to the same places as among all.

With --at Y nothing moves: OUT has for each point the forces at the positions in Y, 2 x dims columns, first attraction
A_i = sum_j p_ij w_ij r, then repulsion R_i = sum_j w_ij^2 r, which is not divided by Z (--json tells Z), where
r = y_i - y_j and w = 1/(1 + |r|^2).`,
		Example: `  blossom tsne sample.fcs -o map.csv
  blossom tsne points.npy --scale=none --perplexity 50 --units 750 --seed 1 --json -o map.npy
  blossom tsne points.npy --dims 3 --accuracy fine -o map3.npy
  blossom tsne points.npy --start map.npy --start-as keep --units 500 -o refined.npy
  blossom tsne new.npy --into points.npy --map map.npy -o placed.npy
  blossom tsne points.npy --at map.npy --json -o forces.npy`,
		RunE: func(c *cobra.Command, paths []string) error {
			s.More = paths[min(1, len(paths)):]
			t.Measure = asJSON
			if err := heeded(c.Flags(), &s, &t); err != nil {
				return err
			}
			if err := t.Check(&s); err != nil {
				return err
			}
			if err := idle(c.Flags(), &t); err != nil {
				return err
			}
			limitThreads(s.Threads)
			if err := clash(out); err != nil {
				return err
			}
			if err := from.checkOutput(out, knownTable, append(s.Files(paths...), t.Files()...)...); err != nil {
				return err
			}
			if from.print || from.session != "" {
				return a.tsneJob(c.Context(), &from, &s, &t, paths, out, asJSON)
			}
			if t.Keep {
				unhurried.Store(true) // what there is is written first
				defer unhurried.Store(false)
			}
			report, end := a.progress()
			defer end()
			m, stopped := t.Run(c.Context(), &s, paths[0], report)
			if m == nil {
				if t.Keep && errors.Is(stopped, context.Canceled) {
					end()
					a.note("there was no map yet that could be kept: its points were still being prepared")
				}
				return stopped
			}
			ctx := context.WithoutCancel(c.Context())
			if stopped == nil {
				ctx = c.Context()
			}
			ds, err := m.Table(ctx)
			if err != nil {
				return err
			}
			if err := a.saveTable(ctx, out, ds, report); err != nil {
				return err
			}
			end()
			if err := a.finishTSNE(asJSON, paths[0], out, &s, m); err != nil {
				return err
			}
			return stopped
		},
	}
	outputFlag(c, &out, "`OUT` file: .npy, .csv, .tsv, or - for standard output")
	tsneFlags(c.Flags(), &s, &t)
	from.add(c)
	c.Args = from.args("dims")
	inputFlags(c.Flags(), &s)
	engineFlags(c.Flags(), &s)
	clash = jsonFlag(c, &asJSON)
	return c
}

// heeded heeds whether flags were given at all whose default is not a value.
func heeded(f *pflag.FlagSet, s *run.Settings, t *run.TSNE) error {
	switch {
	case !f.Changed("theta"):
		t.Theta = math.Inf(1)
	case math.IsInf(t.Theta, 0):
		return run.Usage{Err: problem.New("", "use a number from 0 to 10", "--theta %g is not possible", t.Theta)}
	}
	if f.Changed("dims") && s.Dims == 0 {
		return run.Usage{Err: problem.New("", "use --dims 2 or --dims 3", "a map cannot have 0 dimensions")}
	}
	return nil
}

// tsneJob lays the points of a session out, or prints the job of a command line.
func (a *app) tsneJob(ctx context.Context, f *jobFlags, s *run.Settings, t *run.TSNE, inputs []string, out string,
	asJSON bool) error {
	if f.session != "" {
		return a.positions(ctx, f, s, inputs, embedding.ByID("tsne"), nil, out, false, asJSON)
	}
	if t.Into != "" || t.Keep {
		return run.Usage{Err: problem.New("", "leave --print-job out", "--into and --keep cannot be said in a job")}
	}
	report, end := a.progress()
	defer end()
	j, err := f.job(ctx, s, inputs, report, (*job.Job).ForPoints)
	if err != nil {
		return err
	}
	j.Want(job.WantTSNE(*t, s.Dims, out))
	_, err = a.execute(ctx, f, s, j, report)
	return err
}

// idle refuses flags that would say nothing where new points are placed, forces evaluated or a map refined.
func idle(f *pflag.FlagSet, t *run.TSNE) error {
	nothing, why := []string{}, ""
	switch {
	case t.Into != "":
		nothing, why = []string{"dims", "start", "start-as", "units", "exaggeration", "eta", "perplexity", "repulsion",
			"theta", "accuracy", "keep"}, "new points are placed as the map has it: --into"
	case t.At != "":
		nothing, why = []string{"start", "start-as", "units", "exaggeration", "eta", "keep"}, "nothing moves with --at"
	case t.StartAs == "keep":
		nothing, why = []string{"exaggeration"}, "a map that keeps its size is not exaggerated: --start-as keep"
	}
	for _, name := range nothing {
		if f.Changed(name) {
			return run.Usage{Err: problem.New("", "leave it out", "--%s says nothing here: %s", name, why)}
		}
	}
	return nil
}

// tsneFlags say how the map is made.
func tsneFlags(f *pflag.FlagSet, s *run.Settings, t *run.TSNE) {
	f.Float64Var(&t.Perplexity, "perplexity", t.Perplexity, "how many neighbours a point stays near to: `U`, 1 or more")
	f.IntVar(&s.Dims, "dims", 0, "dimensions of the map, `2 or 3` (default 2)")
	f.IntVar(&t.Total, "units", t.Total, "`N` steps in all; 0: until the map rests")
	f.Float64Var(&t.Exaggeration, "exaggeration", t.Exaggeration,
		"how many times as strong attraction is in the first 250 units")
	f.Float64Var(&t.Eta, "eta", t.Eta, "learning rate; 0: points over exaggeration (scikit-learn's is a quarter of it)")
	f.Float64Var(&t.Theta, "theta", 0, "how coarse the tree is, 0 or more (default 0.5, in 3D 0.8)")
	f.StringVar(&t.Accuracy, "accuracy", t.Accuracy, "how fine the lattice of the field is: `fast, normal or fine`")
	f.StringVar((*string)(&t.Method), "repulsion", string(t.Method),
		"`auto, exact, tree, field`, or sww1 to sww4 and ptg, published kernels, where an engine has them")
	f.StringVar(&t.Start, "start", t.Start, "where points begin: `pca`, random, embedsom, or a file of positions")
	f.StringVar(&t.StartAs, "start-as", t.StartAs, "`fresh`: small; keep: at its own size, without exaggeration")
	f.StringVar(&t.Neighbours, "neighbours", t.Neighbours, "`auto`, or exact whatever it takes")
	f.StringVar(&t.At, "at", "", "write the forces at the positions in the file `Y`")
	f.StringVar(&t.Into, "into", "", "place INPUT in the map of the points in `REF`")
	f.StringVar(&t.Map, "map", "", "whose positions are in the file `Y`")
	f.BoolVar(&t.Keep, "keep", false, "on Ctrl-C write the map as far as it has come")
}

// tsneSummary is what the command says of its work with --json.
type tsneSummary struct {
	summary
	KL              number            `json:"kl"`
	Z               number            `json:"z"`
	RNX             number            `json:"r_nx"`
	RNXError        number            `json:"r_nx_error"`
	K               *int              `json:"r_nx_k"`
	Queries         *int              `json:"r_nx_points"`
	Trustworthiness number            `json:"trustworthiness"`
	TrustedK        *int              `json:"trustworthiness_k"` // of continuity too
	Continuity      number            `json:"continuity"`
	Units           *int              `json:"units"`
	Method          string            `json:"method"`
	Perplexity      number            `json:"perplexity"`
	Recall          float64           `json:"recall"`
	Interrupted     bool              `json:"interrupted,omitempty"`
	Stages          map[string]number `json:"seconds_by_stage"`
}

// finishTSNE tells the user what there is to know.
func (a *app) finishTSNE(asJSON bool, input, output string, s *run.Settings, m *run.TSNEMap) error {
	notes := withFormat(output, m.Notes)
	if !asJSON {
		a.notes(notes)
		return nil
	}
	p := m.Points
	out := tsneSummary{KL: number(m.KL), Z: number(m.Z), RNX: number(math.NaN()), RNXError: number(math.NaN()),
		Trustworthiness: number(math.NaN()), Continuity: number(math.NaN()), Method: m.Method,
		Perplexity: number(m.Perplexity), Recall: m.Recall, Interrupted: m.Interrupted, Stages: map[string]number{}}
	out.summary = summary{Input: input, Output: output, Points: p.Data.Points, Total: p.Data.Total,
		Invalid: p.Table.Invalid, Dims: m.Dims, Engine: m.Engine, Variant: m.Variant, Device: m.Device, Seed: s.Seed,
		Notes: append([]string{}, notes...), Reading: asked(p.Data.Reading)}
	out.summary.of(p)
	if len(s.More) > 0 {
		out.Inputs = append([]string{input}, s.More...)
	}
	if !m.Placed && m.Forces == nil { // else nothing moved by units
		out.Units = &m.Units
	}
	if q := m.Quality; q != nil && q.Queries > 0 {
		trusted := quality.Trusted
		out.RNX, out.RNXError, out.K, out.Queries = number(q.RNX), number(q.Error), &q.K, &q.Queries
		out.TrustedK = &trusted
		out.Trustworthiness, out.Continuity = number(q.Trustworthiness), number(q.Continuity)
	}
	for _, stage := range m.Stages {
		out.Stages[strings.ReplaceAll(stage.Name, " ", "_")] += number(stage.Seconds)
	}
	out.Seconds = time.Since(a.started).Seconds()
	return a.printJSON(out)
}
