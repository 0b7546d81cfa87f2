package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// A table that makes no file that could be read again is not written as one.
func TestWhatCouldNotBeReadAgainIsNotConverted(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "l.csv"), "group,donor\na,x\nb,y\na,y\n")
	r := blossom(t, dir, "convert", "l.csv", "o.h5ad")
	if _, err := os.Stat(filepath.Join(dir, "o.h5ad")); err == nil || r.code == 0 ||
		!strings.Contains(r.stderr, "o.h5ad: is not written: no column holds what was measured") {
		t.Errorf("%d %s, %v", r.code, r.stderr, err)
	}
	for _, name := range []string{"o.csv", "o.parquet"} {
		ok(t, dir, "convert", "l.csv", name)
		ok(t, dir, "info", name)
	}
	for _, name := range []string{"n.csv", "n.parquet", "n.h5ad", "n.fcs"} {
		path := filepath.Join(dir, name)
		err := format.Save(t.Context(), path, &dataset.Dataset{Points: 3}, nil)
		if _, there := os.Stat(path); there == nil || err == nil || !strings.Contains(err.Error(), "no columns") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
