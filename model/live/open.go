package live

import (
	"context"
	"fmt"
	"os"

	"blossom/model/dataset"
	"blossom/model/format"
	"blossom/model/match"
	"blossom/model/parts"
	"blossom/model/problem"
	"blossom/model/run"
	"blossom/model/session"
	"blossom/model/source"
	"blossom/model/state"
	"blossom/model/train"
	"blossom/model/transform"
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
}

// Load opens a data file, a session, "demo:NAME[:POINTS]", or several data files as one table.
func Load(ctx context.Context, paths []string, o format.Options, j *Job) (*Opened, error) {
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
		return loadSession(ctx, path, o, j)
	}
	data, err := source.All(ctx, paths, match.How{}, o)
	if err != nil {
		return nil, err
	}
	out, err := Prepare(ctx, data, max(1, o.Seed), j)
	if err == nil {
		out.Doc.Sampling = state.Sampling{MaxPoints: o.MaxPoints, How: o.Sample, Seed: o.Seed}
	}
	return out, err
}

func loadSession(ctx context.Context, path string, o format.Options, j *Job) (*Opened, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, problem.Wrap(err, path, "check its name and permissions", "the session cannot be opened (%v)", err)
	}
	defer f.Close()
	s, err := session.Read(f, path)
	if err != nil {
		return nil, err
	}
	how := s.Sampling()
	o.MaxPoints, o.Sample, o.Seed = how.MaxPoints, how.How, how.Seed
	data, err := source.All(ctx, s.DataPaths(path), s.Data.Matching(), o)
	if err != nil {
		return nil, err
	}
	doc, notes, err := s.Document(data, path)
	if err != nil {
		return nil, err
	}
	suggestValues(doc)
	table, err := transform.Build(ctx, data, parts.Transform.Of(doc.State()), transform.Shuffle(data.Points, s.Seed),
		o.Progress)
	if err != nil {
		return nil, err
	}
	return &Opened{Doc: doc, Table: table, Session: path, Notes: notes,
		Said: fmt.Sprintf("session of %s, saved %s", data.Name, s.Saved.Local().Format("2 Jan 2006 15:04"))}, nil
}

// suggestValues gives a training without values, which is that of a session whose own could not be read, those
// that are suggested for its map.
func suggestValues(d *state.Document) {
	d.Always(func(s *state.State) {
		t := parts.Training.Of(*s)
		if t.Values == nil {
			t.Values = train.Values(t.Algorithm, d.Data.Points, parts.Landmarks.Of(*s).Pos)
			parts.Training.Put(s, t)
		}
	})
}

// Prepare makes a document of a data set, with what run.Begin chooses for it.
func Prepare(ctx context.Context, data *dataset.Dataset, seed uint64, j *Job) (*Opened, error) {
	var report func(done, total int64)
	if j != nil {
		report = j.Report
	}
	start, err := run.Begin(ctx, data, seed, report)
	if err != nil {
		return nil, err
	}
	algorithm := train.DefaultID(false)
	var now state.State
	parts.Transform.Put(&now, start.Spec)
	start.Landmarks.Space = parts.Transform.Rev(now)
	parts.Landmarks.Put(&now, start.Landmarks)
	parts.Training.Put(&now, parts.TrainingChoice{Algorithm: algorithm,
		Values: train.Values(algorithm, data.Points, start.Landmarks.Pos)})
	look := parts.DefaultLook()
	look.Column = data.Columns[start.Table.Cols[0]].Name
	parts.Looks.Put(&now, parts.LookTable{parts.FirstView: look})
	return &Opened{Doc: state.New(data, data.Name, seed, now), Table: start.Table, Said: start.Said}, nil
}
