// Package session saves a Document as a small recipe: where the data is, what is done to it, and the
// landmarks. The points themselves stay in the user's file, which is never changed.
package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"blossom/model"
	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/problem"
	"blossom/model/revision"
	"blossom/model/step"
	"blossom/model/transform"
)

// Extension is that of session files.
const Extension = ".blossom"

const (
	fileFormat  = "blossom session"
	fileVersion = 1
	remedy      = "open the data file itself and start anew"
)

// View is what the window was looking at; its meaning is the window's.
type View struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Scale float64 `json:"scale"`
}

// Session is what is stored. All fields are exported for the encoding only: use Of and Document.
type Session struct {
	Format       string          `json:"format"`
	Version      int             `json:"version"`
	Program      string          `json:"program"`
	Saved        time.Time       `json:"saved"`
	Data         Data            `json:"data"`
	Seed         uint64          `json:"seed"`
	Columns      []Column        `json:"columns"`
	Scale        bool            `json:"scale"`
	Projection   embedsom.Params `json:"projection"`
	Algorithm    string          `json:"training"`
	Values       step.Values     `json:"training_values"`
	Speed        float64         `json:"training_speed"`
	Look         model.Look      `json:"look"`
	HandArranged bool            `json:"hand_arranged"`
	View         View            `json:"view"`
	Landmarks    json.RawMessage `json:"landmarks"`
}

// Data says where the points come from and how to know them again.
type Data struct {
	Path    string  `json:"path"`             // absolute, or "demo:NAME"
	Beside  string  `json:"beside,omitempty"` // the same, from the session's folder, so that both can move together
	More    []Place `json:"more,omitempty"`   // the other files, where several were opened as one
	Points  int     `json:"points"`
	Total   int     `json:"total"`                // in the file; more than Points when a sample was opened
	Max     int     `json:"max_points,omitempty"` // how the sample was taken
	Sample  string  `json:"sample,omitempty"`
	Seed    uint64  `json:"sample_seed,omitempty"`
	Columns int     `json:"columns"`
}

// Place is where another file is.
type Place struct {
	Path   string `json:"path"`
	Beside string `json:"beside,omitempty"`
}

// Column is the setting of one column, found again by its name.
type Column struct {
	Name      string  `json:"name"`
	Transform string  `json:"transform"`
	Weight    float64 `json:"weight"`
	SD        float64 `json:"sd,omitempty"`
	Use       string  `json:"use"`
}

var uses = []transform.Use{transform.InMap, transform.ColourOnly, transform.Off}

