package opening

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
	"blossom/model/work"
)

// LoadSession opens a session. Its data is looked for where it was and beside the session; where the user has chosen
// a file in place of the one called wanted, that is taken, and both are "" else. Data that is nowhere is a
// *session.Missing, data that is not what it was a *Changed, which opens it all the same.
func LoadSession(ctx context.Context, path, wanted, chosen string, o format.Options, j *work.Job) (*Opened,
	error) {
	if j != nil {
		o.Progress = j.Report
	}
	written, err := fingerprint.Of(path)
	if err != nil {
		return nil, err
	}
	s, err := readSession(path)
	if err != nil {
		return nil, err
	}
	f, err := findData(ctx, s, path, wanted, chosen, o)
	var changed *Changed
	if errors.As(err, &changed) {
		changed.written = written
	}
	if err != nil {
		return nil, err
	}
	doc, notes, err := s.Document(f.data, path)
	if err != nil {
		return nil, err
	}
	out, err := restored(ctx, s, path, doc, notes, f, o.Progress)
	if err == nil {
		out.Written = written
	}
	return out, err
}

// found is the data of a session.
type found struct {
	data   *dataset.Dataset
	files  []string // its own, then those of tables that were joined to it
	prints fingerprint.Set
}

// findData looks for the data of a session, which is or would be the file called path, and reads it as it was read.
func findData(ctx context.Context, s *session.Session, path, wanted, chosen string, o format.Options) (f found,
	err error) {
	files, missing := s.Find(path)
	if chosen != "" {
		files, missing = s.FindIn(path, wanted, chosen)
	}
	if len(missing) > 0 {
		return f, &session.Missing{Session: path, Files: missing}
	}
	if f.prints, err = printsOf(ctx, files); err != nil {
		return f, err
	}
	f.files = files
	var lost []string
	if f.data, lost, err = readData(ctx, s, path, files, o); err != nil {
		return f, err
	}
	if what := append(lost, s.Differences(f.data, files, f.prints)...); len(what) > 0 {
		c := session.Changed{Session: path, Files: s.Others(files, f.prints), What: what}
		out := &Changed{Changed: c, s: s, found: f}
		if _, _, err := s.Adapt(f.data, path); err != nil {
			out.Unfit = problem.As(err)
		}
		return f, out
	}
	return f, nil
}

// readData reads the data of a session, which is or would be the file called path, from its files as they were read.
// Tables that can be joined no more are told.
func readData(ctx context.Context, s *session.Session, path string, files []string, o format.Options) (
	data *dataset.Dataset, lost []string, err error) {
	how := samplingOf(s)
	o.MaxPoints, o.Sample, o.Seed = how.MaxPoints, how.How, how.Seed
	if o.Reading = (dataset.Reading{}); s.Data.Reading != nil {
		o.Reading = *s.Data.Reading
	}
	if data, err = source.All(ctx, files[:len(files)-len(s.Data.Joined)], how.Match, o); err != nil {
		return nil, nil, err
	}
	if data, lost, err = rejoin(ctx, data, joinedOf(s, files), o); err == nil && s.Data.Subset != nil {
		data, err = s.Data.Subset.Take(ctx, data, s.Parent(), path)
	}
	return data, lost, err
}

// samplingOf is how the data of a session were read: with its panel.
func samplingOf(s *session.Session) state.Sampling {
	how := s.Sampling()
	how.Match.Panel = parts.PanelIn(s.Parts)
	return how
}

func readSession(path string) (*session.Session, error) {
	f, err := plain.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return session.Read(f, path)
}

// Changed is a session whose data is not what it was. The data has been read, so that it can be opened as it is.
type Changed struct {
	session.Changed
	s       *session.Session
	written fingerprint.Print // the session file
	back    *Kept             // it was put aside, and may have no file
	// Unfit is why it cannot be opened with the data as it is now, or nil: Open would say the same.
	Unfit *problem.Problem
	found
}

// Alone are the files of the data, to be opened without the session and without what was joined to them.
func (c *Changed) Alone() []string { return c.files[:len(c.files)-len(c.s.Data.Joined)] }

// Open opens the session with the data as it is now: parts are kept as far as their columns and rows are there.
func (c *Changed) Open(ctx context.Context, j *work.Job) (*Opened, error) {
	var report func(done, total int64)
	if j != nil {
		report = j.Report
	}
	doc, notes, err := c.s.Adapt(c.data, c.Session)
	if err != nil {
		return nil, err
	}
	out, err := restored(ctx, c.s, c.Session, doc, notes, c.found, report)
	if err == nil {
		out.Written = c.written
	}
	if c.back != nil && err == nil {
		out.Session, out.Written = c.back.Session, c.back.Written
	}
	return out, err
}

