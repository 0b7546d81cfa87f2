package opening

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/model/work"
)

// Kept is a document that was put aside, with its history.
type Kept struct {
	Title  string
	Points int
	Files  []string // files of its data
	At     time.Time
	// Session is the file that "save" wrote to, or ""; Saved is what that holds.
	Session string
	Saved   state.Stamp
	Written fingerprint.Print // print of that file
	// ID is the document's, and Within that of the one of whose points it has those of the population Subset.
	ID, Within revision.Revision
	Subset     population.ID

	mu sync.Mutex // guards all that follows, which shrink changes while a job that was given up may still open it
	contents
}

// contents are the document, with its data or without.
type contents struct {
	doc   *state.Document
	table *transform.Table
	lean  bool             // memory was short: the data has to be read again,
	file  *session.Session // as this says
}

// Keep puts a document aside that was left. name is the session file that "save" wrote to, or "".
func Keep(o *Opened, name string, saved state.Stamp, now time.Time) *Kept {
	k := &Kept{Title: o.Doc.Title, Points: o.Doc.Data.Points, Files: o.Doc.Files(), At: now, Session: name,
		Saved: saved, ID: o.Doc.ID, Within: o.Doc.Within, contents: contents{doc: o.Doc, table: o.Table}}
	if s := o.Doc.Data.Subset; s != nil {
		k.Subset = population.ID(s.Population)
	}
	return k
}

// Unsaved says whether there is something in it that no session file has.
func (k *Kept) Unsaved() bool { return k.Session == "" || k.Saved != k.doc.State().Stamp(false) }

// Changes is how many entries its history has.
func (k *Kept) Changes() int { return k.doc.History().Done() }

// Bytes is the memory that its data takes: none where it has to be read again.
func (k *Kept) Bytes() (n int64) {
	if k.lean {
		return 0
	}
	for i := range k.doc.Data.Columns {
		n += k.doc.Data.Columns[i].Bytes()
	}
	if k.table != nil {
		n += 4 * int64(len(k.table.X.Data))
	}
	return n
}

// shrink lets go of the data, if there is a description of it to read it again by.
func (k *Kept) shrink() {
	if k.lean {
		return
	}
	file, err := session.Of(k.doc, k.Session, "", k.At)
	if err != nil {
		return
	}
	d := *k.doc
	d.Data = nil
	k.mu.Lock()
	k.contents = contents{doc: &d, file: file, lean: true}
	k.mu.Unlock()
}

// Open takes the document up again, with its history. Where its data was let go it is read again, with the questions
// of LoadSession: a *session.Missing, or a *Changed, which opens it without its history.
func (k *Kept) Open(ctx context.Context, wanted, chosen string, o format.Options, j *work.Job) (*Opened, error) {
	if j != nil {
		o.Progress = j.Report
	}
	k.mu.Lock()
	c := k.contents
	k.mu.Unlock()
	data, prints, table := c.doc.Data, c.doc.Prints, c.table
	if c.lean {
		f, err := findData(ctx, c.file, k.name(), wanted, chosen, o)
		var changed *Changed
		if errors.As(err, &changed) {
			changed.back = k
		}
		if err != nil {
			return nil, err
		}
		data, prints = f.data, f.prints
	}
	if table == nil {
		var err error
		table, err = transform.Build(ctx, data, parts.Transform.Of(c.doc.State()),
			transform.Shuffle(data.Points, c.doc.Seed), o.Progress)
		if err != nil {
			return nil, err
		}
	}
	doc := *c.doc // the shelf keeps it as it is, should something go wrong from here on
	doc.Data, doc.Prints = data, prints
	return &Opened{Doc: &doc, Table: table, Session: k.Session, Restored: true, Back: k,
		Said: k.Title + " as it was left"}, nil
}

// name is the file that errors speak of.
func (k *Kept) name() string {
	if k.Session != "" {
		return k.Session
	}
	return k.Title
}

// Deep is how many documents a Shelf holds.
const Deep = 5

// Shelf is the documents that were put aside, with their histories. The latest keep their data as long as memory
// allows; that of the others is read again.
type Shelf struct {
	// Free says how much memory can be taken; nil asks the system.
	Free func() int64

	list []*Kept // the latest first
}

// List returns what is there, the latest first.
func (s *Shelf) List() []*Kept { return s.list }

// Find returns the document on the shelf that is like, the latest; nil: there is none.
func (s *Shelf) Find(like func(k *Kept) bool) *Kept {
	if i := slices.IndexFunc(s.list, like); i >= 0 {
		return s.list[i]
	}
	return nil
}

// Put adds a document, and returns the one for which there is no more room, or nil.
func (s *Shelf) Put(k *Kept) (fallen *Kept) {
	s.list = append([]*Kept{k}, s.list...)
	if len(s.list) > Deep {
		fallen = s.list[Deep]
		s.list = s.list[:Deep:Deep]
	}
	free := s.Free
	if free == nil {
		free = format.AvailableMemory
	}
	held := int64(0)
	for _, k := range s.list {
		held += k.Bytes()
	}
	for i, most := len(s.list)-1, (free()+held)/4; i >= 0 && held > most; i-- {
		held -= s.list[i].Bytes()
		s.list[i].shrink()
	}
	return fallen
}

// Filed notes of a document that was put aside while it was written that name holds it, as it was then.
func (s *Shelf) Filed(d *state.Document, name string, saved state.Stamp, written fingerprint.Print) {
	for _, k := range s.list {
		if k.doc == d {
			k.Session, k.Saved, k.Written = name, saved, written
		}
	}
}

// Take takes a document from the shelf.
func (s *Shelf) Take(k *Kept) {
	for i, x := range s.list {
		if x == k {
			s.list = append(s.list[:i:i], s.list[i+1:]...)
			return
		}
	}
}
