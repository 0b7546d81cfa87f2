package opening

import (
	"context"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/work"
)

// Wider is the data of a document with the columns of another table beside its own, and the print of that file.
type Wider struct {
	Data   *dataset.Dataset
	Prints fingerprint.Set
}

// Join reads the table at path, which has a row for each row of the data of a document. The error is a Problem, or
// ctx's.
func Join(ctx context.Context, data *dataset.Dataset, taken state.Sampling, path string, o format.Options,
	j *work.Job) (*Wider, error) {
	if session.Is(path) {
		return nil, problem.New(path, "open it by itself", "is a session, not a table of points")
	}
	o.MaxPoints, o.Sample, o.Seed, o.Reading = taken.MaxPoints, taken.How, taken.Seed, dataset.Reading{}
	if j != nil {
		o.Progress = j.Report
	}
	prints, err := printsOf(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	wider, err := source.Join(ctx, data, path, o)
	return &Wider{wider, prints}, err
}

// rejoin joins tables to data again, which was read anew. Those that do not fit any more stay away, and what is wrong
// with them is told.
func rejoin(ctx context.Context, data *dataset.Dataset, tables []dataset.JoinedTable, o format.Options) (
	all *dataset.Dataset, lost []string, err error) {
	for _, t := range tables {
		o.Reading = t.Reading
		wider, err := source.Join(ctx, data, t.Path, o)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			lost = append(lost, filepath.Base(t.Path)+" is joined no more: "+problem.As(err).What)
		default:
			data = wider
		}
	}
	return data, lost, nil
}

// joinedOf are the tables that were joined to the data of a session, where they were found.
func joinedOf(s *session.Session, files []string) (out []dataset.JoinedTable) {
	at := len(files) - len(s.Data.Joined)
	for i, j := range s.Data.Joined {
		t := dataset.JoinedTable{Path: files[at+i]}
		if j.Reading != nil {
			t.Reading = *j.Reading
		}
		out = append(out, t)
	}
	return out
}
