// Package session saves a Document in one file: where the data is, the parts of its state, each encoded by itself, and
// the history. The points themselves stay in the user's file, which is never changed. docs/session.md describes it.
package session

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"blossom/model/base/bounded"
	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/document/state"
)

// Extension is that of session files.
const Extension = ".blossom"

const (
	fileFormat  = "blossom session"
	fileVersion = 3
	remedy      = "open the data file itself and start anew"
)

// Session is what is stored. Use Of or Full, and Document. Parts of version 3 and later are files of their own.
type Session struct {
	Format  string                   `json:"format"`
	Version int                      `json:"version"`
	Program string                   `json:"program"`
	Saved   time.Time                `json:"saved"`
	Data    Data                     `json:"data"`
	Seed    uint64                   `json:"seed"`
	Packs   []string                 `json:"packs,omitempty"` // files beside it with its arrays, see WriteLean
	Parts   map[string]state.Encoded `json:"parts,omitempty"`

	History *state.Saved `json:"-"` // nil: a recipe
	// Beside are other files in the container, by their names: JSON of who keeps the session.
	Beside map[string][]byte `json:"-"`
	// Damaged are the IDs of parts, "data" or "history" that are not as they were written.
	Damaged []string `json:"-"`

	lent   bool // it is in a file of another form
	arrays *arrays
	own    int             // how many of the arrays parts need
	past   map[string]bool // arrays that the history needs
	notes  []string        // notes on what could not be read
}

// Of makes the session of a document without its history, to be saved as path (for the place of the data beside it):
// a recipe, small enough to mail.
func Of(d *state.Document, path, program string, now time.Time) (*Session, error) {
	return of(d, state.Context{File: path, Program: program}, now)
}

// Full makes the session of a document with its history. memo, or nil, is of the last time that this document was
// saved: what it remembers is not encoded again, and must be in packs.
func Full(d *state.Document, path, program string, now time.Time, memo *state.Memo) (*Session, error) {
	c := state.Context{File: path, Program: program, Full: true}
	s, err := of(d, c, now)
	if err != nil {
		return nil, err
	}
	if memo == nil {
		memo = &state.Memo{}
	}
	s.past = map[string]bool{}
	needed := func(names ...string) {
		s.arrays.need(names...)
		for _, name := range names {
			s.past[name] = true
		}
	}
	c.Arrays = noting{s.arrays, needed}
	s.History, err = d.EncodeHistory(c, memo, func(names []string) { needed(names...) })
	return s, err
}

func of(d *state.Document, c state.Context, now time.Time) (*Session, error) {
	kept := newArrays()
	c.Arrays = kept
	parts, err := d.Encode(c)
	if err != nil {
		return nil, err
	}
	s := &Session{Format: fileFormat, Version: fileVersion, Program: c.Program, Saved: now.UTC(),
		Data: dataOf(d, c.File), Seed: d.Seed, Parts: parts, arrays: kept, own: len(kept.order)}
	return s, s.keepSubset(d)
}

// Arrays returns the names of the arrays that WriteLean leaves out.
func (s *Session) Arrays(small int) (out []string) {
	for i, name := range s.arrays.order {
		if s.past[name] || !s.here(i, small) {
			out = append(out, name)
		}
	}
	return out
}

// here says whether array i is one that a lean session has in it.
func (s *Session) here(i, small int) bool {
	m, ok := s.arrays.InMemory[s.arrays.order[i]]
	return ok && i < s.own && 4*len(m.Data) <= small
}

// Array returns an array that is in memory.
func (s *Session) Array(name string) (m matrix.Matrix32, ok bool) {
	m, ok = s.arrays.InMemory[name]
	return m, ok
}

// Bytes is what its arrays take in a file, before any is compressed: nearly all that there is to write.
func (s *Session) Bytes() (n int64) {
	for _, name := range s.arrays.order {
		n += 4 * int64(len(s.arrays.InMemory[name].Data))
	}
	return n
}

