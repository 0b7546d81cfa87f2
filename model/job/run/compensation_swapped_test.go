package run

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/space/transform"
)

// swapped writes a file whose detectors FL1-A and FL2-A have these antigens.
func swapped(t *testing.T, name, first, second string, seed uint64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 4))
	columns := []dataset.Column{{Name: "FSC-A"}, {Name: "FL1-A", Label: first}, {Name: "FL2-A", Label: second}}
	for j := range columns {
		for range 300 {
			columns[j].Values = append(columns[j].Values, float32(3000*rng.ExpFloat64()))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), name, columns)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// A matrix that names detectors is about those of each file, also where files of one table have the antigens on
// different ones: each is compensated as if it were alone. One that names the columns of the table is about these.
func TestAMatrixOfDetectorsThatFilesStainOtherwise(t *testing.T) {
	paths := []string{swapped(t, "a.fcs", "CD3", "CD4", 1), swapped(t, "b.fcs", "CD4", "CD3", 2)}
	matrix := func(text string) string {
		path := filepath.Join(t.TempDir(), "m.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := quick()
	s.Space.Transforms, s.Input.More = []string{"none"}, paths[1:]
	s.Space.Compensation = matrix("FL1-A,FL2-A\n1,0.3\n0.1,1\n")
	m := embed(t, s, paths[0])
	if mixes := m.Points.Spec.Mixes; len(mixes) != 1 || mixes[0].Op != transform.CompensateEach ||
		!said(m.Notes, "its detectors are different columns") {
		t.Fatalf("%v, %q", mixes, m.Notes)
	}
	got := transform.AllMixed(m.Points.Data, m.Points.Spec, m.Points.Cols)
	for f, path := range paths {
		alone := quick()
		alone.Space.Transforms, alone.Space.Compensation = s.Space.Transforms, s.Space.Compensation
		one := embed(t, alone, path)
		want := transform.AllMixed(one.Points.Data, one.Points.Spec, one.Points.Cols)
		for _, c := range m.Points.Cols {
			own := slices.IndexFunc(one.Points.Data.Columns, func(o dataset.Column) bool {
				return o.Short() == m.Points.Data.Columns[c].Short()
			})
			if own < 0 || !slices.Equal(got[c].Values[300*f:300*(f+1)], want[own].Values) {
				t.Errorf("%s of %s has other values than alone", m.Points.Data.Columns[c].Name, path)
			}
		}
	}
	s.Space.Compensation = matrix("CD3,CD4\n1,0.3\n0.1,1\n")
	if mixes := embed(t, s, paths[0]).Points.Spec.Mixes; len(mixes) != 1 || mixes[0].Op != transform.Compensate {
		t.Errorf("a matrix of antigens: %v", mixes)
	}
}
