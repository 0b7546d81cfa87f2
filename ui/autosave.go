package ui

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/adrg/xdg"

	"blossom/model/format"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/model/problem"
	"blossom/model/session"
	"blossom/model/state"
)

// autosaveEvery is how much work a crash can cost at most.
const autosaveEvery = 20 * time.Second

// autosave keeps the session on disk by itself. Each running program has a file of its own, named by
// its process; at a clean end it becomes last.blossom, and one left behind by a process that is gone
// was a crash.
type autosave struct {
	dir   string
	saved stamp // what the file on disk holds
	at    time.Time
	busy  bool
}

// stamp tells documents and their states apart.
type stamp struct {
	doc   *state.Document
	parts state.Stamp
}

func newAutosave(dir string) *autosave {
	if dir == "" {
		dir = filepath.Join(xdg.StateHome, "blossom")
	}
	return &autosave{dir: dir}
}

func (s *autosave) path() string {
	return filepath.Join(s.dir, fmt.Sprintf("running-%d%s", os.Getpid(), session.Extension))
}

func (s *autosave) last() string { return filepath.Join(s.dir, "last"+session.Extension) }

// previous is where the session goes that another file replaces.
func (s *autosave) previous() string { return filepath.Join(s.dir, "previous"+session.Extension) }

// crashed returns the sessions that processes left behind which are no more, the latest last.
func (s *autosave) crashed() []string {
	found, err := filepath.Glob(filepath.Join(s.dir, "running-*"+session.Extension))
	if err != nil {
		return nil
	}
	var left []string
	for _, p := range found {
		text := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(p), "running-"), session.Extension)
		if pid, err := strconv.Atoi(text); err == nil && pid != os.Getpid() && !alive(pid) {
			left = append(left, p)
		}
	}
	sort.Slice(left, func(i, j int) bool { return changed(left[i]).Before(changed(left[j])) })
	return left
}

// restored forgets a session that a crash had left, once it is open again.
func (s *autosave) restored(path string) {
	if slices.Contains(s.crashed(), path) {
		_ = os.Remove(path) // if that fails it is offered again, and nothing is lost
	}
}

func changed(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || os.IsPermission(err)
}

// stampOf is the stamp of all that a session keeps; views says whether how things are looked at counts.
func stampOf(d *state.Document, views bool) stamp { return stamp{d, d.State().Stamp(views)} }

// due returns when the session should be saved next; ok is false if nothing has changed.
func (s *autosave) due(m *live.Map) (at time.Time, ok bool) {
	if m == nil || s.busy || stampOf(m.Doc, true) == s.saved {
		return time.Time{}, false
	}
	return s.at.Add(autosaveEvery), true
}

// tick saves if it is time to.
func (s *autosave) tick(now time.Time, m *live.Map, version string, failed func(error)) {
	at, ok := s.due(m)
	if !ok || now.Before(at) {
		return
	}
	if !parts.Settled(m.Doc.State()) {
		return // a transform is being applied: the landmarks are on their way
	}
	stamp, copied := stampOf(m.Doc, true), m.Doc.Copy()
	path := s.path()
	s.busy, s.at = true, now
	m.Jobs.Quiet(func(context.Context) (func(), error) {
		err := writeSession(copied, path, version, now)
		return func() {
			s.busy = false
			if err != nil {
				failed(err)
			}
			s.saved = stamp // also after an error: once said is enough until the next change
		}, nil
	})
}

// now saves at once, for the moments when there is no later.
func (s *autosave) now(m *live.Map, path, version string, at time.Time) error {
	if m == nil {
		return nil
	}
	return writeSession(m.Doc, path, version, at)
}

// end turns the file of this run into the last session.
func (s *autosave) end(m *live.Map, version string, at time.Time) error {
	err := s.now(m, s.last(), version, at)
	if err == nil || m == nil {
		if e := os.Remove(s.path()); e != nil && !os.IsNotExist(e) {
			err = e
		}
	}
	return err
}

func writeSession(d *state.Document, path, version string, at time.Time) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return problem.Wrap(err, path, "check the folder's permissions", "the folder cannot be made (%v)", err)
	}
	s, err := session.Of(d, path, "blossom "+version, at)
	if err != nil {
		return err
	}
	return format.AtomicWrite(path, func(w io.Writer) error { return s.Write(w) })
}
