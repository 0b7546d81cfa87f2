package format

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// A file that takes its place is not taken for stale by others that write into its folder.
func TestFilesTakeTheirPlacesWhileOthersTidy(t *testing.T) {
	dir := t.TempDir()
	var end atomic.Bool
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for !end.Load() {
				removeStale(dir)
			}
		})
	}
	writes := 100 // on disks that take long for each, both burn a core all the while
	if os.Getenv("BLOSSOM_LONG") != "" {
		writes = 1000
	}
	for i := range writes {
		path := filepath.Join(dir, fmt.Sprint("f", i%3))
		err := AtomicWrite(path, func(w io.Writer) error { _, err := w.Write([]byte("x")); return err })
		if err != nil {
			t.Error(i, err)
			break
		}
	}
	end.Store(true)
	wait.Wait()
}

// One of several that create a file at once does, and what it has written stays; nothing else is left behind.
func TestOneCreatesAFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "plan")
	var done, there atomic.Int32
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			switch err := AtomicCreate(path, func(w io.Writer) error { _, err := fmt.Fprint(w, i); return err }); {
			case err == nil:
				done.Add(1)
			case errors.Is(err, fs.ErrExist):
				there.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if done.Load() != 1 || there.Load() != 7 {
		t.Errorf("%d have created it, %d have found it", done.Load(), there.Load())
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("there are %v", names)
	}
	if err := AtomicCreate(filepath.Join(dir, "none", "x"), nil); err == nil || errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}
