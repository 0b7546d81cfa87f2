package opening

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/panel"
	"blossom/model/document/state"
	"blossom/model/work"
)

// ReadColumn reads a column that the file of data has and the data have not, for its rows, and returns data with it
// after their own columns, all as p says. Read again they have it, too. The error is a Problem, or ctx's.
func ReadColumn(ctx context.Context, data *dataset.Dataset, taken state.Sampling, p panel.Panel, name string,
	o format.Options, j *work.Job) (*dataset.Dataset, error) {
	at := slices.IndexFunc(data.Unread, func(u dataset.Unread) bool { return u.Name == name })
	if at < 0 || data.Path == "" {
		return nil, problem.New(data.Path, "choose another column", "there is no column %q in the file", name)
	}
	o.MaxPoints, o.Sample, o.Seed, o.Reading = taken.MaxPoints, taken.How, taken.Seed, data.Reading
	o.Reading.Genes = append(slices.Clip(o.Reading.Genes), name)
	if j != nil {
		o.Progress = j.Report
	}
	again, err := format.Open(ctx, data.Path, o)
	if err != nil {
		return nil, err
	}
	rows := data.Points
	if s := data.Subset; s != nil {
		if rows = s.Points; again.Points == rows {
			if again, err = dataset.Take(ctx, again, s.Rows); err != nil {
				return nil, err
			}
			rows = len(s.Rows)
		}
	}
	k, there := again.Places()[name]
	if !there || again.Points != rows {
		return nil, problem.New(data.Path, "open it again", "is another file now: it has %s, and had %d",
			problem.Count(again.Points, "row"), rows)
	}
	out := p.On(dataset.Beside(data, again.Columns[k]))
	out.Reading, out.Unread = again.Reading, slices.Delete(slices.Clone(data.Unread), at, at+1)
	return out, nil
}
