package scale

import (
	"os"
	"path/filepath"
	"testing"

	"blossom/model/maps/pyramid"
)

// Tiles that were read are used for the same rows only: of the same plan, in a folder that has the same files.
func TestOnlyTheSameRowsAreReused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), PyramidFolder)
	c := pyramid.NewCounts(pyramid.Frame{Side: 1})
	c.Add([]float32{0.5}, []float32{0.5})
	if err := c.Write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	whole := func(change func(*Whole)) *Whole {
		p, err := pyramid.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		w := &Whole{Folder: "out", plan: "a", kept: []Kept{{File: SampleFile, Size: 3, SHA256: "b"}}, Density: p}
		change(w)
		return w
	}
	same := func(*Whole) {}
	for name, change := range map[string]func(*Whole){
		"folder": func(w *Whole) { w.Folder = "other" }, "plan": func(w *Whole) { w.plan = "other" },
		"files": func(w *Whole) { w.kept[0].SHA256 = "other" }, "density": func(w *Whole) { w.Density.Inside++ },
		"no density": func(w *Whole) { w.Density = nil },
	} {
		w, was := whole(same), whole(change)
		if w.Reuse(was); w.Density == was.Density || w.Density == nil {
			t.Errorf("rows of another %s are reused", name)
		}
	}
	w, was := whole(same), whole(same)
	if w.Reuse(was); w.Density != was.Density {
		t.Error("the same rows are read again")
	}
	if w.Reuse(nil); w.Density != was.Density {
		t.Error("rows are lost")
	}
}

// A path of a finished folder, or of the sample in it, is what its window opens; any other is itself.
func TestASampleIsOpenedAsItsFolder(t *testing.T) {
	dir := t.TempDir()
	sample, shown := SampleIn(dir), filepath.Join(dir, ShownFile)
	is := func(when, path, want string) {
		t.Helper()
		if got := ShownOf(path); got != want {
			t.Errorf("%s: %s is %s, want %s", when, path, got, want)
		}
	}
	is("no folder", sample, sample)
	for _, name := range []string{ManifestFile, ShownFile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	is("finished", sample, shown)
	is("finished", dir, shown)
	is("finished", filepath.Join(dir, "other.parquet"), filepath.Join(dir, "other.parquet"))
}
