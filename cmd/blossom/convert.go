package main

import (
	"slices"

	"blossom/model/data/format"

	"github.com/spf13/cobra"
)

func convertCommand(a *app) *cobra.Command {
	s := settings()
	asJSON := false
	var clash func(string) error
	c := &cobra.Command{
		Use:   "convert INPUT OUT",
		Short: "Write a table in another format",
		Long: `Reads INPUT and writes it as the extension of OUT says. All columns and raw values, unless asked
otherwise with --columns, --exclude, --transform and --scale.`,
		Example: `  blossom convert sample.fcs sample.csv
  blossom convert sample.fcs --columns CD3,CD4,CD8 --transform asinh:150 markers.npy
  blossom convert big.csv --max-points 100000 --sample random small.npy`,
		Args: args(2, 2),
		RunE: func(c *cobra.Command, paths []string) error {
			if err := s.Check(); err != nil {
				return err
			}
			limitThreads(s.Machine.GPU.Threads)
			if err := clash(paths[1]); err != nil {
				return err
			}
			if err := checkOutput(paths[1], knownTable, s.Files(paths[0])...); err != nil {
				return err
			}
			report, end := a.progress()
			defer end()
			ds, err := s.Input.Read(c.Context(), paths[0], report)
			if err != nil {
				return err
			}
			if ds, err = s.Space.Table(c.Context(), ds); err != nil {
				return err
			}
			if err := a.saveTable(c.Context(), paths[1], ds, report); err != nil {
				return err
			}
			end()
			done := summary{Input: paths[0], Output: paths[1], Points: ds.Points, Total: ds.Total, Seed: s.Input.Seed,
				Notes: slices.Concat(ds.Warnings, format.Lost(paths[1], ds)), Reading: asked(s.Input.Reading)}
			for i := range ds.Columns {
				done.Columns = append(done.Columns, ds.Columns[i].Name)
			}
			return a.finish(asJSON, done)
		},
	}
	inputFlags(c.Flags(), &s)
	threadsFlag(c.Flags(), &s.Machine.GPU.Threads)
	clash = jsonFlag(c, &asJSON)
	return c
}
