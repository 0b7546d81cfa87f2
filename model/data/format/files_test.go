package format

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Files that belong together take their places together, and what was of the former ones goes; or nothing changes.
func TestFilesTakeTheirPlacesTogether(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir := t.TempDir()
		for _, name := range []string{"one", "two", "stale"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var f Files
		put := func(name string, err error) error {
			return f.Write(filepath.Join(dir, name), func(w io.Writer) error {
				io.WriteString(w, "new")
				return err
			})
		}
		f.Stale(filepath.Join(dir, "stale"))
		f.Stale(filepath.Join(dir, "never was"))
		wrong := errors.New("wrong")
		if err := put("one", nil); err != nil {
			t.Fatal(err)
		}
		want, names := "old", []string{"one", "stale", "two"}
		if fails {
			if err := put("two", wrong); err == nil {
				t.Error("the failure is not said")
			}
		} else {
			if err := errors.Join(put("two", nil), f.Commit()); err != nil {
				t.Fatal(err)
			}
			want, names = "new", []string{"one", "two"}
		}
		f.Discard()
		onlyFiles(t, dir, names...)
		for _, name := range []string{"one", "two"} {
			if b, _ := os.ReadFile(filepath.Join(dir, name)); string(b) != want {
				t.Errorf("fails %v: %s holds %q", fails, name, b)
			}
		}
	}
}
