package recovery

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"blossom/model/base/problem"
)

// hold is a slot in the hands of this program: a lock of the operating system, which goes with the process however it
// ends. On folders without locks, and on those of other machines, whose locks may not reach us, a holder also gives a
// sign of life every few seconds.
type hold struct {
	lock  *flock.Flock // nil: the folder has no locks
	dir   string
	owner owner
	note  string

	once sync.Once
	stop chan struct{}
	done sync.WaitGroup
}

// owner is who holds a slot, as a file in it says. Process and Born are only compared with those of processes in the
// same PID namespace since the same start of the system, where together they name one process for ever.
type owner struct {
	Host    string `json:"host"`
	Boot    string `json:"boot,omitempty"`  // sign of the system's start
	Space   string `json:"space,omitempty"` // sign of the space of process numbers
	Process int    `json:"process"`
	Born    string `json:"born,omitempty"`
	Hold    string `json:"hold"`            // sign of this hold alone
	Signs   bool   `json:"signs,omitempty"` // signs of life are given
}

const (
	ownerName = "owner.json"
	// signEvery is how often a sign of life is given where locks cannot be trusted, signLost how long after the
	// last one its giver is taken for gone.
	signEvery = 10 * time.Second
	signLost  = 45 * time.Second
)

// locking makes locks; tests put folders in its place that have none.
var locking = func(path string) *flock.Flock { return flock.New(path, flock.SetPermissions(0o644)) }

// distant says whether a folder is another machine's; tests say so of any.
var distant = remote

// holdSlot holds a slot, or returns ErrHeld.
func holdSlot(dir string) (*hold, error) {
	h := &hold{dir: dir, owner: self(), stop: make(chan struct{})}
	h.owner.Hold = random()
	l := locking(filepath.Join(dir, lockName))
	ok, err := patiently(l.TryLock)
	switch {
	case err != nil && unlockable(err):
		h.note = "this folder has no locks; windows tell by signs of life who has a session open"
	case err != nil:
		return nil, problem.Wrap(err, l.Path(), remedy, "the session cannot be locked (%v)", reason(err))
	case !ok:
		return nil, ErrHeld
	case !works(l.Path()):
		l.Close()
		h.note = "locks have no effect in this folder; windows tell by signs of life who has a session open"
	default:
		h.lock = l
	}
	if was, ok := ownerOf(dir); ok && was.Signs && was.alive(dir) {
		h.unlock()
		return nil, ErrHeld
	}
	if h.owner.Signs = h.lock == nil || distant(dir); h.owner.Signs && h.note == "" {
		h.note = "the folder is another machine's: beside its lock each window gives signs of life"
	}
	text, err := json.Marshal(h.owner)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ownerName), text, 0o644)
	}
	if err != nil {
		h.unlock()
		return nil, problem.Wrap(err, dir, remedy, "the session cannot be kept there (%v)", reason(err))
	}
	if h.owner.Signs {
		h.done.Add(1)
		go h.live(text)
	}
	return h, nil
}

// live gives signs of life, by writing what the file of the owner already holds.
func (h *hold) live(text []byte) {
	defer h.done.Done()
	t := time.NewTicker(signEvery)
	defer t.Stop()
	for {
		select {
		case <-h.stop:
			return
		case <-t.C:
		}
		if !h.ours() {
			return // taken over while this machine slept
		}
		if f, err := os.OpenFile(filepath.Join(h.dir, ownerName), os.O_WRONLY, 0); err == nil {
			_, _ = f.WriteAt(text, 0)
			_ = f.Close()
		}
	}
}

// ours says whether the slot is still this hold's: without locks another window may have taken it for left behind, as
// after the machine slept.
func (h *hold) ours() bool {
	if !h.owner.Signs {
		return true
	}
	now, ok := ownerOf(h.dir)
	return !ok || now.Hold == h.owner.Hold
}

func (h *hold) release() {
	h.once.Do(func() {
		close(h.stop)
		h.done.Wait()
		if h.owner.Signs && h.ours() { // there are no more signs to wait for
			_ = os.Remove(filepath.Join(h.dir, ownerName))
		}
		h.unlock()
	})
}

func (h *hold) unlock() {
	if h.lock != nil {
		_ = h.lock.Close()
	}
}

// held says whether a program, this one or another, holds a slot now, and on which machine.
func held(dir string) (yes bool, where string) {
	was, known := ownerOf(dir)
	l := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY))
	switch ok, err := l.TryRLock(); { // shared, so that two who look do not see each other
	case err == nil && !ok:
		return true, was.Host
	case err == nil:
		_ = l.Close()
	}
	if known && was.Signs && was.alive(dir) {
		return true, was.Host
	}
	return false, ""
}

// works says whether a lock on the file at path, which is locked, keeps others off.
func works(path string) bool {
	second := locking(path)
	ok, err := second.TryLock()
	_ = second.Close()
	return err != nil || !ok
}

// unlockable says of an error of locking that the folder has no locks; those of opening the file mean something else.
func unlockable(err error) bool {
	var p *fs.PathError
	return !errors.As(err, &p)
}

// patiently tries again for a moment: somebody may just be looking whether the slot is held.
func patiently(try func() (bool, error)) (ok bool, err error) {
	for range 20 {
		if ok, err = try(); ok || err != nil {
			return ok, err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false, nil
}

func ownerOf(dir string) (o owner, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, ownerName))
	return o, err == nil && json.Unmarshal(text, &o) == nil
}

// alive says whether the owner of a slot, who gives signs of life, still lives.
func (o *owner) alive(dir string) bool {
	me := self()
	switch {
	case o.Boot != "" && o.Boot == me.Boot && o.Space != "" && o.Space == me.Space && o.Born != "":
		return born(o.Process) == o.Born // exactly known
	case o.Host == me.Host && o.Boot != "" && me.Boot != "" && o.Boot != me.Boot:
		return false // this machine has been started since
	}
	sign, err := os.Stat(filepath.Join(dir, ownerName))
	return err == nil && clock(dir).Sub(sign.ModTime()) < signLost
}

// clock is the time by the clock that dates files in a folder, which may be another machine's.
func clock(dir string) time.Time {
	f, err := os.CreateTemp(dir, ".clock-*.part")
	if err != nil {
		return time.Now()
	}
	defer os.Remove(f.Name())
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return time.Now()
	}
	return info.ModTime()
}
