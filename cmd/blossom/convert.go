package main

import (
	"context"

	"github.com/spf13/cobra"

	"blossom/model/job"
	"blossom/model/job/run"
)

func convertCommand(a *app) *cobra.Command {
	o, t := &computing{app: a, s: settings()}, &job.Converted{}
	c := &cobra.Command{
		Use:   "convert INPUT OUT|--session FILE OUT",
		Short: "Write a table in another format",
		Long: `Reads INPUT and writes it as the extension of OUT says. All columns and raw values, unless asked
otherwise with --columns, --exclude, --transform, --scale and --compensation. Compensated columns are called Comp-NAME,
and the matrix is left out, so that nobody compensates them again. With --values map those that are transformed are
called "NAME [asinh:150]".`,
		Example: `  blossom convert sample.fcs sample.csv
  blossom convert sample.fcs --columns CD3,CD4,CD8 --transform asinh:150 markers.npy
  blossom convert sample.fcs --compensation file compensated.fcs
  blossom convert big.csv --max-points 100000 --sample random small.npy`,
		Args: func(c *cobra.Command, paths []string) error {
			if o.from.session == "" {
				return args(2, 2)(c, paths)
			}
			if err := args(1, 1)(c, paths); err != nil {
				return err
			}
			return o.from.args("columns", "exclude", "transform", "scale", "compensation", "values")(c, nil)
		},
		RunE: func(c *cobra.Command, paths []string) error {
			last := len(paths) - 1
			t.Space, t.Output, o.ranges = o.s.Space, paths[last], true
			asIs := func(*job.Job, context.Context, *run.Flags) error { return nil }
			w, err := o.compute(c.Context(), t.Output, paths[:last], asIs, t)
			if w == nil {
				return err
			}
			ds := t.Made
			done := summary{Input: w.Data[0].Path, Output: t.Output, Points: ds.Points, Total: ds.Total, Seed: w.Seed,
				Notes: w.Notes, Reading: asked(o.s.Input.Reading)}
			for i := range ds.Columns {
				done.Columns = append(done.Columns, ds.Columns[i].Name)
			}
			return a.finish(o.json, done)
		},
	}
	o.flags(c)
	inputFlags(c.Flags(), &o.s)
	valuesFlag(c.Flags(), &t.Values, "which `values` of the columns, under names that say so: %s (map: as the window "+
		"would map them; default: as the other flags say)")
	threadsFlag(c.Flags(), &o.s.Machine.GPU.Threads)
	return c
}