// Write writes the session with all its arrays.
func (s *Session) Write(w io.Writer) error {
	return s.write(w, func(int) bool { return true })
}

// WriteLean writes the session without most of its arrays, which are in s.Packs: it has only those of the parts that
// are no larger than so many bytes.
func (s *Session) WriteLean(w io.Writer, small int) error {
	return s.write(w, func(i int) bool { return s.here(i, small) })
}

func (s *Session) write(to io.Writer, here func(i int) bool) error {
	w := newWriter(to)
	put := func(name string, v any, compress bool) error {
		text, err := json.Marshal(v)
		if err != nil {
			return problem.Wrap(err, "", "report this", "the session cannot be written: %v", err)
		}
		w.add(name, text, compress)
		return nil
	}
	head := *s
	head.Version, head.Parts = fileVersion, nil
	if err := put(headName, head, false); err != nil {
		return err
	}
	for _, name := range sorted(s.Beside) {
		w.add(name, s.Beside[name], true)
	}
	for _, id := range sorted(s.Parts) {
		if err := put(partFolder+id+".json", s.Parts[id], true); err != nil {
			return err
		}
	}
	arrays := func(from, to int) error {
		for i, name := range s.arrays.order[from:to] {
			if !here(from + i) {
				continue
			}
			m, err := s.arrays.Get(name)
			if err != nil {
				return err
			}
			w.add(arrayFile(name), npy(m), s.History == nil)
		}
		return nil
	}
	if err := arrays(0, s.own); err != nil {
		return err
	}
	if s.History != nil {
		if err := put(historyName, s.History, true); err != nil {
			return err
		}
	}
	if err := arrays(s.own, len(s.arrays.order)); err != nil {
		return err
	}
	return w.close()
}

func sorted[T any](m map[string]T) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Sniff says whether the first bytes of a file are those of a session.
func Sniff(head []byte) bool {
	if bytes.HasPrefix(head, []byte(localHead)) {
		return len(head) > 30 && bytes.HasPrefix(head[30:], []byte(headName))
	}
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) &&
		bytes.Contains(head, []byte(`"`+fileFormat+`"`)) || formOf(head) != nil
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
	head := make([]byte, headBytes)
	n, _ := io.ReadFull(f, head) // a short file is just no session
	return Sniff(head[:n])
}

// headBytes are those that a session is known by.
const headBytes = 512

// Read reads a session; name is used in errors, which are Problems, and packs are looked for beside it.
func Read(r io.Reader, name string) (*Session, error) {
	head := make([]byte, headBytes)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, plain.Problem(err, name)
	}
	all := io.MultiReader(bytes.NewReader(head[:n]), r)
	if f := formOf(head[:n]); f != nil {
		return f.read(all, name)
	}
	raw, err := readAll(all, sizeOf(r))
	if err != nil {
		return nil, plain.Problem(err, name)
	}
	if len(raw) == 0 {
		return nil, problem.New(name, "take a copy of it from before, or "+remedy, "the session is empty")
	}
	if !bytes.HasPrefix(raw, []byte("PK")) {
		return readText(raw, name)
	}
	return readContainer(bytes.NewReader(raw), int64(len(raw)), name)
}

// sizeOf is how many bytes a reader has in all, as far as it tells.
func sizeOf(r io.Reader) int {
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return int(info.Size())
		}
	case *bytes.Reader:
		return int(r.Size())
	}
	return 0
}

// readAll is io.ReadAll without growing, where the size is known: sessions may be large.
func readAll(r io.Reader, size int) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(size + bytes.MinRead)
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

