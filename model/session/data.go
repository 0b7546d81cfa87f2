package session

import (
	"os"
	"path/filepath"
	"strings"

	"blossom/model/match"
	"blossom/model/state"
)

// Data says where the points come from and how to know them again.
type Data struct {
	Path    string     `json:"path"`             // absolute, or "demo:NAME"
	Beside  string     `json:"beside,omitempty"` // the same, from the session's folder, so that both can move together
	More    []Place    `json:"more,omitempty"`   // the other files, where several were opened as one
	Match   *match.How `json:"match,omitempty"`  // how their columns were matched
	Points  int        `json:"points"`
	Total   int        `json:"total"`                // in the file; more than Points when a sample was opened
	Max     int        `json:"max_points,omitempty"` // how the sample was taken
	Sample  string     `json:"sample,omitempty"`
	Seed    uint64     `json:"sample_seed,omitempty"`
	Columns int        `json:"columns"`
}

// Place is where another file is.
type Place struct {
	Path   string `json:"path"`
	Beside string `json:"beside,omitempty"`
}

// dataOf describes the data of a document for the session that is saved as path.
func dataOf(d *state.Document, path string) Data {
	at := place(d.Data.Path, path)
	out := Data{Path: at.Path, Beside: at.Beside, Points: d.Data.Points, Total: d.Data.Total,
		Max: d.Sampling.MaxPoints, Sample: d.Sampling.How, Seed: d.Sampling.Seed, Columns: len(d.Data.Columns)}
	for _, p := range d.Data.Parts[min(1, len(d.Data.Parts)):] {
		out.More = append(out.More, place(p, path))
	}
	if len(out.More) > 0 {
		m := d.Sampling.Match
		out.Match = &m
	}
	return out
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

func generated(path string) bool { return strings.HasPrefix(path, "demo:") && len(path) > len("demo:") }

// Matching is how the columns of several files were matched. Sessions from before it was chosen took the columns of
// one name that all files have.
func (d Data) Matching() match.How {
	if d.Match == nil {
		return match.How{By: match.Name, Common: true}
	}
	return *d.Match
}
