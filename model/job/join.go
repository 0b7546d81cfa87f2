package job

import (
	"cmp"
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job/run"
)

// joinTables puts the columns of other tables beside those of the data, row by row. They are not of the map until
// somebody names them. Of a sample the same rows are taken of all.
func (j *Job) joinTables(ctx context.Context, report run.Report) error {
	if len(j.Join) > 0 && len(j.Data) > 1 && j.table.Total > j.table.Points {
		return problem.New(j.Join[0].Path, "take all points, or join it to each file", "a sample of several files "+
			"cannot be joined with another table")
	}
	for i := range j.Join {
		f := &j.Join[i]
		o := f.Reading.options()
		o.MaxPoints, o.Sample, o.Seed = j.sampling()
		o.Progress = report.Stage("reading")
		ds, err := source.Read(ctx, f.Path, o)
		if err != nil {
			return err
		}
		if ds.Total != j.table.Total {
			return problem.New(f.Path, "give a table with a row for each row of "+j.table.Path,
				"it has %s, and %s has %d", problem.Count(ds.Total, "row"), j.table.Path, j.table.Total)
		}
		f.Rows = ds.Total
		f.Reading.found(ds.Found)
		columns := slices.Clone(ds.Columns)
		for k := range columns {
			columns[k].Aside, columns[k].Why = true, cmp.Or(columns[k].Why, "joined")
		}
		j.table = dataset.Beside(j.table, columns...)
		j.table.Warnings = append(slices.Clip(j.table.Warnings), ds.Warnings...)
	}
	return nil
}

// sampling is which rows of the data are taken.
func (j *Job) sampling() (most int, how string, seed uint64) {
	o := j.Data[0].Reading.options()
	return o.MaxPoints, o.Sample, o.Seed
}

// describe is a file that is read as o says, as far as can be said without reading it.
func describe(path string, o format.Options) File {
	f := File{Path: source.Resolve(path), Reading: readingOf(o)}
	if !source.Generated(f.Path) {
		f.Size = sizeOf(f.Path)
	}
	return f
}
