package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
)

// checkOutput refuses an output that cannot be written, or that is one of the inputs, before any work
// is done: an hour of training must not end in a mistyped folder.
func checkOutput(path string, known func(path string) error, inputs ...string) error {
	if path == "" {
		return run.Usage{Err: problem.New("", "name a file with -o, or - for standard output",
			"no output is given")}
	}
	if path == "-" {
		return nil
	}
	if export.IsFolder(path) {
		return checkFolder(path)
	}
	if err := format.SameFile(path, inputs...); err != nil {
		return err
	}
	st, err := os.Stat(path)
	switch {
	case err == nil && st.IsDir():
		return problem.New(path, "give the name of a file", "is a folder")
	case errors.Is(err, syscall.ENAMETOOLONG) || strings.ContainsRune(path, 0):
		return plain.Problem(err, path)
	case err == nil && !st.Mode().IsRegular():
		return nil // a device takes what it is given
	}
	if known != nil {
		if err := known(path); err != nil {
			return run.Usage{Err: err}
		}
	}
	return checkIn(filepath.Dir(path), path)
}

// checkFolder refuses a folder for outputs that is a file, or that can neither be written to nor be made.
func checkFolder(path string) error {
	at := filepath.Clean(path)
	for {
		st, err := os.Stat(at)
		if err == nil && !st.IsDir() {
			return problem.New(path, "choose another name for the folder", "%s is a file", at)
		}
		if up := filepath.Dir(at); err != nil && up != at {
			at = up
			continue
		}
		return checkIn(at, path)
	}
}

// checkIn refuses a folder that is not there, or that cannot be written to, for an output.
func checkIn(dir, path string) error {
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return problem.New(path, "make the folder first or choose another one", "its folder does not exist")
	}
	// Permissions say too little (a read-only file system, quotas of the root user): try.
	f, err := os.CreateTemp(dir, ".blossom-*.part")
	if err != nil {
		return problem.Wrap(err, path, "choose another folder or change its permissions",
			"its folder cannot be written to (%v)", plain.Reason(err))
	}
	f.Close()
	if err := os.Remove(f.Name()); !errors.Is(err, fs.ErrNotExist) { // it looks like one of a program that was killed
		return err
	}
	return nil
}

// knownTable says whether a table can be written under a name.
func knownTable(path string) error { return format.Writable(path) }

// saveTable writes ds as its extension says, CSV to standard output.
func (a *app) saveTable(ctx context.Context, path string, ds *dataset.Dataset, report run.Report) error {
	var progress func(done, total int64)
	if report != nil {
		progress = func(done, total int64) { report("writing", done, total) }
	}
	return format.Save(ctx, path, ds, progress)
}

