//go:build unix

package format

import (
	"io"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pipe that is called like a file of a killed program does not hold up what is written beside it.
func TestStalePipe(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(dir, ".out.csv.blossom-0123abcd.part"), 0o644); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- AtomicWrite(filepath.Join(dir, "out.csv"), func(w io.Writer) error {
			_, err := io.WriteString(w, "1")
			return err
		})
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Minute): // a machine may do much else
		t.Fatal("it waits for somebody to read the pipe")
	}
}
