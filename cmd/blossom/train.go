package main

import (
	"github.com/spf13/cobra"

	"blossom/model/job"
)

func trainCommand(a *app) *cobra.Command {
	o, l, parts := &computing{app: a, s: settings()}, &job.Landmarks{}, &parting{}
	s := &o.s
	c := &cobra.Command{
		Use:   "train INPUT... -o LANDMARKS",
		Short: "Train landmarks: a self-organizing map or k-means",
		Long: `Trains landmarks on INPUT and writes them with the names, transforms and scales of the columns, so
that --landmarks brings other data into the same map. The file is JSON.

With --runner and --algorithm som-batch or lloyd (k-means) each epoch is made in parts, one of each INPUT, on this
machine or on a cluster: the landmarks are the same to the last bit, see docs/scale.md. What was made lies in
LANDMARKS.parts/ until all is done; the same command, given again, goes on there.`,
		Example: `  blossom train sample.fcs -o trained.json
  blossom train sample.fcs --som 30x20 --topology hex --epochs 20 --sigma 15:0.5 --alpha 0.1:0.01 -o trained.json
  blossom train points.npy --kmeans 400 -o trained.json
  blossom train 'data/*.npy' --som 20x20 --algorithm som-batch -o trained.json --runner slurm`,
		Args: o.from.args("layout"),
		RunE: func(c *cobra.Command, paths []string) error {
			l.Layout = s.Origin.LaidOut() // landmarks of a session are laid out by this; else the job has it
			o.ranges = s.Origin.ByPasses()
			compute := func() (*job.Work, error) {
				return o.compute(c.Context(), l.Output, paths, (*job.Job).ForMap, l)
			}
			if parts.runner != "" {
				compute = func() (*job.Work, error) { return parts.train(c.Context(), o, l, paths) }
			} else if err := parts.alone(c.Flags()); err != nil {
				return err
			}
			w, err := compute()
			if w == nil {
				return err
			}
			return a.finish(o.json, ofMap(w, l.Output, l.Map))
		},
	}
	outputFlag(c, &l.Output, "`LANDMARKS` file (.json) to write, or - for standard output")
	o.flags(c)
	inputFlags(c.Flags(), s)
	trainingFlags(c.Flags(), &s.Origin)
	dimsFlag(c.Flags(), &s.Origin)
	parts.trainFlags(c.Flags())
	engineFlags(c.Flags(), &s.Machine)
	return c
}
