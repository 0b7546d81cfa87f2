package format

import (
	"path/filepath"
	"testing"

	"blossom/model/data/dataset"
)

// Files of other kinds and back: antigens and detectors are there, both in the text and when it is read again.
func TestAntigensSurviveFiles(t *testing.T) {
	columns := []dataset.Column{{Name: "PE-A", Label: "CD4"}, {Name: "BUV615-A", Label: "CD8, high"},
		{Name: "FSC-A"}, {Name: "APC-A", Label: "APC-A"}, {Name: "Time (s)"}, {Name: "a::b"}}
	for i := range columns {
		columns[i].Values = []float32{1, float32(i), 3.5}
	}
	ds, err := dataset.FromColumns(ctx, "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, way := range [][]string{{"a.csv", "b.csv"}, {"c.fcs", "d.csv", "e.fcs"}, {"f.tsv", "g.fcs", "h.csv"}} {
		now := ds
		for _, name := range way {
			path := filepath.Join(dir, name)
			if err := Save(ctx, path, now, nil); err != nil {
				t.Fatal(err)
			}
			if now, err = Open(ctx, path, Options{}); err != nil {
				t.Fatal(err)
			}
			if len(now.Warnings) > 0 {
				t.Errorf("%s: %q", name, now.Warnings)
			}
		}
		for i := range columns {
			want, got := &ds.Columns[i], &now.Columns[i]
			label := want.Label
			if label == want.Name {
				label = got.Label // says nothing: it may be left out
			}
			if got.Name != want.Name || got.Label != label || !same(got.Values, want.Values) {
				t.Errorf("%v: %q (%q) became %q (%q)", way, want.Name, want.Label, got.Name, got.Label)
			}
		}
		for _, word := range []string{"CD4", "PE-A", "CD4 (PE-A)", "PE-A :: CD4"} {
			if at, err := now.Find(word); err != nil || at != 0 {
				t.Errorf("%v: %q finds %d, %v", way, word, at, err)
			}
		}
	}
	// A header that many programs write means what it always did.
	plain := openText(t, "length (mm),a : b,::,x ::\n1,2,3,4\n5,6,7,8\n", Options{})
	for i, want := range []string{"length (mm)", "a : b", "::", "x ::"} {
		if c := &plain.Columns[i]; c.Name != want || c.Label != "" {
			t.Errorf("%q became %q (%q)", want, c.Name, c.Label)
		}
	}
}
