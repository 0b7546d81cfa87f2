package opening

import (
	"context"
	"slices"

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
	f := found{files: slices.Clone(files)}
	for _, j := range s.Data.Joined {
		f.files = append(f.files, j.Path)
	}
	var err error
	if f.prints, err = printsOf(ctx, f.files); err != nil {
		return nil, err
	}
	how := samplingOf(s)
	o.MaxPoints, o.Sample, o.Seed, o.Reading = how.MaxPoints, how.How, how.Seed, r
	if f.data, err = source.All(ctx, files, how.Match, o); err != nil {
		return nil, err
	}
	var lost []string
	if f.data, lost, err = rejoin(ctx, f.data, joinedOf(s, f.files), o); err != nil {
		return nil, err
	}
	doc, notes, err := s.Adapt(f.data, f.data.Name)
	if err != nil { // none of the columns of the map
		out, err := Prepare(ctx, f.data, s.Seed, j)
		if err == nil {
			out.Doc.Prints, out.Doc.Sampling = f.prints, how
			out.Notes = append(lost, "the map begins anew: none of its columns is left")
		}
		return out, err
	}
	out, err := restored(ctx, s, "", doc, append(lost, notes...), f, o.Progress)
	if err == nil {
		out.Restored, out.Said = true, f.data.Name+" was read again"
	}
	return out, err
}
