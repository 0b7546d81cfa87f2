package main

import (
	"context"

	"blossom/model/base/step"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/work/embedding"
)

// positions makes those of an embedding that runs, with the values of some of its parameters. rows: the points are in
// the order of the table, else as the window has them.
func (a *app) positions(ctx context.Context, f *jobFlags, s *run.Settings, inputs []string, k *embedding.Kind,
	values step.Values, out string, rows, asJSON bool) error {
	report, end := a.progress()
	defer end()
	j, err := f.job(ctx, s, inputs, report, (*job.Job).ForPoints)
	if err != nil {
		return err
	}
	p, err := j.WantPositions(embedding.Recipe{Kind: k.ID, Dims: max(2, s.Dims)}, values, out)
	if err != nil {
		return err
	}
	p.Rows = rows
	w, err := a.execute(ctx, f, s, j, report)
	if w == nil || err != nil {
		return err
	}
	end()
	done := ofWork(w, out)
	done.Dims, done.Units = p.Of.Dims, p.Units
	return a.finish(asJSON, done)
}