// readText reads a session of the versions that were one JSON object.
func readText(raw []byte, name string) (*Session, error) {
	s := &Session{}
	if err := bounded.Unmarshal(raw, s); err != nil {
		return nil, problem.Wrap(err, name, remedy, "not a readable session: %s", bounded.Flaw(err))
	}
	if err := s.check(name); err != nil {
		return nil, err
	}
	s.arrays, s.Packs = newArrays(), nil
	if s.Version < 2 {
		var err error
		if s.Parts, err = first(raw, name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Session) check(name string) error {
	switch {
	case s.Format != fileFormat:
		return problem.New(name, remedy, "not a session of blossom")
	case s.Version < 0:
		return problem.New(name, remedy, "a session of version %d, which there never was", s.Version)
	case len(s.Data.places()) > mostFiles || len(s.Packs) > mostFiles:
		return problem.New(name, remedy, "the session names %d files", max(len(s.Data.places())-1, len(s.Packs)))
	case s.Version > fileVersion:
		return problem.New(name, "use a newer blossom", "a session of version %d, this program knows %d",
			s.Version, fileVersion)
	case s.Data.Path == "":
		return problem.New(name, remedy, "the session does not say where its data is")
	}
	return nil
}

// readParts reads the parts, and keeps files that this program does not know as they are, as far as there is room.
func (s *Session) readParts(c *container, budget *bounded.Budget, spoiled func(what, why string)) {
	room, all, large := int64(mostBeside), int64(mostJSON), false
	for _, file := range sorted(c.files) {
		id, part := strings.CutPrefix(file, partFolder)
		switch {
		case file == headName || file == historyName || arrayOf(file) != "":
		case part:
			id = strings.TrimSuffix(id, ".json")
			var e state.Encoded
			text, err := c.read(file, all)
			all -= int64(len(text))
			if err == nil {
				err = budget.Unmarshal(text, &e)
			}
			if err != nil {
				title, _ := state.Title(id)
				spoiled(id, strings.ToLower(title)+" is as in a new document: "+file+" "+flaw(err))
				continue
			}
			s.Parts[id] = e
			s.arrays.need(e.Arrays...)
		default:
			b, err := c.read(file, room)
			if err == nil {
				s.Beside[file] = b
				room -= int64(len(b))
			} else if err == errLarge && !large {
				large = true
				s.notes = append(s.notes, "files in the session are left out: "+file+" "+flaw(err))
			}
		}
	}
}

// readContainer reads all but the arrays.
func readContainer(r io.ReaderAt, size int64, name string) (*Session, error) {
	c, err := openContainer(r, size)
	if errors.Is(err, zip.ErrFormat) {
		return nil, problem.Wrap(err, name, remedy, "not a readable session: its end is missing, or it is none")
	}
	if err != nil {
		return nil, problem.Wrap(err, name, remedy, "not a readable session: %s", bounded.Flaw(err))
	}
	text, err := c.read(headName, mostJSON)
	if err != nil {
		return nil, problem.Wrap(err, name, "take a copy of it from before, or "+remedy,
			"not a readable session: its %s %v", headName, err)
	}
	s := &Session{}
	var budget bounded.Budget
	if err := budget.Unmarshal(text, s); err != nil {
		return nil, problem.Wrap(err, name, remedy, "not a readable session: %s", bounded.Flaw(err))
	}
	if err := s.check(name); err != nil {
		return nil, err
	}
	s.arrays = newArrays()
	s.arrays.from, s.arrays.packs = []*container{c}, beside(name, s.Packs)
	s.Parts, s.Beside = map[string]state.Encoded{}, map[string][]byte{}
	if c.cut {
		s.notes = append(s.notes, "the end of the session file is missing; what comes before it is opened")
	}
	spoiled := func(what, why string) {
		s.Damaged = append(s.Damaged, what)
		s.notes = append(s.notes, why)
	}
	s.readParts(c, &budget, spoiled)
	s.own = len(s.arrays.order)
	s.readHistory(c, &budget, spoiled)
	return s, nil
}

// readHistory reads the history of a container that has one.
func (s *Session) readHistory(c *container, budget *bounded.Budget, spoiled func(what, why string)) {
	if _, ok := c.files[historyName]; !ok {
		return
	}
	text, err := c.read(historyName, mostJSON)
	var h state.Saved
	if err == nil {
		err = budget.Unmarshal(text, &h)
	}
	if err != nil {
		spoiled("history", "the history is left out: "+historyName+" "+flaw(err))
	} else {
		s.History = &h
	}
}

// flaw says what is wrong with a file in a container.
func flaw(err error) string {
	if errors.Is(err, errMissing) || errors.Is(err, errSum) || errors.Is(err, errLarge) ||
		errors.Is(err, bounded.ErrLarge) || errors.Is(err, bounded.ErrDeep) {
		return err.Error()
	}
	return "cannot be read: " + bounded.Flaw(err)
}

// Check reads the arrays of the parts, and adds to Damaged those parts whose arrays are not as they were written.
func (s *Session) Check() {
	for _, id := range sorted(s.Parts) {
		for _, name := range s.Parts[id].Arrays {
			if _, err := s.arrays.find(name); err != nil {
				s.Damaged = append(s.Damaged, id)
				break
			}
		}
	}
}

// Look reads a session for who lists it: what its parts need of arrays is checked, and then they are not there.
func Look(path string) (*Session, error) {
	f, err := plain.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 2)
	if _, err := io.ReadFull(f, head); err != nil || string(head) != "PK" {
		_, _ = f.Seek(0, io.SeekStart)
		return Read(f, path)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	s, err := readContainer(f, info.Size(), path)
	if err != nil {
		return nil, err
	}
	s.Check()
	return s, nil
}

// Document makes the document again from the data. Data of another size is an error; notes are what could be read
// only in part.
func (s *Session) Document(data *dataset.Dataset, name string) (d *state.Document, notes []string, err error) {
	if s.other(data) {
		return nil, nil, &Changed{Session: name, Files: []string{s.Data.Path}, What: s.Differences(data, nil, nil)}
	}
	return s.document(data, name, false)
}

// other says whether a table has another number of rows or columns, as far as both are known.
func (s *Session) other(data *dataset.Dataset) bool {
	return (data.Points != s.Data.Points && s.Data.Points > 0) || (len(data.Columns) != s.Data.Columns &&
		s.Data.Columns > 0)
}

// Adapt makes the document of data that has changed: what it says of columns and rows that are still there is
// kept, the rest is left out and noted.
func (s *Session) Adapt(data *dataset.Dataset, name string) (d *state.Document, notes []string, err error) {
	return s.document(data, name, true)
}

func (s *Session) document(data *dataset.Dataset, name string, changed bool) (d *state.Document, notes []string,
	err error) {
	notes = slices.Clone(s.notes)
	c := state.Context{Data: data, Seed: s.Seed, File: name, Changed: changed, Partial: s.lent, Arrays: s.arrays,
		Revisions: state.Revisions{}, Note: func(text string) { notes = append(notes, text) }}
	for _, id := range s.Damaged {
		if title, required := state.Title(id); required {
			return nil, nil, problem.New(name, "take a copy of it from before, or "+remedy, "its %s cannot be read: "+
				"%s%s.json or an array is damaged", strings.ToLower(title), partFolder, id)
		}
	}
	now, foreign, err := state.Decode(s.Parts, c)
	if err != nil {
		return nil, nil, err
	}
	d = state.New(data, data.Name, s.Seed, now)
	d.Sampling, d.Foreign, d.ForeignData = s.Sampling(), foreign, s.Data.Rest
	d.ForeignArrays = map[string]matrix.Matrix32{}
	for _, id := range sorted(foreign) {
		for _, array := range foreign[id].Arrays {
			m, err := s.arrays.Get(array)
			if err != nil {
				delete(foreign, id)
				notes = append(notes, "the part \""+id+"\" is not kept: "+problem.As(err).What)
				break
			}
			d.ForeignArrays[array] = m
		}
	}
	switch {
	case s.History == nil:
	case changed:
		notes = append(notes, "the history is that of the data as it was: it begins anew")
	default:
		s.arrays.prefetch()
		if err := d.DecodeHistory(s.History, c); err != nil {
			notes = append(notes, "the history is left out: "+problem.As(err).What)
		}
	}
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
