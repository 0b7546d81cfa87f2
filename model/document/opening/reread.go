package opening

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/session"
	"blossom/model/work"
)

// Reread reads the files of a session again, their texts as r says, and keeps what of the session still has its columns
// and rows. Where nothing of its map is left, the map begins anew.
func Reread(ctx context.Context, s *session.Session, files []string, r dataset.Reading, o format.Options,
	j *work.Job) (*Opened, error) {
	if j != nil {
		o.Progress = j.Report
	}
	prints, err := printsOf(ctx, files)
	if err != nil {
		return nil, err
	}
	how := s.Sampling()
	o.MaxPoints, o.Sample, o.Seed, o.Reading = how.MaxPoints, how.How, how.Seed, r
	data, err := source.All(ctx, files, how.Match, o)
	if err != nil {
		return nil, err
	}
	doc, notes, err := s.Adapt(data, data.Name)
	if err != nil { // none of the columns of the map
		out, err := Prepare(ctx, data, s.Seed, j)
		if err == nil {
			out.Doc.Prints, out.Doc.Sampling = prints, how
			out.Notes = []string{"the map begins anew: none of its columns is left"}
		}
		return out, err
	}
	out, err := restored(ctx, s, "", doc, notes, prints, o.Progress)
	if err == nil {
		out.Restored, out.Said = true, data.Name+" was read again"
	}
	return out, err
}
