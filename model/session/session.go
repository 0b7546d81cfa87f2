// Package session saves a Document as a small recipe: where the data is, and the parts of its state, each
// encoded by itself. The points themselves stay in the user's file, which is never changed.
package session

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"time"

	"blossom/model/dataset"
	"blossom/model/fingerprint"
	"blossom/model/problem"
	"blossom/model/state"
)

// Extension is that of session files.
const Extension = ".blossom"

const (
	fileFormat  = "blossom session"
	fileVersion = 2
	remedy      = "open the data file itself and start anew"
)

// Session is what is stored. All fields are exported for the encoding only: use Of and Document.
type Session struct {
	Format  string                   `json:"format"`
	Version int                      `json:"version"`
	Program string                   `json:"program"`
	Saved   time.Time                `json:"saved"`
	Data    Data                     `json:"data"`
	Seed    uint64                   `json:"seed"`
	Parts   map[string]state.Encoded `json:"parts"`
}

// Of makes the session of a document, to be saved as path (for the place of the data beside it).
func Of(d *state.Document, path, program string, now time.Time) (*Session, error) {
	parts, err := d.Encode(state.Context{File: path, Program: program})
	if err != nil {
		return nil, err
	}
	return &Session{Format: fileFormat, Version: fileVersion, Program: program, Saved: now.UTC(),
		Data: dataOf(d, path), Seed: d.Seed, Parts: parts}, nil
}

// Write writes the session as JSON.
func (s *Session) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(s)
}

// Sniff says whether the first bytes of a file are those of a session.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) &&
		bytes.Contains(head, []byte(`"`+fileFormat+`"`))
}

// Is says whether the file at path is a session, by its first bytes. It does not block on special files.
func Is(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head) // a short file is just no session
	return Sniff(head[:n])
}

// Read reads a session; name is used in errors, which are Problems.
func Read(r io.Reader, name string) (*Session, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, problem.Wrap(err, name, "check the file", "the session cannot be read (%v)", err)
	}
	s := &Session{}
	if err := json.Unmarshal(raw, s); err != nil {
		return nil, problem.Wrap(err, name, remedy, "not a readable session (%v)", err)
	}
	switch {
	case s.Format != fileFormat:
		return nil, problem.New(name, remedy, "not a session of blossom")
	case s.Version > fileVersion:
		return nil, problem.New(name, "use a newer blossom", "a session of version %d, this program knows %d",
			s.Version, fileVersion)
	case s.Data.Path == "":
		return nil, problem.New(name, remedy, "the session does not say where its data is")
	}
	if s.Version < 2 {
		if s.Parts, err = first(raw, name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Document makes the document again from the data. Data of another size is an error; notes are what could be read
// only in part.
func (s *Session) Document(data *dataset.Dataset, name string) (d *state.Document, notes []string, err error) {
	if data.Points != s.Data.Points || len(data.Columns) != s.Data.Columns {
		return nil, nil, &Changed{Session: name, Files: []string{s.Data.Path}, What: s.Differences(data, nil, nil)}
	}
	return s.document(data, name, false)
}

// Adapt makes the document of data that has changed: what it says of columns and rows that are still there is
// kept, the rest is left out and noted.
func (s *Session) Adapt(data *dataset.Dataset, name string) (d *state.Document, notes []string, err error) {
	return s.document(data, name, true)
}

func (s *Session) document(data *dataset.Dataset, name string, changed bool) (d *state.Document, notes []string,
	err error) {
	now, foreign, err := state.Decode(s.Parts, state.Context{Data: data, Seed: s.Seed, File: name, Changed: changed,
		Note: func(text string) { notes = append(notes, text) }})
	if err != nil {
		return nil, nil, err
	}
	d = state.New(data, data.Name, s.Seed, now)
	d.Sampling, d.Foreign, d.ForeignData = s.Sampling(), foreign, s.Data.Rest
	return d, notes, nil
}

// Prints returns what the session knows of the content of its files, by where they were found.
func (s *Session) Prints(files []string) fingerprint.Set {
	out := fingerprint.Set{}
	for i, p := range s.Data.places() {
		if i < len(files) && p.Print != nil {
			out[files[i]] = *p.Print
		}
	}
	return out
}

// Sampling is how the points were chosen from the file.
func (s *Session) Sampling() state.Sampling {
	return state.Sampling{MaxPoints: s.Data.Max, How: s.Data.Sample, Seed: s.Data.Seed, Match: s.Data.Matching()}
}
