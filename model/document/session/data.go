package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/data/match"
	"blossom/model/document/state"
)

// Data says where the points come from and how to know them again.
type Data struct {
	Path   string `json:"path"`             // absolute, or "demo:NAME"
	Beside string `json:"beside,omitempty"` // the same, from the session's folder, so that both can move together
	// Print knows the file again; nil of demo data, and in sessions from before there were any.
	Print   *fingerprint.Print `json:"fingerprint,omitempty"`
	More    []Place            `json:"more,omitempty"`    // the other files, where several were opened as one
	Joined  []Joined           `json:"joined,omitempty"`  // tables whose columns stand beside those, row by row
	Match   *match.How         `json:"match,omitempty"`   // how their columns were matched
	Subset  *Subset            `json:"subset,omitempty"`  // which rows of them it is of; nil: all that are read
	Reading *dataset.Reading   `json:"reading,omitempty"` // how a text is read, as far as the user has said
	Points  int                `json:"points"`
	Total   int                `json:"total"`                // in the file; more than Points when a sample was opened
	Max     int                `json:"max_points,omitempty"` // how the sample was taken
	Sample  string             `json:"sample,omitempty"`
	Seed    uint64             `json:"sample_seed,omitempty"`
	Columns int                `json:"columns"`
	Names   []string           `json:"column_names,omitempty"`

	// Rest is what this program does not know of: fields of a newer one, which are saved again.
	Rest map[string]json.RawMessage `json:"-"`
}

// mostNames is how many columns are kept by name: those of a wider table would make sessions large.
const mostNames = 1 << 12

// Place is where another file is.
type Place struct {
	Path   string             `json:"path"`
	Beside string             `json:"beside,omitempty"`
	Print  *fingerprint.Print `json:"fingerprint,omitempty"`
}

// Joined is where a table is that was joined to the data, and how it is read, as far as the user has said.
type Joined struct {
	Place
	Reading *dataset.Reading `json:"reading,omitempty"`
}

// fields is Data without its methods.
type fields Data

// UnmarshalJSON reads the fields, and keeps those that it does not know.
func (d *Data) UnmarshalJSON(raw []byte) error {
	if err := json.Unmarshal(raw, (*fields)(d)); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &d.Rest); err != nil {
		return err
	}
	t := reflect.TypeFor[Data]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		delete(d.Rest, name)
	}
	return nil
}

// MarshalJSON writes the fields, and those that were kept.
func (d Data) MarshalJSON() ([]byte, error) {
	known, err := json.Marshal(fields(d))
	if err != nil || len(d.Rest) == 0 {
		return known, err
	}
	rest, err := json.Marshal(d.Rest)
	if err != nil {
		return nil, err
	}
	return slices.Concat(known[:len(known)-1], []byte(","), rest[1:]), nil
}

// dataOf describes the data of a document for the session that is saved as path.
func dataOf(d *state.Document, path string) Data {
	all := d.Files()
	at := place(d, all[0], path)
	out := Data{Path: at.Path, Beside: at.Beside, Print: at.Print, Points: d.Data.Points, Total: d.Data.Total,
		Max: d.Sampling.MaxPoints, Sample: d.Sampling.How, Seed: d.Sampling.Seed, Columns: len(d.Data.Columns),
		Rest: d.ForeignData}
	for _, p := range all[1:] {
		out.More = append(out.More, place(d, p, path))
	}
	for _, j := range d.Data.Joined {
		to := Joined{Place: place(d, j.Path, path)}
		if !j.Reading.IsZero() {
			to.Reading = &j.Reading
		}
		out.Joined = append(out.Joined, to)
	}
	for i := range d.Data.Columns[:min(len(d.Data.Columns), mostNames)] {
		out.Names = append(out.Names, d.Data.Columns[i].Name)
	}
	if r := d.Data.Reading; !r.IsZero() {
		out.Reading = &r
	}
	if len(out.More) > 0 {
		m := d.Sampling.Match
		out.Match = &m
	}
	return out
}

// place returns where a data file is, absolute and as seen from the folder of the session.
func place(d *state.Document, data, session string) Place {
	p := Place{Path: data}
	if generated(data) {
		return p
	}
	if print, ok := d.Prints[data]; ok && !print.Zero() {
		p.Print = &print
	}
	if abs, err := filepath.Abs(data); err == nil {
		p.Path = abs
		if dir, err := filepath.Abs(filepath.Dir(session)); err == nil {
			if rel, err := filepath.Rel(dir, abs); err == nil {
				p.Beside = filepath.ToSlash(rel)
			}
		}
	}
	return p
}

// places are all files of the data, in the order in which they were opened, those that were joined last.
func (d *Data) places() []Place {
	out := append([]Place{{d.Path, d.Beside, d.Print}}, d.More...)
	for _, j := range d.Joined {
		out = append(out, j.Place)
	}
	return out
}

// Find looks for the data: as seen from the session when it was saved, where it was then, and beside the
// session, and of those that are there takes the first with the content that was saved, else the first. There are
// several where several files were opened as one table; missing are those that are nowhere, as they were.
func (s *Session) Find(session string) (found, missing []string) {
	for _, p := range s.Data.places() {
		if path := p.find(filepath.Dir(session)); path != "" {
			found = append(found, path)
		} else {
			found, missing = append(found, p.Path), append(missing, p.Path)
		}
	}
	return found, missing
}

// find returns where a file is now, or "".
func (p Place) find(folder string) string {
	if generated(p.Path) {
		return p.Path
	}
	var tries []string
	if p.Beside != "" {
		tries = append(tries, filepath.Join(folder, filepath.FromSlash(p.Beside)))
	}
	tries = append(tries, p.Path, filepath.Join(folder, Base(p.Path)))
	there := ""
	for _, path := range tries {
		if _, err := os.Stat(path); err != nil || plain.Check(path) != nil {
			continue // a pipe, or another thing that is no plain file, could be waited for for ever
		}
		if p.Print == nil {
			return path
		}
		if print, err := fingerprint.Of(path); err == nil && print.Same(*p.Print) {
			return path
		}
		if there == "" {
			there = path
		}
	}
	return there
}

// FindIn is Find when the user has chosen a file in place of the one called wanted, by where it was or was found.
// Others that are missing are looked for in its folder too, since files move together.
func (s *Session) FindIn(session, wanted, chosen string) (found, missing []string) {
	for _, p := range s.Data.places() {
		path := p.find(filepath.Dir(session))
		switch {
		case wanted == p.Path || wanted == path:
			path = chosen
		case path == "":
			path = Place{Path: filepath.Join(filepath.Dir(chosen), Base(p.Path)), Print: p.Print}.find("")
		}
		if path == "" {
			path, missing = p.Path, append(missing, p.Path)
		}
		found = append(found, path)
	}
	return found, missing
}

// Base is the name of a file without its folder, also where another system wrote the path.
func Base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

func generated(path string) bool { return strings.HasPrefix(path, "demo:") && len(path) > len("demo:") }

// Matching is how the columns of several files were matched. Sessions from before it was chosen took the columns of
// one name that all files have.
func (d Data) Matching() match.How {
	if d.Match == nil {
		return match.How{By: match.Name, Common: true}
	}
	return *d.Match
}
