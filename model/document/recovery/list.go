package recovery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"blossom/model/base/problem"
	"blossom/model/document/session"
)

var errDamaged = errors.New("the save is damaged")

// Item is a session that was saved by itself and that nobody has closed as saved.
type Item struct {
	ID    string // names it in the store
	Path  string // file to open: the newest save that is whole; "": none can be read
	About        // told by that save
	Data  []string
	// Missing are those of Data that are not where they were.
	Missing []string
	Points  int
	At      time.Time // time of that save
	Size    int64     // bytes of that save
	Damage  string    // a line about what is not whole, or ""
	Held    bool      // a window has it open
	Where   string    // the machine of that window

	old bool // saved by a version that named files by process numbers
}

// Crashed says that the session's window ended without closing.
func (i *Item) Crashed() bool { return !i.Held && !i.Closed }

// Lost says that the window ended without closing, and with work that no session of the user has.
func (i *Item) Lost() bool { return i.Crashed() && i.Changed }

// List returns what is in the store, what windows have open last, else the newest first. A store that is not there is
// empty.
func (s *Store) List(ctx context.Context) ([]Item, error) { return s.list(ctx, look) }

// list looks for the data of each by find; nil leaves that out, where data may be far away.
func (s *Store) list(ctx context.Context, find finder) ([]Item, error) {
	var out []Item
	list, err := os.ReadDir(s.slots())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		err = problem.Wrap(err, s.slots(), remedy, "what was saved there cannot be listed (%v)", reason(err))
	} else {
		err = nil
	}
	for _, e := range list {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i, ok := s.item(e.Name(), find); ok {
			out = append(out, i)
		}
	}
	out = append(out, s.olds(find)...)
	slices.SortStableFunc(out, func(a, b Item) int {
		if a.Held != b.Held {
			if a.Held {
				return 1
			}
			return -1
		}
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	return out, err
}

// About is what a save at path says of its session; ok is false if that is none.
func (s *Store) About(path string) (about About, ok bool) {
	if !s.Has(path) {
		return about, false
	}
	f, _, err := read(path)
	if err != nil {
		return about, false
	}
	return f.About, true
}

// finder says where the data of a session is, and what of it is missing.
type finder func(s *session.Session, path string) (found, missing []string)

// look is how a list looks for data; a test counts how often.
var look finder = (*session.Session).Find

// item reads a slot; ok is false of one without saves.
func (s *Store) item(id string, find finder) (i Item, ok bool) {
	dir := filepath.Join(s.slots(), id)
	i.ID = id
	i.Held, i.Where = held(dir)
	numbers := saves(dir)
	if len(numbers) == 0 {
		return i, false
	}
	var best *file
	var flaws []string
	for _, n := range numbers {
		path := filepath.Join(dir, fmt.Sprintf("%08d%s", n, session.Extension))
		f, damaged, err := read(path)
		if err != nil || best != nil && len(damaged) >= len(flaws) {
			continue
		}
		best, flaws, i.Path = f, damaged, path
		if len(damaged) == 0 {
			break
		}
	}
	newest := filepath.Join(dir, fmt.Sprintf("%08d%s", numbers[0], session.Extension))
	switch {
	case best == nil:
		i.Name, i.Damage, i.Changed = "unknown", "it is damaged and cannot be read", true
		i.At, i.Size = changed(newest)
		return i, true
	case len(flaws) > 0:
		i.Damage = strings.Join(flaws, ", ") + " damaged, the rest is whole"
	case i.Path != newest:
		i.Damage = "the newest save is damaged; this is the one before"
	}
	i.fill(best, find)
	return i, true
}

// fill takes what a save says.
func (i *Item) fill(f *file, find finder) {
	i.About, i.Points = f.About, f.Data.Points
	_, i.Size = changed(i.Path)
	i.At = f.Saved
	if find != nil {
		i.Data, i.Missing = find(f.Session, i.Path)
	}
	if i.Name == "" {
		i.Name = strings.TrimPrefix(filepath.Base(f.Data.Path), "demo:")
	}
}

func changed(path string) (time.Time, int64) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, 0
	}
	return info.ModTime(), info.Size()
}

// Forget deletes the session of an item, for good, and nothing else. The error is ErrHeld if a window has it open.
func (s *Store) Forget(i Item) error {
	if i.old {
		path := filepath.Join(s.dir, i.ID)
		if writing(path) {
			return ErrHeld
		}
		return os.Remove(path)
	}
	dir := filepath.Join(s.slots(), i.ID)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	slot, err := occupy(dir)
	if err != nil {
		return err
	}
	return slot.remove()
}

// Closed sessions are kept by their number: those with work that no file of the user's has, and one of the others, to
// go on with. Those that a crash left with such work are kept until they are named, others as closed ones.
const (
	keepChanged   = 20
	keepUnchanged = 1
)

// Tidy deletes closed sessions, and those that a crash left without work, beyond those that are kept, the oldest first,
// and slots that never came to a save.
func (s *Store) Tidy(ctx context.Context) error {
	list, err := s.list(ctx, nil) // a window is closing: it does not wait for a disk that does not answer
	if err != nil {
		return err
	}
	changed, unchanged := 0, 0
	for _, i := range list {
		if i.Lost() || i.Held || i.old || i.Path == "" {
			continue
		}
		n, most := &unchanged, keepUnchanged
		if i.Changed {
			n, most = &changed, keepChanged
		}
		if *n++; *n > most {
			err = errors.Join(err, s.Forget(i))
		}
	}
	dirs, _ := os.ReadDir(s.slots())
	for _, d := range dirs {
		dir := filepath.Join(s.slots(), d.Name())
		info, e := d.Info()
		if e != nil || len(saves(dir)) > 0 || clock(s.slots()).Sub(info.ModTime()) < time.Hour {
			continue // a window may be about to save there
		}
		if slot, e := occupy(dir); e == nil {
			_ = slot.remove()
		}
	}
	return err
}
