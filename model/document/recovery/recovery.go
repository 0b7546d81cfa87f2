// Package recovery keeps sessions by themselves, so that a crash costs no more than the time since the last save.
//
// Each open document has a slot: a folder of a random name in the state folder, locked by the operating system for as
// long as its window lives, with the last saves of the session. A slot that nobody holds was left behind: its window
// was closed, or ended without closing. What is left is listed and can be taken up again or forgotten, one by one.
// Nothing here goes by process numbers: containers begin them anew, and systems use them again.
package recovery

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

const (
	folder   = "recovery" // folder of the slots, in the state folder
	lockName = "lock"
	// kept is how many saves of a slot there are: should the newest be damaged, the one before is there.
	kept   = 2
	remedy = "free some space there, or mend the folder's permissions; XDG_STATE_HOME names another folder"
)

// ErrHeld says that another window has the slot, or has taken it over.
var ErrHeld = errors.New("another window has this session open")

// Store is the slots of a state folder. It is safe for concurrent use, by several programs too.
type Store struct{ dir string }

// In returns the store in a state folder, which need not exist yet.
func In(dir string) *Store { return &Store{dir} }

// Dir is the state folder.
func (s *Store) Dir() string { return s.dir }

func (s *Store) slots() string { return filepath.Join(s.dir, folder) }

// Has says whether path is a save in one of the slots.
func (s *Store) Has(path string) bool {
	return filepath.Dir(filepath.Dir(path)) == s.slots() && number(filepath.Base(path)) > 0
}

// Slot is a place for the saves of one document, held by this program until Release. It is safe for concurrent use.
type Slot struct {
	mu      sync.Mutex
	dir     string
	hold    *hold
	newest  int // number of the newest save
	written int // saves since the slot is held

	packs  []pack // packs of the last save
	packed int    // number of the latest pack
	memo   state.Memo
}

// Claim makes a slot.
func (s *Store) Claim() (*Slot, error) {
	if err := os.MkdirAll(s.slots(), 0o755); err != nil {
		return nil, problem.Wrap(err, s.slots(), remedy, "sessions cannot be saved by themselves (%v)", reason(err))
	}
	for {
		dir := filepath.Join(s.slots(), random())
		if err := os.Mkdir(dir, 0o755); errors.Is(err, os.ErrExist) {
			continue
		} else if err != nil {
			return nil, problem.Wrap(err, dir, remedy, "sessions cannot be saved by themselves (%v)", reason(err))
		}
		return occupy(dir)
	}
}

// Take holds the slot that path is a save of, to go on there: what is saved next follows what it has. The error is
// ErrHeld if another window has it.
func (s *Store) Take(path string) (*Slot, error) {
	if !s.Has(path) {
		return nil, problem.New(path, "open it as a file", "is no session that was saved by itself")
	}
	if _, err := os.Stat(path); err != nil {
		return nil, problem.Wrap(err, path, "open another one", "has gone")
	}
	slot, err := occupy(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil { // forgotten while we came
		slot.Release()
		return nil, problem.Wrap(err, path, "open another one", "has gone")
	}
	return slot, nil
}

func occupy(dir string) (*Slot, error) {
	h, err := holdSlot(dir)
	if err != nil {
		return nil, err
	}
	s := &Slot{dir: dir, hold: h, packed: latestPack(dir)}
	for _, n := range saves(dir) {
		s.newest = max(s.newest, n)
	}
	parts, _ := filepath.Glob(filepath.Join(dir, ".*.part")) // parts of a save that a crash cut short
	for _, p := range parts {
		_ = os.Remove(p)
	}
	return s, nil
}

// Note says in words what is not as it should be with the lock, or "".
func (s *Slot) Note() string { return s.hold.note }

// ID names the slot in its store.
func (s *Slot) ID() string { return filepath.Base(s.dir) }

// Path is the newest save, or "".
func (s *Slot) Path() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest == 0 {
		return ""
	}
	return s.save(s.newest)
}

func (s *Slot) save(n int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%08d%s", n, session.Extension))
}

// Save writes a document as the newest save; only then an older one goes, so that a save that fails costs nothing.
// The error is ErrHeld if the slot was taken over, which locks prevent where there are any.
func (s *Slot) Save(d *state.Document, about About, program string, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hold.ours() {
		return ErrHeld
	}
	path := s.save(s.newest + 1)
	err := s.write(d, about, path, program, now)
	if errors.Is(err, errLost) { // somebody has tidied: all is written anew
		s.packs, s.memo = nil, state.Memo{}
		err = s.write(d, about, path, program, now)
	}
	if err != nil {
		p := problem.As(err)
		return problem.Wrap(err, path, remedy, "the session was not saved by itself (%s)", p.What)
	}
	s.newest++
	s.written++
	for _, n := range saves(s.dir) {
		// Files that were there when the slot was taken may be what is open: they all stay until two saves are there.
		if n <= s.newest-kept && s.written >= kept {
			_ = os.Remove(s.save(n)) // if that fails, one more is there
		}
	}
	s.tidyPacks()
	return nil
}

// write writes a save, after the arrays that it needs.
func (s *Slot) write(d *state.Document, about About, path, program string, now time.Time) error {
	f, err := session.Full(d, path, program, now, &s.memo)
	if err != nil {
		return err
	}
	if err := about.into(f); err != nil {
		return err
	}
	if err := s.store(f); err != nil {
		return err
	}
	return format.AtomicWrite(path, func(w io.Writer) error { return f.WriteLean(w, inSave) })
}

// Release lets go of the slot. What is saved in it stays.
func (s *Slot) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold.release()
}

// remove deletes a slot that this program holds, and lets go of it.
func (s *Slot) remove() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := os.ReadDir(s.dir)
	for _, e := range list {
		if e.Name() == lockName { // last, so that nobody takes what is being deleted
			continue
		}
		err = errors.Join(err, os.Remove(filepath.Join(s.dir, e.Name())))
	}
	s.hold.release()
	if err == nil {
		err = errors.Join(os.Remove(filepath.Join(s.dir, lockName)), os.Remove(s.dir))
	}
	return err
}

// saves returns the numbers of the saves in a slot, the newest first.
func saves(dir string) (out []int) {
	list, _ := os.ReadDir(dir) // a folder that cannot be read has none
	for _, e := range list {
		if n := number(e.Name()); n > 0 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// number is the number of a save by its name, or 0.
func number(name string) int {
	text, ok := strings.CutSuffix(name, session.Extension)
	n, err := strconv.Atoi(text)
	if !ok || err != nil || len(text) != 8 || n < 0 {
		return 0
	}
	return n
}

// random is a name that nothing else has.
func random() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it does not fail
	return hex.EncodeToString(b[:])
}

// reason is what the system says, without the path.
func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
