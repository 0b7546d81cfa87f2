package job

import (
	"context"

	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job/run"
)

// joinTables puts the columns of other tables, and of gates, beside those of the data, row by row. They are not of the
// map until somebody names them. Of a sample the same rows are taken of all.
func (j *Job) joinTables(ctx context.Context, report run.Report) error {
	for i := range j.Join {
		f := &j.Join[i]
		if f.Gates != "" {
			if err := j.gateColumns(ctx, f); err != nil {
				return err
			}
			continue
		}
		o := f.Reading.options()
		o.MaxPoints, o.Sample, o.Seed = j.sampling()
		o.Progress = report.Stage("reading")
		var err error
		if j.table, err = source.Join(ctx, j.table, f.Path, o); err != nil {
			return err
		}
		f.Rows = j.table.Total
		f.Reading.found(j.table.Joined[len(j.table.Joined)-1].Found)
	}
	return nil
}

// Columns that are made of gates: the label of the deepest one, or one of 0 and 1 of each, too.
const (
	gatesLabel = "label"
	gatesAll   = "all"
)

// gatesFile is a file of gates among those that are joined.
func gatesFile(g run.Gates) File {
	f := File{Path: g.Path, Gates: gatesLabel}
	f.look()
	if g.All {
		f.Gates = gatesAll
	}
	return f
}

// gateColumns puts the columns of the gates of another program behind those of the data.
func (j *Job) gateColumns(ctx context.Context, f *File) error {
	g := run.Gates{Path: f.Path, All: f.Gates == gatesAll}
	ds, _, notes, err := g.Beside(ctx, j.table)
	if err != nil {
		return err
	}
	j.table = ds
	j.Note(notes...)
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
	f.look()
	return f
}
