package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder is one of files of these names, with what is in them.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The files of a folder are those of the format that most have, of a text too, and the rest is named.
func TestAFolderIsItsMostFiles(t *testing.T) {
	for _, x := range []struct{ csv, fcs, want int }{{5, 1, 5}, {1, 5, 5}, {2, 2, 2}, {1, 0, 1}} {
		files := map[string]string{}
		for i := range x.csv {
			files[fmt.Sprintf("t%d.csv", i)] = "a,b\n1,2\n"
		}
		for i := range x.fcs {
			files[fmt.Sprintf("f%d.fcs", i)] = "FCS3.0"
		}
		o, err := Expand(t.Context(), []string{folder(t, files)})
		if err != nil {
			t.Fatal(err)
		}
		ending := ".csv"
		if x.fcs >= x.csv {
			ending = ".fcs"
		}
		others := func(file string) bool { return filepath.Ext(file) != ending }
		if len(o.Files) != x.want || slices.ContainsFunc(o.Files, others) {
			t.Errorf("%d CSV and %d FCS are %q", x.csv, x.fcs, o.Files)
		}
		if said := strings.Join(o.Says, " "); (x.csv > 0 && x.fcs > 0) != strings.Contains(said, "not taken") {
			t.Errorf("%d CSV and %d FCS: %s", x.csv, x.fcs, said)
		}
	}
}

// Files that blossom has written of those of a folder into it are not read with them again, which is said; in a folder
// without those files it is read.
func TestOutputsOfAFolderAreNotItsInputs(t *testing.T) {
	const text = "a,b\n1,2\n"
	dir := folder(t, map[string]string{"a.csv": text, "b.csv": text, "060909.001": "FCS3.0", "a_blossom.csv": text,
		"b_blossom (2).csv": text, "060909.001_blossom.fcs": "FCS3.0", "c_blossom.csv": text})
	o, err := Expand(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv"), filepath.Join(dir, "c_blossom.csv")}
	if !slices.Equal(o.Files, want) {
		t.Errorf("its files are %q", o.Files)
	}
	if said := strings.Join(o.Says, "\n"); !strings.Contains(said, "060909.001_blossom.fcs, a_blossom.csv, "+
		"b_blossom (2).csv") {
		t.Errorf("nothing is said of its outputs: %s", said)
	}
}

// A link to nothing that is called as data is one of the files, so that reading them tells of it; others are named.
func TestLinksToNothingInAFolderAreToldOf(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "a,b\n1,2\n"})
	for _, name := range []string{"b.csv", "notes"} {
		if err := os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	o, err := Expand(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")}; !slices.Equal(o.Files, want) {
		t.Errorf("its files are %q", o.Files)
	}
	if said := strings.Join(o.Says, "\n"); !strings.Contains(said, "links to none: notes") {
		t.Errorf("it says %q", said)
	}
}
