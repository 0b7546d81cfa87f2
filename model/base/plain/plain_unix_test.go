//go:build unix

package plain

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file that could be waited for for ever is not opened, whatever its name leads over.
func TestOnlyPlainFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	file, pipe := filepath.Join(dir, "plain"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(dir, "made up")
	if err := os.Symlink("/proc/self/status", made); err != nil {
		t.Fatal(err)
	}
	bad := []string{pipe, dir, "/dev/null", filepath.Join(dir, "missing")}
	if _, err := os.Stat("/proc/self/status"); err == nil {
		bad = append(bad, made, "/proc/self/status")
	}
	for _, path := range bad {
		if f, err := Open(path); err == nil {
			f.Close()
			t.Errorf("%s was opened", path)
		}
	}
	if text, err := ReadFile(file, 7); err != nil || string(text) != "content" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := ReadFile(file, 6); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a file of 7 bytes was read as one of 6: %v", err)
	}
	if err := Check(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("a missing file is none that is wrong: %v", err)
	}
}
