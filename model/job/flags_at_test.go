package job

import (
	"path/filepath"
	"testing"

	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job/run"
)

// Columns that are not in the map, as all their values are equal, are drawn as they are.
func TestConstantColumnsAreDrawn(t *testing.T) {
	painted(t, func(*Picture) {})
	dir := t.TempDir()
	put(t, dir, "equal.csv", "a,b\n1,2\n1,2\n1,2\n")
	table, err := source.Read(t.Context(), filepath.Join(dir, "equal.csv"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	j := &Job{Data: []File{{Path: table.Path}}, table: table}
	p := NewPicture()
	p.At, p.Output = "a,b", filepath.Join(dir, "p.png")
	if err := j.ForPicture(t.Context(), &run.Flags{}, p); err != nil {
		t.Fatal(err)
	}
	j.Want(p)
	if _, err := Execute(t.Context(), j, Options{}); err != nil {
		t.Error(err)
	}
}
