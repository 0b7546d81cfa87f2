package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/scale"
)

// Rows of many files, and of ranges of one, are placed in the map of a sample as one run places them, by t-SNE and by
// UMAP; a part that is damaged is made again, and none is made of a map that has changed.
func TestRowsArePlacedInPartsInTheMapOfASample(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	ok(t, dir, "demo", "cytometry:120", "-o", "sample.npy")
	for i, n := range []int{50, 30} {
		ok(t, dir, "demo", fmt.Sprintf("cytometry:%d", n), "-o", fmt.Sprintf("data/s %d.npy", i))
	}
	for _, kind := range []string{"tsne", "umap"} {
		t.Run(kind, func(t *testing.T) {
			y, out, again := kind+".npy", kind+"/", kind+"-2/"
			few := map[string]string{"tsne": "--units=50", "umap": "--epochs=20"}
			ok(t, dir, kind, "sample.npy", "-o", y, few[kind])
			ok(t, dir, kind, "data/*.npy", "--into", "sample.npy", "--map", y, "-o", out)
			ok(t, dir, kind, "data/*.npy", "--into", "sample.npy", "--map", y, "-o", again, "--part-rows", "20")
			var want []string
			for i := range 2 {
				one := fmt.Sprintf("%s %d.npy", kind, i)
				ok(t, dir, kind, fmt.Sprintf("data/s %d.npy", i), "--into", "sample.npy", "--map", y, "-o", one)
				want = append(want, rowsOf(t, filepath.Join(dir, one))...)
			}
			if !slices.Equal(joined(t, filepath.Join(dir, out)), want) {
				t.Error("parts have other places than one run")
			}
			if !slices.Equal(joined(t, filepath.Join(dir, again)), want) {
				t.Error("ranges have other places than one run")
			}
		})
	}
	out := filepath.Join(dir, "tsne")
	whole := joined(t, out)
	part := filepath.Join(out, manifest(t, out).Parts[1].File)
	write(t, part, "torn")
	ok(t, dir, "resume", "tsne")
	if !slices.Equal(joined(t, out), whole) {
		t.Error("a part that was damaged is another one")
	}
	os.Remove(part)
	os.Remove(filepath.Join(out, scale.ManifestFile))
	write(t, filepath.Join(dir, "tsne.npy"), text(t, filepath.Join(dir, "umap.npy")))
	if r := blossom(t, dir, "resume", "tsne"); r.code != 1 || !strings.Contains(r.stderr, "has changed since") {
		t.Errorf("ended with %d, and said %q", r.code, r.stderr)
	}
}

// Flags of parts say so where one file is written, or nobody makes any.
func TestFlagsOfPartsOfAMapOfAllPoints(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "cytometry:100", "-o", "a.npy")
	blossom(t, dir, "umap", "a.npy", "-o", "b.npy", "--part-rows", "5").refused(t, 2, "--part-rows")
	blossom(t, dir, "tsne", "a.npy", "--into", "a.npy", "--map", "a.npy", "-o", "out/", "--split", "--runner", "x").
		refused(t, 2, "")
}
