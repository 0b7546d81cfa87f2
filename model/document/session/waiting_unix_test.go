//go:build unix

package session

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A session names files; one that could be waited for for ever is as good as missing.
func TestASessionWaitsForNoPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Session{arrays: newArrays()}
	s.Data.Path = pipe
	if _, missing := s.Find(filepath.Join(dir, "s.blossom")); len(missing) != 1 {
		t.Errorf("a pipe is taken for data: missing %q", missing)
	}
	if _, err := os.Stat("/proc/kmsg"); err == nil {
		s.Data.Path = "/proc/kmsg"
		if _, missing := s.Find(filepath.Join(dir, "s.blossom")); len(missing) != 1 {
			t.Errorf("the messages of the kernel are taken for data: missing %q", missing)
		}
	}
	s.arrays.packs = []string{pipe}
	s.arrays.openPacks()
	if len(s.arrays.from) != 0 {
		t.Error("a pipe is taken for a pack")
	}
	if _, err := Look(pipe); err == nil {
		t.Error("a pipe is taken for a session")
	}
}
