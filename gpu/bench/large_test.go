package bench

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"blossom/model/data/format"
)

// The file of the measure has the rows that it says, and is one that is read by ranges where it is large enough.
func TestTheLargeFileIsATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := largeFile(t.Context(), path, 20_001); err != nil {
		t.Fatal(err)
	}
	ds, err := format.Outline(t.Context(), path, format.Options{})
	if err != nil || ds.Points != 20_001 || len(ds.Columns) != largeColumns || !(ds.Columns[3].Stats.SD > 0.5) {
		t.Fatalf("%v: %+v", err, ds)
	}
}

// A program is measured by what it took, and one that fails is an error with what it said.
func TestAProgramIsMeasured(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no shell to write a program for")
	}
	program := filepath.Join(t.TempDir(), "program")
	text := "#!/bin/sh\n[ \"$1\" = embed ] && exit 0\necho \"no $1 here\" >&2\nexit 3\n"
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	row, err := measured(t.Context(), program, t.TempDir(), "embed a")
	if err != nil || !(row.Wall > 0) || runtime.GOOS == "linux" && row.Peak < 100<<10 {
		t.Errorf("%+v, %v", row, err)
	}
	_, err = measured(t.Context(), program, t.TempDir(), "train a")
	if err == nil || err.Error() == "" {
		t.Error("a program that fails is no error")
	}
	if err := large(t.Context(), silent(nil), program, 1000); err == nil {
		t.Error("a measure of a program that fails is no error")
	}
}
