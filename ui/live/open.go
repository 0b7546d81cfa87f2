package live

import (
	"context"
	"fmt"
	"os"

	"blossom/model"
	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/format"
	"blossom/model/problem"
	"blossom/model/revision"
	"blossom/model/run"
	"blossom/model/session"
	"blossom/model/source"
	"blossom/model/train"
	"blossom/model/transform"
)

// Opened is a document made ready off the main thread: loaded, transformed, with its landmarks.
type Opened struct {
	Doc   *model.Document
	Table *transform.Table
	// Said is what was done on the user's behalf, in a line.
	Said string
	// Session is the path of the session it was opened from, or "". View is what that looked at.
	Session string
	View    *session.View
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
	data, err := source.All(ctx, paths, o)
	if err != nil {
		return nil, err
	}
	out, err := Prepare(ctx, data, max(1, o.Seed), j)
	if err == nil {
		out.Doc.Sampling = model.Sampling{MaxPoints: o.MaxPoints, How: o.Sample, Seed: o.Seed}
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
	data, err := source.All(ctx, s.DataPaths(path), o)
	if err != nil {
		return nil, err
	}
	doc, err := s.Document(data, path)
	if err != nil {
		return nil, err
	}
	table, err := transform.Build(ctx, data, doc.State().Transform, transform.Shuffle(data.Points, s.Seed), o.Progress)
	if err != nil {
		return nil, err
	}
	view := s.View
	return &Opened{Doc: doc, Table: table, Session: path, View: &view,
		Said: fmt.Sprintf("session of %s, saved %s", data.Name, s.Saved.Local().Format("2 Jan 2006 15:04"))}, nil
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
	rev, algorithm := revision.Next(), train.DefaultID(false)
	s := model.State{
		Transform: start.Spec, TransformRev: rev, CodeSpace: rev, Landmarks: start.Landmarks,
		Projection: embedsom.Defaults(),
		Train:      model.Train{Algorithm: algorithm, Values: train.Values(algorithm, data.Points, start.Landmarks.Pos)},
		Look:       model.DefaultLook(),
	}
	s.Look.Column = data.Columns[start.Table.Cols[0]].Name
	return &Opened{Doc: model.New(data, data.Name, seed, s), Table: start.Table, Said: start.Said}, nil
}
