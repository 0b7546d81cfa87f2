package documents

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"blossom/model/base/revision"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/recovery"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/work"
)

// Every is how often the session is saved by itself. With the time that this takes, a crash costs no more than
// 20 seconds of work.
const Every = 15 * time.Second

// Autosave keeps the session on disk by itself. Each document has a slot in the store of sessions, from its first save
// until the window closes or goes on to another document.
type Autosave struct {
	Store   *recovery.Store
	Jobs    *work.Jobs
	Off     bool   // nothing is saved by itself, and nothing is said of it
	Name    string // the session had it in a slot before
	Carried bool   // the session came from a slot, with work that no file of the user's has

	dir string

	doc   *state.Document // the one that is being kept
	rest  state.State     // the state of doc when it last made sense as a session
	have  bool            // there is such a state
	saved stamp           // held by the slot
	work  stamp           // the same, without how things are looked at
	at    time.Time       // when it was saved last
	about recovery.About  // as then
	busy  bool
	filed bool // the user has saved doc since, which the slot does not know yet
	fails bool // the last save failed, and that was said

	writing sync.WaitGroup // saves in jobs
	mu      sync.Mutex     // guards slot, which jobs make
	slot    *recovery.Slot
	note    string // it says how it is not as it should be
	told    bool
	old     string // the file of an older program that is open, until it is saved here
	shelved map[*opening.Kept]*recovery.Slot
}

// stamp tells documents and their states apart.
type stamp struct {
	doc     *state.Document
	parts   state.Stamp
	history revision.Revision // where views count
}

// NewAutosave keeps sessions in the state folder dir; "" is the user's own.
func NewAutosave(dir string) *Autosave {
	if dir == "" {
		dir = filepath.Join(xdg.StateHome, "blossom")
	}
	return &Autosave{dir: dir, Store: recovery.In(dir), shelved: map[*opening.Kept]*recovery.Slot{}}
}

// Path is the newest save of the open document, or "".
func (s *Autosave) Path() string {
	if slot := s.current(); slot != nil {
		return slot.Path()
	}
	return ""
}

// ID names the slot of the open document in the store, or is "".
func (s *Autosave) ID() string {
	if slot := s.current(); slot != nil {
		return slot.ID()
	}
	return ""
}

// stampOf is the stamp of all that a session keeps; views says whether how things are looked at counts.
func stampOf(d *state.Document, views bool) stamp { return stampAt(d, d.State(), views) }

func stampAt(d *state.Document, s state.State, views bool) stamp {
	out := stamp{doc: d, parts: s.Stamp(views)}
	if views {
		out.history = d.History().Rev()
	}
	return out
}

// Has says whether the slot holds all of a document, and knows what the user has saved of it.
func (s *Autosave) Has(d *state.Document) bool {
	return !s.busy && !s.filed && s.saved == stampOf(d, true)
}

// Saved says when a document was saved by itself last, zero for never, and whether the last try failed.
func (s *Autosave) Saved(d *state.Document) (at time.Time, failed bool) {
	if s.saved.doc == d && !s.Off {
		at = s.at
	}
	return at, s.fails
}

// Picture is the sketch of a document that its slot has.
func (s *Autosave) Picture(d *state.Document) (p recovery.Picture) {
	if s.doc == d {
		p = s.about.Picture
	}
	return p
}

// Wait returns when nothing is being saved.
func (s *Autosave) Wait() { s.writing.Wait() }

// Due returns when the session should be saved next; ok is false if nothing has changed.
func (s *Autosave) Due(m *live.Map) (at time.Time, ok bool) {
	switch {
	case m == nil || s.busy || s.Off:
		return time.Time{}, false // a document that was closed is let go of in the frame that closes it
	case m.Doc != s.doc, s.filed:
		return time.Time{}, true
	case s.Has(m.Doc) && !m.Unkept():
		return time.Time{}, false
	}
	return s.at.Add(Every), true
}

// Tick saves if it is time to. about says what is to be known of the session without opening it.
func (s *Autosave) Tick(now time.Time, m *live.Map, program string, about func() recovery.About, failed func(error)) {
	if s.busy {
		return
	}
	if m == nil {
		s.turn(nil, program, now)
		return
	}
	if m.Doc != s.doc {
		s.turn(m.Doc, program, now)
	}
	if parts.Settled(m.Doc.State()) {
		s.rest, s.have = m.Doc.State(), true
	}
	at, ok := s.Due(m)
	if !ok || now.Before(at) || !s.have {
		return
	}
	m.Keep()
	if parts.Settled(m.Doc.State()) {
		s.rest = m.Doc.State() // else a transform is being applied, and the landmarks are on their way
	}
	copied, saved, work := m.Doc.Snapshot(s.rest), stampAt(m.Doc, s.rest, true), stampAt(m.Doc, s.rest, false)
	s.busy, s.filed, s.at, s.about = true, false, now, about()
	what := s.about
	s.writing.Add(1)
	s.Jobs.Quiet(func(context.Context) (func(), error) {
		defer s.writing.Done()
		err := s.write(copied, what, program, now)
		return func() {
			s.busy = false
			switch {
			case err == nil:
				s.fails, s.saved, s.work = false, saved, work
			case !s.fails: // once said is enough until it works again
				s.fails = true
				failed(err)
			}
		}, nil
	})
}