// number is a float64 that JSON can hold: NaN and the infinities are null.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if x := float64(n); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// printJSON writes objects as one, with the fields of all of them, indented, to standard output.
func (a *app) printJSON(parts ...any) error {
	var fields [][]byte
	for _, part := range parts {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(part); err != nil {
			return err
		}
		object := bytes.TrimSpace(text.Bytes())
		if inner := object[1 : len(object)-1]; len(inner) > 0 {
			fields = append(fields, inner)
		}
	}
	all := slices.Concat([]byte("{"), bytes.Join(fields, []byte(",")), []byte("}"))
	var out bytes.Buffer
	if err := json.Indent(&out, all, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := a.out.Write(out.Bytes())
	return err
}

// summary is what a command says of its work with --json: on standard output, when all is written.
type summary struct {
	Input     string           `json:"input"`
	Inputs    []string         `json:"inputs,omitempty"` // all of them, where they are several
	Output    string           `json:"output"`
	Points    int              `json:"points"`
	Total     int              `json:"total"`                // in the input; more than points for a sample
	Invalid   int              `json:"invalid"`              // points without a place on the map
	Columns   []string         `json:"columns"`              // columns of the map, or of the table that was written
	Transform []string         `json:"transforms,omitempty"` // by the columns of the map
	Derived   []derivedColumn  `json:"derived,omitempty"`    // columns made of the map, written beside the coordinates
	LeftOut   []left           `json:"left_out,omitempty"`   // columns that are not of the map, all with their reasons
	Landmarks int              `json:"landmarks,omitempty"`
	Arranged  bool             `json:"hand_arranged,omitempty"` // somebody moved the landmarks
	Dims      int              `json:"dims,omitempty"`
	Engine    string           `json:"engine,omitempty"`
	Variant   string           `json:"variant,omitempty"` // a variant of the engine, where it has several
	Device    string           `json:"device,omitempty"`
	Seed      uint64           `json:"seed"`
	Notes     []string         `json:"notes"`
	Reading   *dataset.Reading `json:"reading,omitempty"` // the wishes about reading a text
	Seconds   float64          `json:"seconds"`
}

// derivedColumn is a column that was made from the map, and of what.
type derivedColumn struct {
	Name string `json:"name"`
	From string `json:"from"`
}

// left is a column that is not in the map, and why.
type left struct {
	Name string `json:"name"`
	Role string `json:"role"`
	Why  string `json:"why"` // "" for a marker that was not asked for
}

// jsonFlag adds --json to a command that writes a file; the returned function, called in the beginning,
// refuses the clash of both on standard output.
func jsonFlag(c *cobra.Command, on *bool) func(out string) error {
	c.Flags().BoolVar(on, "json", false, "say what was done on standard output, for programs")
	return func(out string) error {
		if *on && out == "-" {
			return clash()
		}
		return nil
	}
}

// clash refuses --json and an output on standard output.
func clash() error {
	return run.Usage{Err: problem.New("", "write the output to a file, or leave --json out",
		"--json and -o - both want standard output")}
}

// withFormat says in the notes which format a table was written in where the name of its file does not: map.txt.
func withFormat(output string, notes []string) []string {
	f, ok := format.ForPath(output)
	if ext := strings.ToLower(filepath.Ext(strings.TrimSuffix(output, ".gz"))); !ok || f.Write == nil ||
		ext == f.Extensions[0] {
		return notes
	}
	return append(slices.Clip(notes), fmt.Sprintf("%s: written as %s", output, f.Title))
}

// finish tells the user what there is to know about a command that has done its work; more are further objects for
// programs.
func (a *app) finish(asJSON bool, s summary, more ...any) error {
	s.Notes = withFormat(s.Output, s.Notes)
	if !asJSON {
		a.notes(s.Notes)
		return nil
	}
	if s.Notes == nil {
		s.Notes = []string{}
	}
	s.Seconds = time.Since(a.started).Seconds()
	return a.printJSON(append([]any{s}, more...)...)
}

// notes prints what the user should know about the result.
func (a *app) notes(notes []string) {
	for _, n := range notes {
		a.note("note: %s", oneLine(n))
	}
}

// ofMap is the summary of a map.
func ofMap(w *job.Work, output string, m *run.Map) summary {
	out := ofWork(w, output)
	out.Landmarks, out.Arranged, out.Dims, out.Notes = m.File.Set.Len(), m.File.Set.ByHand, m.File.Set.Pos.Cols, m.Notes
	return out
}

// ofWork is the summary of what was done with the points of a job.
func ofWork(w *job.Work, output string) summary { return ofPoints(w, output, w.Data, w.Points) }

// ofPoints is the summary of what a job has done with points of files.
func ofPoints(w *job.Work, output string, files []job.File, p *run.Points) summary {
	data, e := p.Data, w.Ran
	out := summary{Input: files[0].Path, Output: output, Points: data.Points, Total: data.Total,
		Invalid: p.Table.Invalid, Engine: e.Kind, Variant: e.Variant, Device: w.Ran.Device, Seed: w.Seed,
		Notes: w.Notes, Reading: asked(data.Reading)}
	if len(files) > 1 {
		for _, f := range files {
			out.Inputs = append(out.Inputs, f.Path)
		}
	}
	out.of(p)
	return out
}

// of names the columns of the map, and those that are not in it.
func (s *summary) of(p *run.Points) {
	for _, c := range p.Cols {
		s.Columns = append(s.Columns, p.Data.Columns[c].Name)
		if c < len(p.Spec.Columns) {
			s.Transform = append(s.Transform, p.Spec.Columns[c].String())
		}
	}
	for i := range p.Data.Columns {
		if c := &p.Data.Columns[i]; !slices.Contains(p.Cols, i) {
			s.LeftOut = append(s.LeftOut, left{c.Name, c.Role.String(), c.Why})
		}
	}
}
