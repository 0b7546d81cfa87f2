package format

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/problem"
)

// Files that killed programs left are cleared at the next write beside them; one that is being written is not.
func TestStaleTemporaryFilesAreCleared(t *testing.T) {
	dir := t.TempDir()
	stale := []string{".out.csv.blossom-0123abcd.part", ".other.npy.blossom-89ab4567.part", ".blossom-1234567.part"}
	kept := []string{".out.csv.0123abcd.part", "out.csv.blossom-0123abcd.part", ".x.blossom-0123ABCD.part",
		"movie.part"}
	for _, name := range append(stale, kept...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "out.csv")
	err := AtomicWrite(path, func(w io.Writer) error {
		for _, name := range stale {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				t.Errorf("%s is still there", name)
			}
		}
		// another write beside it leaves the file of this one alone
		return AtomicWrite(filepath.Join(dir, "second"), func(w io.Writer) error {
			_, err := io.WriteString(w,
				"2")
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != len(kept)+2 {
		t.Errorf("there is now %v", left)
	}
}

// An input that ends while it is written is not blamed on the file that is made of it.
func TestAnInputThatEndsIsNoDamageOfTheOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.npy")
	for what, err := range map[string]error{"it ends too early": io.ErrUnexpectedEOF,
		"its compressed data are damaged": gzip.ErrChecksum} {
		p := problem.As(AtomicWrite(path, func(io.Writer) error { return fmt.Errorf("reading: %w", err) }))
		if p.File != path || !strings.Contains(p.What, "its input is damaged ("+what) ||
			!strings.Contains(p.Remedy, "input") {
			t.Errorf("%v", p)
		}
	}
	own := problem.New("in.npy", "wait", "changed while it was read")
	if p := problem.As(AtomicWrite(path, func(io.Writer) error {
		return problem.Wrap(io.ErrUnexpectedEOF, own.File, own.Remedy, "%s", own.What)
	})); p.File != own.File || p.What != own.What {
		t.Errorf("%v", p)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it is there")
	}
}

func TestRemoveUnfinished(t *testing.T) {
	dir := t.TempDir()
	AtomicWrite(filepath.Join(dir, "a[1].csv"), func(io.Writer) error {
		RemoveUnfinished()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("it left %v", left)
		}
		return io.ErrUnexpectedEOF
	})
}

// A link to a file that is not there yet is followed, not replaced.
func TestDanglingLink(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "sub"), 0o755)
	for name, to := range map[string]string{"one": "two", "two": filepath.Join(dir, "sub", "three"), "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	write := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	if err := AtomicWrite(filepath.Join(dir, "one"), write); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "sub", "three")); string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	for _, name := range []string{"one", "two"} {
		if st, err := os.Lstat(filepath.Join(dir, name)); err != nil || st.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", name)
		}
	}
	os.Remove(filepath.Join(dir, "sub", "three"))
	os.Remove(filepath.Join(dir, "sub"))
	if err := AtomicWrite(filepath.Join(dir, "one"), write); err == nil {
		t.Error("a link into a folder that is gone was written")
	}
	if err := AtomicWrite(filepath.Join(dir, "loop"), write); err == nil {
		t.Error("a link to itself was written")
	}
}

// A link that leads out of a folder leads out of where that folder is, also if it was come to by another link.
func TestDanglingLinkBehindALink(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "disk", "results")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{filepath.Join(dir, "results"): deep,
		filepath.Join(deep, "out.csv"): filepath.Join("..", "store.csv")} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
	}
	err := AtomicWrite(filepath.Join(dir, "results", "out.csv"), func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	})
	if b, e := os.ReadFile(filepath.Join(dir, "disk", "store.csv")); err != nil || string(b) != "new" {
		t.Errorf("%v, %v", err, e)
	}
}