// turn goes on to another document. The slot of the one before is let go of, as closed, with all that was done.
func (s *Autosave) turn(to *state.Document, program string, now time.Time) {
	if to == s.doc {
		return
	}
	if slot, was, about := s.current(), s.doc, s.about; slot != nil && was != nil {
		s.hold(nil)
		if parts.Settled(was.State()) {
			s.rest, s.have = was.State(), true
		}
		copied, have := was.Snapshot(s.rest), s.have
		n, last := changes(was.History())
		fresh := s.work != stampAt(was, s.rest, false) && (about.Session != "" || n > 0)
		about.Closed, about.Changed = true, about.Changed || fresh
		about.Changes, about.Last = n, last
		s.writing.Add(1)
		s.Jobs.Quiet(func(context.Context) (func(), error) {
			defer s.writing.Done()
			defer slot.Release()
			if !have {
				return nil, nil
			}
			return nil, slot.Save(copied, about, program, now)
		})
	}
	s.doc, s.have, s.saved, s.work, s.at, s.about = to, false, stamp{}, stamp{}, time.Time{}, recovery.About{}
	s.Name, s.Carried, s.old, s.filed = "", false, "", false
}

// Owns says whether a session is one that was saved by itself.
func (s *Autosave) Owns(path string) bool { return strings.HasPrefix(path, s.dir) }

// Continues says that d was opened from path, a session that was saved by itself: it goes on in its slot, unless
// another window has that.
func (s *Autosave) Continues(d *state.Document, path, program string, now time.Time) (about recovery.About) {
	s.writing.Wait()
	s.turn(d, program, now)
	if s.Store.IsOld(path) {
		s.Carried, s.old = true, path
	}
	about, ok := s.Store.About(path)
	if !ok {
		return recovery.About{}
	}
	s.Name, s.Carried, s.about = about.Name, about.Changed, about
	if slot, err := s.Store.Take(path); err == nil {
		s.hold(slot)
	}
	return about
}

// Renew has the slot saved again at once though nothing was changed: the session is the user's own now, or its data lie
// elsewhere. After a crash it must not be listed as never saved, with the older state that was kept by itself.
func (s *Autosave) Renew() { s.filed = true }

// SlotOf is the slot of d, or nil: that which is held may still be of the document before, while a save is under way.
func (s *Autosave) SlotOf(d *state.Document) *recovery.Slot {
	if d != s.doc {
		return nil
	}
	return s.current()
}

// Aside remembers the slot of d, which is put aside as k, and Back goes on in it with d, the same again. fallen, or
// nil, is put aside no more.
func (s *Autosave) Aside(d *state.Document, k, fallen *opening.Kept) {
	delete(s.shelved, fallen)
	if slot := s.SlotOf(d); slot != nil {
		s.shelved[k] = slot
	}
}

func (s *Autosave) Back(k *opening.Kept, d *state.Document, program string, now time.Time) {
	slot := s.shelved[k]
	delete(s.shelved, k)
	if slot == nil {
		return
	}
	s.writing.Wait()
	s.turn(d, program, now)
	s.writing.Wait()
	if again, err := s.Store.Take(slot.Path()); err == nil {
		s.hold(again)
	}
}

// write saves a document in its slot, which it makes if there is none, or if it was lost to another window.
func (s *Autosave) write(d *state.Document, about recovery.About, program string, now time.Time) error {
	for range 2 {
		slot := s.current()
		if slot == nil {
			var err error
			if slot, err = s.Store.Claim(); err != nil {
				return err
			}
			s.hold(slot)
		}
		err := slot.Save(d, about, program, now)
		if err == nil && s.old != "" {
			err = os.Remove(s.old) // it is here now
			s.old = ""
		}
		if !errors.Is(err, recovery.ErrHeld) {
			return err
		}
		slot.Release()
		s.hold(nil)
	}
	return recovery.ErrHeld
}

// current is the slot of the open document, or nil.
func (s *Autosave) current() *recovery.Slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slot
}

func (s *Autosave) hold(slot *recovery.Slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slot = slot; slot != nil {
		s.note = slot.Note()
	}
}

// News returns what is to be said of the locks of the store, once.
func (s *Autosave) News() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told || s.note == "" {
		return ""
	}
	s.told = true
	return s.note
}

// Keep saves in the slot at once.
func (s *Autosave) Keep(m *live.Map, about recovery.About, program string, at time.Time) error {
	if m == nil || s.Off {
		return nil
	}
	s.writing.Wait()
	if m.Doc != s.doc {
		s.turn(m.Doc, program, at)
		s.writing.Wait()
	}
	m.Keep()
	d := m.Doc.Snapshot(m.Doc.State())
	if s.have && !parts.Settled(d.State()) {
		d = m.Doc.Snapshot(s.rest)
	}
	return s.write(d, about, program, at)
}

// End saves what is open for the last time, and lets go of it.
func (s *Autosave) End(m *live.Map, about recovery.About, program string, at time.Time) error {
	about.Closed = true
	err := s.Keep(m, about, program, at)
	if m == nil {
		s.turn(nil, program, at)
	}
	s.writing.Wait()
	if slot := s.current(); slot != nil {
		slot.Release()
		s.hold(nil)
	}
	return errors.Join(err, s.Store.Tidy(context.Background()))
}
