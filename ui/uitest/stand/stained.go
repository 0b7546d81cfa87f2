package stand

import (
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"context"
	"path/filepath"
	"testing"
)

// Stained writes cells of a cytometer with the matrix of their spillover, a dye of dead cells and a detector
// without a name.
func Stained(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stained.fcs")
	StainedTo(t, path, 0.2)
	return path
}

// StainedTo writes such a file with another share of light that spills over into the next detector.
func StainedTo(t testing.TB, path string, share float64) {
	t.Helper()
	ds, err := demo.Generate(context.Background(), "cytometry", 3000, 1)
	if err != nil {
		t.Fatal(err)
	}
	columns := ds.Columns[:12]
	columns[10].Label, columns[11].Label = "l/d", ""
	s := &dataset.Spillover{}
	for i := 3; i < len(columns); i++ {
		s.Names = append(s.Names, columns[i].Name)
		row := make([]float64, len(columns)-3)
		row[i-3] = 1
		if k := i - 2; k < len(row) {
			row[k] = share
		}
		s.M = append(s.M, row)
	}
	made, err := dataset.FromColumns(context.Background(), "stained", columns)
	if err != nil {
		t.Fatal(err)
	}
	made.Spillover = s
	if err := format.Save(context.Background(), path, made, nil); err != nil {
		t.Fatal(err)
	}
}
