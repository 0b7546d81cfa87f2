// Package opening makes documents ready for a window, a command or a job: of a file, of several as one table, of a
// session, of what was put aside. It looks for the data, reads it, and brings it into the space of its map.
package opening

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/maps/layout"
	"blossom/model/space/transform"
	"blossom/model/work"
)

// Opened is a document made ready off the main thread: loaded, transformed, with its landmarks.
type Opened struct {
	Doc   *state.Document
	Table *transform.Table
	// Said is what was done on the user's behalf, in a line.
	Said string
	// Session is the path of the session it was opened from, or "". Notes are what of it could be read only
	// in part.
	Session string
	Notes   []string
	// Written knows the session file again, as it was read.
	Written fingerprint.Print
	// Lost are columns that left the map, because a file that was added does not have them.
	Lost []string
	// Restored: the map is as somebody has left it, and does not begin to train by itself.
	Restored bool
	// Back is the document as it was put aside, where it is one that was; Doc has its history.
	Back *Kept
	// Population is the one that is chosen then.
	Population population.ID
	// Saved are the prints that the session had of its files, by where they are now.
	Saved fingerprint.Set
}

// Load opens a data file, a session, "demo:NAME[:POINTS]", or several data files as one table; a folder is its data
// files. Of several it may have to be asked which columns are one: the error is an *Undecided then.
func Load(ctx context.Context, paths []string, o format.Options, j *work.Job) (*Opened, error) {
	return Sheets{}.Load(ctx, paths, o, j)
}

// Load is Load with what sheets say of the data.
func (s Sheets) Load(ctx context.Context, paths []string, o format.Options, j *work.Job) (*Opened, error) {
	if j != nil {
		o.Progress = j.Report
	}
	for _, path := range paths {
		if !session.Is(path) {
			continue
		}
		if len(paths) > 1 {
			return nil, problem.New(path, "open a session by itself",
				"a session cannot be put together with other files")
		}
		if s != (Sheets{}) {
			return nil, problem.New(path, "take sheets over in its window",
				"a session has its samples and its panel")
		}
		return LoadSession(ctx, path, "", "", o, j)
	}
	paths, k, err := s.know(ctx, paths)
	if err != nil {
		return nil, err
	}
	if len(paths) > 1 {
		u, err := compare(ctx, paths, match.How{Panel: k.says()}, nil, k, o, j)
		switch {
		case err != nil:
			return nil, err
		case !u.Clear():
			return nil, u
		}
		return u.Open(ctx, j)
	}
	prints, err := printsOf(ctx, paths)
	if err != nil {
		return nil, err
	}
	data, err := source.Read(ctx, paths[0], o)
	if err != nil {
		return nil, err
	}
	if data, err = k.fits(data); err != nil {
		return nil, err
	}
	out, err := Prepare(ctx, data, max(1, o.Seed), j)
	if err != nil {
		return nil, err
	}
	out.Doc.Prints = prints
	out.Doc.Sampling = state.Sampling{MaxPoints: o.MaxPoints, How: o.Sample, Seed: o.Seed}
	return out, k.put(ctx, out)
}

// Prepare makes a document of a data set, with what Begin chooses for it.
func Prepare(ctx context.Context, data *dataset.Dataset, seed uint64, j *work.Job) (*Opened, error) {
	return prepare(ctx, data, transform.Default(data), seed, j)
}

// prepare does so with a transform.
func prepare(ctx context.Context, data *dataset.Dataset, spec transform.Spec, seed uint64, j *work.Job) (*Opened,
	error) {
	var report func(done, total int64)
	if j != nil {
		report = j.Report
	}
	start, err := begin(ctx, data, spec, seed, report)
	if err != nil {
		return nil, err
	}
	var now state.State
	parts.Transform.Put(&now, start.Spec)
	start.Landmarks.Space = parts.Transform.Rev(now)
	parts.Landmarks.Put(&now, start.Landmarks)
	parts.Training.Put(&now, parts.TrainingChoice{Algorithm: start.Algorithm, Values: start.Values, Then: start.Then})
	if a, ok := layout.ByID(start.Then); ok {
		parts.ChooseLayout(&now, a)
	}
	looks, why := firstLook(data, start.Table)
	start.Said += why
	parts.Looks.Put(&now, looks)
	return &Opened{Doc: state.New(data, data.Name, seed, now), Table: start.Table, Said: start.Said}, nil
}

// firstLook colours the points of a new document by the column that tells most, and says why where that is not plain.
func firstLook(data *dataset.Dataset, t *transform.Table) (looks parts.LookTable, why string) {
	look := parts.DefaultLook()
	colour, why := transform.Telling(data, t.Spec, t.Cols)
	if look.Column = data.Columns[colour].Name; why != "" {
		why = " · coloured by " + data.Columns[colour].Short() + ": " + why
	}
	return parts.LookTable{parts.FirstView: look}, why
}
