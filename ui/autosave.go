package ui

import (
	"context"
	"errors"
	"fmt"
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

// autosaveEvery is how often the session is saved by itself. With the time that this takes, a crash costs no more than
// 20 seconds of work.
const autosaveEvery = 15 * time.Second

// autosave keeps the session on disk by itself. Each document has a slot in the store of sessions, from its first save
// until the window closes or goes on to another document.
type autosave struct {
	dir   string
	store *recovery.Store
	jobs  *work.Jobs

	doc   *state.Document // that is being kept
	rest  state.State     // of doc, when it last made sense as a session
	have  bool            // there is such a state
	saved stamp           // what the slot holds
	at    time.Time       // of the last save
	about recovery.About  // as then
	busy  bool
	filed bool // the user has saved doc since, which the slot does not know yet
	fails bool // the last save failed, and that was said

	writing sync.WaitGroup // saves in jobs
	mu      sync.Mutex     // of slot, which jobs make
	slot    *recovery.Slot
	note    string // what is not as it should be with it
	told    bool
	name    string // that the session had in a slot before
	carried bool   // the session came from a slot, with work that no file of the user's has
	old     string // the file of an older program that is open, until it is saved here
	shelved map[*opening.Kept]*recovery.Slot
}

// stamp tells documents and their states apart.
type stamp struct {
	doc     *state.Document
	parts   state.Stamp
	history revision.Revision // where views count
}

func newAutosave(dir string) *autosave {
	if dir == "" {
		dir = filepath.Join(xdg.StateHome, "blossom")
	}
	return &autosave{dir: dir, store: recovery.In(dir), shelved: map[*opening.Kept]*recovery.Slot{}}
}

// path is the newest save of the open document, or "".
func (s *autosave) path() string {
	if slot := s.current(); slot != nil {
		return slot.Path()
	}
	return ""
}

// id names the slot of the open document in the store, or is "".
func (s *autosave) id() string {
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

// due returns when the session should be saved next; ok is false if nothing has changed.
func (s *autosave) due(m *live.Map) (at time.Time, ok bool) {
	switch {
	case m == nil || s.busy:
		return time.Time{}, false // a document that was closed is let go of in the frame that closes it
	case m.Doc != s.doc, s.filed:
		return time.Time{}, true
	case stampOf(m.Doc, true) == s.saved && !m.Unkept():
		return time.Time{}, false
	}
	return s.at.Add(autosaveEvery), true
}

// tick saves if it is time to. about says what is to be known of the session without opening it.
func (s *autosave) tick(now time.Time, m *live.Map, program string, about func() recovery.About, failed func(error)) {
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
	at, ok := s.due(m)
	if !ok || now.Before(at) || !s.have {
		return
	}
	m.Keep()
	if parts.Settled(m.Doc.State()) {
		s.rest = m.Doc.State() // else a transform is being applied, and the landmarks are on their way
	}
	copied, saved := m.Doc.Snapshot(s.rest), stampAt(m.Doc, s.rest, true)
	s.busy, s.filed, s.at, s.about = true, false, now, about()
	what := s.about
	s.writing.Add(1)
	s.jobs.Quiet(func(context.Context) (func(), error) {
		defer s.writing.Done()
		err := s.write(copied, what, program, now)
		return func() {
			s.busy = false
			switch {
			case err == nil:
				s.fails, s.saved = false, saved
			case !s.fails: // once said is enough until it works again
				s.fails = true
				failed(err)
			}
		}, nil
	})
}

// turn goes on to another document. The slot of the one before is let go of, as closed, with all that was done.
func (s *autosave) turn(to *state.Document, program string, now time.Time) {
	if to == s.doc {
		return
	}
	if slot, was, about := s.current(), s.doc, s.about; slot != nil && was != nil {
		s.hold(nil)
		if parts.Settled(was.State()) {
			s.rest, s.have = was.State(), true
		}
		copied, have := was.Snapshot(s.rest), s.have
		about.Closed, about.Changed = true, about.Changed || s.saved != stampAt(was, s.rest, true)
		s.writing.Add(1)
		s.jobs.Quiet(func(context.Context) (func(), error) {
			defer s.writing.Done()
			defer slot.Release()
			if !have {
				return nil, nil
			}
			return nil, slot.Save(copied, about, program, now)
		})
	}
	s.doc, s.have, s.saved, s.at, s.about = to, false, stamp{}, time.Time{}, recovery.About{}
	s.name, s.carried, s.old, s.filed = "", false, "", false
}

// owns says whether a session is one that was saved by itself.
func (s *autosave) owns(path string) bool { return strings.HasPrefix(path, s.dir) }

// continues says that d was opened from path, a session that was saved by itself: it goes on in its slot, unless
// another window has that.
func (s *autosave) continues(d *state.Document, path, program string, now time.Time) (about recovery.About) {
	s.writing.Wait()
	s.turn(d, program, now)
	if s.store.IsOld(path) {
		s.carried, s.old = true, path
	}
	about, ok := s.store.About(path)
	if !ok {
		return recovery.About{}
	}
	s.name, s.carried, s.about = about.Name, about.Changed, about
	if slot, err := s.store.Take(path); err == nil {
		s.hold(slot)
	}
	return about
}

// renew has the slot saved again at once though nothing was changed: the session is the user's own now. After a crash
// it must not be listed as never saved, with the older state that was kept by itself.
func (s *autosave) renew() { s.filed = true }

// slotOf is the slot of d, or nil: that which is held may still be of the document before, while a save is under way.
func (s *autosave) slotOf(d *state.Document) *recovery.Slot {
	if d != s.doc {
		return nil
	}
	return s.current()
}

// aside remembers the slot of d, which is put aside as k, and back goes on in it with d, the same again. fallen, or
// nil, is put aside no more.
func (s *autosave) aside(d *state.Document, k, fallen *opening.Kept) {
	delete(s.shelved, fallen)
	if slot := s.slotOf(d); slot != nil {
		s.shelved[k] = slot
	}
}

func (s *autosave) back(k *opening.Kept, d *state.Document, program string, now time.Time) {
	slot := s.shelved[k]
	delete(s.shelved, k)
	if slot == nil {
		return
	}
	s.writing.Wait()
	s.turn(d, program, now)
	s.writing.Wait()
	if again, err := s.store.Take(slot.Path()); err == nil {
		s.hold(again)
	}
}

// write saves a document in its slot, which it makes if there is none, or if it was lost to another window.
func (s *autosave) write(d *state.Document, about recovery.About, program string, now time.Time) error {
	for range 2 {
		slot := s.current()
		if slot == nil {
			var err error
			if slot, err = s.store.Claim(); err != nil {
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
func (s *autosave) current() *recovery.Slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slot
}

func (s *autosave) hold(slot *recovery.Slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slot = slot; slot != nil {
		s.note = slot.Note()
	}
}

// news returns what is to be said of the locks of the store, once.
func (s *autosave) news() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told || s.note == "" {
		return ""
	}
	s.told = true
	return s.note
}

// keep saves in the slot at once.
func (s *autosave) keep(m *live.Map, about recovery.About, program string, at time.Time) error {
	if m == nil {
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

// end saves what is open for the last time, and lets go of it.
func (s *autosave) end(m *live.Map, about recovery.About, program string, at time.Time) error {
	about.Closed = true
	err := s.keep(m, about, program, at)
	if m == nil {
		s.turn(nil, program, at)
	}
	s.writing.Wait()
	if slot := s.current(); slot != nil {
		slot.Release()
		s.hold(nil)
	}
	return errors.Join(err, s.store.Tidy(context.Background()))
}

// savedText says how old the last saved state is.
func (a *App) savedText() string {
	if a.desk == nil {
		return ""
	}
	if a.desk.Session != "" && a.desk.Saved == a.desk.Doc.State().Stamp(false) {
		return "saved as " + filepath.Base(a.desk.Session)
	}
	if a.saves.fails {
		return "not saved by itself"
	}
	if a.saves.at.IsZero() || a.saves.saved.doc != a.desk.Doc {
		return ""
	}
	d := a.ctx.Now().Sub(a.saves.at)
	switch {
	case d < 5*time.Second:
		return "autosaved"
	case d < time.Minute:
		return fmt.Sprintf("autosaved %d s ago", int(d.Seconds())/5*5)
	}
	return fmt.Sprintf("autosaved %d min ago", int(d.Minutes()))
}
