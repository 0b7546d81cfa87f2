package scale

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/data/source"
)

// Rows of a large file, which is read by ranges, are those of the same file read at once.
func TestTheSampleOfAnOutlineIsThatOfTheTable(t *testing.T) {
	const n = 300_000 // several ranges
	values, names := [2][]float32{make([]float32, n), make([]float32, n)}, []string{"a", "b"}
	for i := range n {
		values[0][i], values[1][i] = float32(i), float32(n-i)/7
	}
	var columns []dataset.Column
	for i, name := range names {
		columns = append(columns, dataset.Column{Name: name, Values: values[i]})
	}
	for len(columns) < 40 { // wide rows make short ranges
		columns = append(columns, dataset.Column{Name: fmt.Sprint("c", len(columns)), Values: values[0]})
	}
	ds, err := dataset.FromColumns(t.Context(), "wide", columns)
	path := filepath.Join(t.TempDir(), "wide.npy")
	if err == nil {
		err = format.Save(t.Context(), path, ds, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{path}
	whole, err := source.All(t.Context(), paths, match.How{}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	outline, err := source.Outlines(t.Context(), paths, match.How{}, format.Options{})
	if err != nil || !outline.Outlined() {
		t.Fatalf("it is no outline, %v", err)
	}
	rows := []int32{0, 1, 77, 104_447, 104_448, 200_000, n - 1}
	a, err := taken(t.Context(), whole, rows)
	if err != nil {
		t.Fatal(err)
	}
	b, err := taken(t.Context(), outline, rows)
	if err != nil {
		t.Fatal(err)
	}
	if a.Points != len(rows) || b.Points != len(rows) || b.Outlined() {
		t.Fatalf("%d and %d rows", a.Points, b.Points)
	}
	for i := range a.Columns {
		if !slices.Equal(a.Columns[i].Values, b.Columns[i].Values) || a.Columns[i].Stats != b.Columns[i].Stats {
			t.Errorf("column %d: %v and %v", i, a.Columns[i].Values, b.Columns[i].Values)
		}
	}
}
