package job

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

// spilled writes a file of three detectors, two of which spill into each other by some shares, and returns its values.
func spilled(t *testing.T, path string, seed uint64, ab, ba float64, names ...string) (raw [3][]float32) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	var columns []dataset.Column
	for c, name := range names {
		for range 2000 {
			raw[c] = append(raw[c], float32(math.Exp(8*r.Float64())-20))
		}
		columns = append(columns, dataset.Column{Name: name, Values: raw[c]})
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Names: names[:2], M: [][]float64{{1, ab}, {ba, 1}}}
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	return raw
}

// A session's gates are applied to another file with that file's own matrix, which is said; one that has none of the
// columns of the map is refused by its name.
func TestRulesOfASessionAreAppliedToFilesWithMatricesOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	first, second, third := filepath.Join(dir, "1.fcs"), filepath.Join(dir, "2.fcs"), filepath.Join(dir, "3.fcs")
	spilled(t, first, 1, 0.3, 0.1, "FITC-A", "PE-A", "FSC-A")
	raw := spilled(t, second, 2, 0.05, 0.4, "FITC-A", "PE-A", "FSC-A")
	spilled(t, third, 3, 0.2, 0.2, "B1-A", "B2-A", "FSC-A")
	o, err := opening.Load(t.Context(), []string{first}, format.Options{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var tree population.Tree
	tree, _, _ = tree.Add(population.Population{Name: "dim", Rule: &population.Limits{
		Of: []population.Limit{{Column: "PE-A", Low: -50, High: 200}}}})
	tree, _, _ = tree.Add(population.Population{Name: "large", Rule: &population.Limits{
		Of: []population.Limit{{Column: "FSC-A", Low: 100, High: math.Inf(1)}}}})
	o.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	path := filepath.Join(dir, "s.blossom")
	kept, err := session.Of(o.Doc, path, "test", time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err == nil {
		err = kept.Write(f)
	}
	if f.Close() != nil || err != nil {
		t.Fatal(err)
	}
	label := func(file string) (*Named, []string) {
		_, err := opening.LoadSession(t.Context(), path, first, file, format.Options{}, nil)
		changed, ok := err.(*opening.Changed)
		if !ok {
			t.Fatal(err)
		}
		opened, err := changed.Open(t.Context(), nil)
		if err != nil {
			t.Fatal(problem.As(err))
		}
		j, err := OfDocument(t.Context(), opened.Doc)
		if err != nil {
			t.Fatal(err)
		}
		j.Note(opened.Notes...)
		named := &Named{Partial: true}
		j.Want(named)
		w, err := Execute(t.Context(), j, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return named, w.Notes
	}
	named, notes := label(second)
	if !strings.Contains(strings.Join(notes, "\n"), "compensated with its own matrix") {
		t.Errorf("said: %q", notes)
	}
	det, dim := 1-0.05*0.4, 0
	for row := range 2000 {
		y := (float64(raw[1][row]) - 0.05*float64(raw[0][row])) / det
		in := y >= -50 && y <= 200
		if in {
			dim++
		}
		if named.Made.Sets[0].Contains(row) != in && math.Abs(y-200) > 1e-3 && math.Abs(y+50) > 1e-3 {
			t.Fatalf("row %d, %g, is in: %v", row, y, !in)
		}
	}
	if dim < 100 || dim > 1900 {
		t.Errorf("%d rows are in", dim)
	}
	_, err = opening.LoadSession(t.Context(), path, first, third, format.Options{}, nil)
	changed, ok := err.(*opening.Changed)
	if !ok {
		t.Fatal(err)
	}
	if _, err := changed.Open(t.Context(), nil); err == nil ||
		!strings.Contains(err.Error(), "3.fcs has none of the columns of its map (FITC-A, PE-A)") {
		t.Errorf("of a file without the columns of the map is said: %v", err)
	}
}
