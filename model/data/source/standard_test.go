package source

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/format"
)

// given returns a file that holds text, as standard input would.
func given(t *testing.T, text []byte) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Tables of any format are read from standard input, and nothing is left of them on the disk.
func TestATableIsReadFromStandardInput(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	text, err := Read(t.Context(), "demo:tesseract:50", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	npy := filepath.Join(t.TempDir(), "x.npy")
	if err := format.Save(t.Context(), npy, text, nil); err != nil {
		t.Fatal(err)
	}
	array, err := os.ReadFile(npy)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string][]byte{"text": []byte("a,b\n1,2\n3,4\n"), "array": array} {
		ds, err := readStandard(t.Context(), given(t, in), format.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ds.Path != Standard || ds.Points < 2 {
			t.Errorf("%s: %d points of %q", name, ds.Points, ds.Path)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("%d files are left in the temporary folder (%v)", len(left), err)
	}
}

func TestWhatIsWrongWithStandardInputIsSaidOfIt(t *testing.T) {
	for name, in := range map[string][]byte{"nothing": nil, "no table": bytes.Repeat([]byte{0, 1, 2, 255}, 99)} {
		_, err := readStandard(t.Context(), given(t, in), format.Options{})
		if err == nil || !strings.Contains(err.Error(), standardName) ||
			strings.Contains(err.Error(), "blossom-input") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
