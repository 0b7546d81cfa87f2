package source

import (
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Joined columns without a name of their own are called after their file.
func TestJoinedArraysAreCalledAfterTheirFile(t *testing.T) {
	ds, err := dataset.FromColumns(t.Context(), "own", []dataset.Column{{Name: "c1", Values: []float32{1, 2, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Total = 3
	for _, c := range []struct {
		columns int
		want    []string
	}{{1, []string{"c1", "labels"}}, {2, []string{"c1", "labels 1", "labels 2"}}} {
		path := filepath.Join(t.TempDir(), "labels.npy")
		wide := make([]dataset.Column, c.columns)
		for i := range wide {
			wide[i] = dataset.Column{Name: dataset.DefaultName(i), Values: []float32{5, 6, 8}}
		}
		table, err := dataset.FromColumns(t.Context(), "labels", wide)
		if err != nil {
			t.Fatal(err)
		}
		if err := format.Save(t.Context(), path, table, nil); err != nil {
			t.Fatal(err)
		}
		joined, err := Join(t.Context(), ds, path, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range joined.Columns {
			names = append(names, x.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%q, want %q", names, c.want)
		}
	}
}