// restored makes a document of a session ready for a window.
func restored(ctx context.Context, s *session.Session, path string, doc *state.Document, notes []string,
	f found, report func(done, total int64)) (*Opened, error) {
	doc.Prints = f.prints
	for path, was := range s.Prints(f.files) {
		// A whole hash is believed where the file has not been written since, as far as its time tells.
		if now := f.prints[path]; now.Whole == "" && now.Same(was) && now.Changed.Equal(was.Changed) {
			now.Whole = was.Whole
			doc.Prints = doc.Prints.With(path, now)
		}
	}
	suggestValues(doc)
	table, err := transform.Build(ctx, doc.Data, parts.Transform.Of(doc.State()),
		transform.Shuffle(doc.Data.Points, s.Seed), report)
	if err != nil {
		return nil, err
	}
	parts.Remeasured(doc, table)
	findTree(doc, path, table)
	if s.Lent() {
		return lent(ctx, s, path, doc, table, notes, report)
	}
	return &Opened{Doc: doc, Table: table, Session: path, Restored: true, Notes: notes, Saved: s.Prints(f.files),
		Said: fmt.Sprintf("The session of %s is open, as it was saved on %s", doc.Data.Name,
			s.Saved.Local().Format("2 Jan 2006 at 15:04"))}, nil
}

// OfState makes a document of data in a state ready for a window. progress may be nil; the error is a Problem, or
// ctx's.
func OfState(ctx context.Context, data *dataset.Dataset, seed uint64, now state.State,
	progress func(done, total int64)) (*Opened, error) {
	doc := state.New(data, data.Name, seed, now)
	suggestValues(doc)
	table, err := transform.Build(ctx, data, parts.Transform.Of(now), transform.Shuffle(data.Points, seed), progress)
	if err != nil {
		return nil, err
	}
	parts.Remeasured(doc, table)
	return &Opened{Doc: doc, Table: table, Restored: true}, nil
}

// lent is a document whose session is in a file of another form, to which it is not saved. Without landmarks it begins
// as one of the data alone.
func lent(ctx context.Context, s *session.Session, path string, doc *state.Document, table *transform.Table,
	notes []string, report func(done, total int64)) (*Opened, error) {
	out := &Opened{Doc: doc, Table: table, Restored: true, Notes: notes,
		Said: fmt.Sprintf("%s, as %s says", doc.Data.Name, filepath.Base(path))}
	if _, said := s.Parts["looks"]; !said {
		doc.Always(func(now *state.State) {
			looks, _ := firstLook(doc.Data, table)
			parts.Looks.Put(now, looks)
		})
	}
	if parts.Landmarks.Of(doc.State()).Len() > 0 {
		return out, nil
	}
	start, err := begin(ctx, doc.Data, parts.Transform.Of(doc.State()), doc.Seed, report)
	if err != nil {
		return nil, err
	}
	_, said := s.Parts["training"]
	doc.Always(func(now *state.State) {
		start.Landmarks.Space = parts.Transform.Rev(*now)
		parts.Landmarks.Put(now, start.Landmarks)
		parts.Training.Edit(now, func(t *parts.TrainingChoice) {
			if t.Then = start.Then; !said {
				t.Algorithm, t.Values = start.Algorithm, start.Values
			}
		})
	})
	out.Restored, out.Said = false, out.Said+" · "+start.Said
	return out, nil
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

// WholeAtOnce is the size up to which a file is hashed as a whole when it is opened: it has to be read anyhow, and
// this takes some hundredths of a second. Tests lower it.
var WholeAtOnce int64 = 8 << 20

// printsOf takes the prints of files, as they are before they are read.
func printsOf(ctx context.Context, paths []string) (fingerprint.Set, error) {
	out := fingerprint.Set{}
	for _, path := range paths {
		path = source.Resolve(path)
		if source.Generated(path) {
			continue
		}
		p, err := fingerprint.Of(path)
		if err == nil && p.Size <= WholeAtOnce {
			p, err = fingerprint.Whole(ctx, path, nil)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err == nil { // the format says it better where the file cannot be read
			out[path] = p
		}
	}
	return out, nil
}