// Of makes the session of a document, to be saved as path (for the place of the data beside it).
func Of(d *model.Document, v View, path, program string, now time.Time) (*Session, error) {
	s := d.State()
	if s.CodeSpace != s.TransformRev {
		return nil, problem.New(path, "try again in a moment", "a change of the transform is still being applied")
	}
	out := &Session{Format: fileFormat, Version: fileVersion, Program: program, Saved: now.UTC(),
		Data: Data{Path: d.Data.Path, Points: d.Data.Points, Total: d.Data.Total,
			Max: d.Sampling.MaxPoints, Sample: d.Sampling.How, Seed: d.Sampling.Seed, Columns: len(d.Data.Columns)},
		Seed: d.Seed, Scale: s.Transform.Scale, Projection: s.Projection,
		Algorithm: s.Train.Algorithm, Values: s.Train.Values, Speed: s.Train.Speed,
		Look: s.Look, HandArranged: s.HandArranged, View: v}
	at := place(d.Data.Path, path)
	out.Data.Path, out.Data.Beside = at.Path, at.Beside
	for _, p := range d.Data.Parts[min(1, len(d.Data.Parts)):] {
		out.Data.More = append(out.Data.More, place(p, path))
	}
	var columns []landmark.FileColumn
	for i, c := range s.Transform.Columns {
		name := d.Data.Columns[i].Name
		out.Columns = append(out.Columns, Column{name, c.String(), c.Weight, c.SD, c.Use.String()})
		if c.Use == transform.InMap {
			columns = append(columns, landmark.FileColumn{Name: name, Label: d.Data.Columns[i].Label,
				Transform: c.String(), SD: c.SD, Weight: c.Weight})
		}
	}
	var b bytes.Buffer
	f := landmark.File{Set: s.Landmarks, Columns: columns, Scaled: s.Transform.Scale, Method: s.Train.Algorithm,
		Values: s.Train.Values, Seed: d.Seed, Source: d.Data.Name, Points: d.Data.Points, Program: program,
		HandArranged: s.HandArranged}
	if err := f.Write(&b); err != nil {
		return nil, err
	}
	out.Landmarks = b.Bytes()
	return out, nil
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
	s := &Session{}
	if err := json.NewDecoder(r).Decode(s); err != nil {
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
	return s, nil
}

// place returns where a data file is, absolute and as seen from the folder of the session.
func place(data, session string) Place {
	p := Place{Path: data}
	if generated(data) {
		return p
	}
	if abs, err := filepath.Abs(data); err == nil {
		p.Path = abs
		if rel, err := filepath.Rel(filepath.Dir(session), abs); err == nil {
			p.Beside = filepath.ToSlash(rel)
		}
	}
	return p
}

// DataPaths returns where the data is now: beside the session as it was when saved, else where it was.
// There are several where several files were opened as one table.
func (s *Session) DataPaths(session string) []string {
	var out []string
	for _, p := range append([]Place{{s.Data.Path, s.Data.Beside}}, s.Data.More...) {
		now := p.Path
		if p.Beside != "" {
			beside := filepath.Join(filepath.Dir(session), filepath.FromSlash(p.Beside))
			if _, err := os.Stat(beside); err == nil {
				now = beside
			}
		}
		out = append(out, now)
	}
	return out
}

// Document makes the document again from the data. Landmarks that no longer fit the columns are an
// error; columns that have come or gone otherwise keep their defaults or are left out.
func (s *Session) Document(data *dataset.Dataset, name string) (*model.Document, error) {
	if data.Points != s.Data.Points || len(data.Columns) != s.Data.Columns {
		return nil, problem.New(name, "put the old file back, or open the new one by itself",
			"%s has changed: %d points and %d columns, where the session has %d and %d",
			s.Data.Path, data.Points, len(data.Columns), s.Data.Points, s.Data.Columns)
	}
	spec := transform.Default(data)
	spec.Scale = s.Scale
	for _, c := range s.Columns {
		at := -1
		for i := range data.Columns {
			if data.Columns[i].Name == c.Name {
				at = i
			}
		}
		if at < 0 {
			return nil, problem.New(name, "put the old file back, or open the new one by itself",
				"%s has no column %q any more", s.Data.Path, c.Name)
		}
		t, err := transform.Parse(c.Transform)
		if err != nil {
			return nil, problem.Wrap(err, name, remedy, "column %q: %v", c.Name, err)
		}
		set := spec.Columns[at].WithTransform(t)
		set.Weight, set.SD = c.Weight, c.SD
		for _, u := range uses {
			if u.String() == c.Use {
				set.Use = u
			}
		}
		spec.Columns[at] = set
	}
	if err := spec.Validate(data); err != nil {
		return nil, problem.Wrap(err, name, remedy, "%v", err)
	}
	l, err := landmark.Read(bytes.NewReader(s.Landmarks), name)
	if err != nil {
		return nil, err
	}
	if d := len(spec.MapColumns()); l.Set.Codebook.Cols != d {
		return nil, problem.New(name, remedy, "its landmarks have %d dimensions and its map %d", l.Set.Codebook.Cols, d)
	}
	if !(s.Projection.K > 0 && s.Projection.Boost > 0 && s.Projection.Adjust >= 0) {
		return nil, problem.New(name, remedy, "its projection parameters make no sense (%s)", fmt.Sprint(s.Projection))
	}
	rev := revision.Next()
	d := model.New(data, data.Name, s.Seed, model.State{
		Transform: spec, TransformRev: rev, CodeSpace: rev, Landmarks: l.Set, Projection: s.Projection,
		Train: model.Train{Algorithm: s.Algorithm, Values: s.Values, Speed: s.Speed},
		Look:  s.Look, HandArranged: s.HandArranged,
	})
	d.Sampling = s.Sampling()
	return d, nil
}

// Sampling is how the points were chosen from the file.
func (s *Session) Sampling() model.Sampling {
	return model.Sampling{MaxPoints: s.Data.Max, How: s.Data.Sample, Seed: s.Data.Seed}
}

func generated(path string) bool { return len(path) > 5 && path[:5] == "demo:" }
