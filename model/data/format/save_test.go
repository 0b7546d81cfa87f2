package format

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

func small(t testing.TB, n int) *dataset.Dataset {
	t.Helper()
	m := matrix.New(n, 2)
	for i := range m.Data {
		m.Data[i] = float32(i) / 4
	}
	ds, err := dataset.FromMatrix([]string{"embedsom1", "embedsom2"}, m)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// onlyFile fails when the folder holds anything but the named files: nothing temporary stays behind.
func onlyFiles(t testing.TB, dir string, names ...string) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %q, want %q", got, names)
	}
}

func TestSaveAndOpenEveryFormat(t *testing.T) {
	ds := small(t, 1000)
	for _, name := range []string{"a.csv", "a.tsv", "a.npy", "a.fcs", "a.csv.gz", "a.TSV.GZ", "a.txt"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		calls := 0
		if err := Save(ctx, path, ds, func(done, total int64) { calls++ }); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back, err := Open(ctx, path, Options{})
		if err != nil || back.Points != 1000 || !same(back.Columns[1].Values, ds.Columns[1].Values) || calls == 0 {
			t.Errorf("%s: %v, %d reports", name, err, calls)
		}
		if gz, _ := os.ReadFile(path); strings.HasSuffix(strings.ToLower(name), ".gz") != bytes.HasPrefix(gz,
			[]byte("\x1f\x8b")) {
			t.Errorf("%s begins with %q", name, gz[:2])
		}
		onlyFiles(t, dir, name)
	}
	text, _ := os.ReadFile(func() string {
		p := filepath.Join(t.TempDir(), "b.csv")
		Save(ctx, p, small(t, 2), nil)
		return p
	}())
	if string(text) != "embedsom1,embedsom2\n0,0.25\n0.5,0.75\n" {
		t.Errorf("%q", text)
	}
}

func TestSaveRefused(t *testing.T) {
	dir := t.TempDir()
	ds := small(t, 50_000)
	old := filepath.Join(dir, "locked.csv")
	os.WriteFile(old, []byte("old"), 0o444)
	for path, say := range map[string]string{
		filepath.Join(dir, "a.xlsx"):      "no extension that blossom writes",
		filepath.Join(dir, "a"):           "no extension",
		filepath.Join(dir, "a.npy.gz"):    "only text tables",
		filepath.Join(dir, "no", "a.csv"): "folder does not exist",
		old:                               "write-protected",
	} {
		wantProblem(t, Save(ctx, path, ds, nil), path, say)
	}
	os.Mkdir(filepath.Join(dir, "folder.csv"), 0o755)
	wantProblem(t, Save(ctx, filepath.Join(dir, "folder.csv"), ds, nil), "folder.csv", "is a folder")
	onlyFiles(t, dir, "folder.csv", "locked.csv")
	if b, _ := os.ReadFile(old); string(b) != "old" {
		t.Errorf("the protected file holds %q", b)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		for _, f := range []string{"/dev/full"} {
			wantProblem(t, Save(ctx, f, ds, nil), f, "disk is full")
		}
		if st, err := os.Stat("/dev/full"); err != nil || st.Mode().IsRegular() {
			t.Fatal("/dev/full was replaced by a file")
		}
	}
	// A folder in which nothing can be made.
	if _, err := os.Stat("/sys/kernel"); err == nil {
		wantProblem(t, Save(ctx, "/sys/kernel/a.csv", ds, nil), "/sys/kernel/a.csv", "no permission")
	}
	if os.Getuid() != 0 {
		shut := filepath.Join(dir, "shut")
		os.Mkdir(shut, 0o555)
		wantProblem(t, Save(ctx, filepath.Join(shut, "a.csv"), ds, nil), "a.csv", "no permission")
	}
	wantProblem(t, fileProblem(&os.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, "x"), "x",
		"read-only file system")
	wantProblem(t, fileProblem(&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, "x"), "x", "disk is full")
	wantProblem(t, fileProblem(errors.New("strange"), "x"), "x", "strange")
}

func TestAtomicWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	put := func(text string) error {
		return AtomicWrite(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
	holds := func(text string) {
		t.Helper()
		if b, _ := os.ReadFile(path); string(b) != text {
			t.Errorf("holds %q, want %q", b, text)
		}
		onlyFiles(t, dir, "a.txt")
	}
	if err := put("one"); err != nil {
		t.Fatal(err)
	}
	holds("one")
	if st, _ := os.Stat(path); st.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
	os.Chmod(path, 0o640)
	if err := put("two"); err != nil {
		t.Fatal(err)
	}
	holds("two")
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o640 {
		t.Errorf("the mode became %v", st.Mode())
	}
	// A failure half way leaves what was there.
	own := problem.New("x", "do this", "went wrong")
	if err := AtomicWrite(path, func(w io.Writer) error {
		io.WriteString(w,
			strings.Repeat("x", 5<<20))
		return own
	}); !errors.Is(err, own) {
		t.Errorf("%v", err)
	}
	holds("two")
	if err := AtomicWrite(path, func(io.Writer) error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	holds("two")
	// A link is followed, not replaced.
	link := filepath.Join(t.TempDir(), "link.txt")
	if err := os.Symlink(path, link); err == nil {
		if err := AtomicWrite(link, func(w io.Writer) error {
			_,
				err := io.WriteString(w, "three")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if st, _ := os.Lstat(link); st.Mode()&os.ModeSymlink == 0 {
			t.Error("the link was replaced")
		}
		holds("three")
	}
	if err := AtomicWrite("/dev/null", func(w io.Writer) error {
		_,
			err := io.WriteString(w, "x")
		return err
	}); err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
}

func TestSaveCancelled(t *testing.T) {
	ds := small(t, 2_000_000)
	for _, name := range []string{"a.csv", "a.npy", "a.fcs", "a.csv.gz"} {
		dir := t.TempDir()
		stop, cancel := context.WithCancel(ctx)
		calls := 0
		err := Save(stop, filepath.Join(dir, name), ds, func(done, total int64) { calls++; cancel() })
		if !errors.Is(err, context.Canceled) || calls != 1 {
			t.Errorf("%s: %v after %d reports", name, err, calls)
		}
		onlyFiles(t, dir)
	}
}

func TestSameBytes(t *testing.T) {
	ds := small(t, 5000)
	ds.Metadata = map[string]string{"b": "2", "a": "1", "c": "3"}
	for _, f := range All() {
		if f.Write == nil {
			continue
		}
		var a, b bytes.Buffer
		if err := f.Write(ctx, &a, ds, func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		if err := f.Write(ctx, &b, ds, func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two writes differ", f.Name)
		}
	}
}
