package format

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/data/dataset"
)

// An archive holds a table whole: numbers, the names of their columns, and labels with their names and gaps, whatever
// the numbers of rows and columns. The same table gives the same bytes.
func TestATableInAnArchiveIsReadBackAsItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.npz")
	rapid.Check(t, func(r *rapid.T) {
		n, d := rapid.IntRange(1, 6).Draw(r, "rows"), rapid.IntRange(1, 6).Draw(r, "columns")
		var columns []dataset.Column
		for j := range d {
			c := dataset.Column{Name: rapid.StringMatching(`[a-zé ]{0,3}[a-z]`).Draw(r, "name") + string(rune('0'+j))}
			for range n {
				c.Values = append(c.Values, rapid.Float32Range(-1e9, 1e9).Draw(r, "value"))
			}
			columns = append(columns, c)
		}
		label := dataset.Column{Name: rapid.SampledFrom([]string{"kind", "data", "columns", "a/b"}).Draw(r, "label"),
			Categories: []string{"Zelle", "größer", "1"}}
		label.Values = make([]float32, n)
		for i := range label.Values {
			if label.Values[i] = float32(i % 3); i > 2 && rapid.Bool().Draw(r, "gap") {
				label.Values[i] = nan32
			}
		}
		label.Categories = label.Categories[:min(3, n)]
		ds, err := dataset.FromColumns(t.Context(), "t", append([]dataset.Column{label}, columns...))
		if err != nil {
			r.Fatal(err)
		}
		var out, again bytes.Buffer
		for _, w := range []*bytes.Buffer{&out, &again} {
			if err := writeNPZ(t.Context(), w, ds, func(int64, int64) {}); err != nil {
				r.Fatal(err)
			}
		}
		if !bytes.Equal(out.Bytes(), again.Bytes()) {
			r.Fatal("the same table gives other bytes")
		}
		back, err := Open(t.Context(), put(t, path, out.Bytes()), Options{})
		if err != nil {
			r.Fatal(err)
		}
		if len(back.Columns) != d+1 {
			r.Fatalf("%d columns, want %d", len(back.Columns), d+1)
		}
		for j, c := range columns {
			if got := back.Columns[j]; got.Name != c.Name || !slices.Equal(got.Values, c.Values) {
				r.Fatalf("column %q %v, want %q %v", got.Name, got.Values, c.Name, c.Values)
			}
		}
		if got := back.Columns[d]; !slices.Equal(got.Categories, label.Categories) || !same(got.Values, label.Values) {
			r.Fatalf("labels %q %v, want %q %v", got.Categories, got.Values, label.Categories, label.Values)
		}
	})
}

// put writes a file, and returns its path.
func put(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
