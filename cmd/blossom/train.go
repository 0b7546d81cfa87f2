package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/job"
)

func trainCommand(a *app) *cobra.Command {
	s := settings()
	var out string
	var from jobFlags
	asJSON := false
	var clash func(string) error
	c := &cobra.Command{
		Use:   "train INPUT... -o LANDMARKS",
		Short: "Train landmarks: a self-organizing map or k-means",
		Long: `Trains landmarks on INPUT and writes them with the names, transforms and scales of the columns, so
that --landmarks brings other data into the same map. The file is JSON.`,
		Example: `  blossom train sample.fcs -o trained.json
  blossom train sample.fcs --som 30x20 --topology hex --epochs 20 --sigma 15:0.5 --alpha 0.1:0.01 -o trained.json
  blossom train points.npy --kmeans 400 -o trained.json`,
		Args: from.args(),
		RunE: func(c *cobra.Command, paths []string) error {
			s.More = paths[min(1, len(paths)):]
			if err := s.Check(); err != nil {
				return err
			}
			limitThreads(s.Threads)
			if err := clash(out); err != nil {
				return err
			}
			if err := from.checkOutput(out, knownLandmarks, s.Files(paths...)...); err != nil {
				return err
			}
			report, end := a.progress()
			defer end()
			var l *job.Landmarks
			w, err := a.compute(c.Context(), &from, &s, paths, report, func(j *job.Job) { l = j.WantLandmarks(out) })
			if w == nil || err != nil {
				return err
			}
			end()
			return a.finish(asJSON, ofMap(w, out, l.Map))
		},
	}
	outputFlag(c, &out, "`LANDMARKS` file (.json) to write, or - for standard output")
	from.add(c)
	inputFlags(c.Flags(), &s)
	trainingFlags(c.Flags(), &s)
	dimsFlag(c.Flags(), &s)
	engineFlags(c.Flags(), &s)
	clash = jsonFlag(c, &asJSON)
	return c
}

// knownLandmarks refuses names that would make others take the landmarks for a table.
func knownLandmarks(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".json" && ext != "" && ext != ".landmarks" {
		return problem.New(path, "use a name that ends in .json", "landmarks are written as JSON, not as %s", ext)
	}
	return nil
}
