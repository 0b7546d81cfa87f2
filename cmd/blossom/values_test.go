package main

import (
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Columns of the data that are written beside a map are raw unless asked otherwise, which is said where the map is of
// compensated values; those that a matrix has changed are called so.
func TestDataBesideAMapSaysWhichValuesItHas(t *testing.T) {
	dir := t.TempDir()
	ds, err := dataset.FromColumns(t.Context(), "s", []dataset.Column{
		{Name: "FITC-A", Values: []float32{90, 200, 3000, 40, 800}},
		{Name: "PE-A", Values: []float32{10, 2000, 7, 900, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Names: []string{"FITC-A", "PE-A"}, M: [][]float64{{1, 0.2}, {0.1, 1}}}
	if err := format.Save(t.Context(), filepath.Join(dir, "s.fcs"), ds, nil); err != nil {
		t.Fatal(err)
	}
	header := func(more ...string) (line, said string) {
		t.Helper()
		r := ok(t, dir, append([]string{"embed", "s.fcs", "--som", "2x2", "--epochs", "1", "-o", "m.csv"}, more...)...)
		line, _, _ = strings.Cut(text(t, filepath.Join(dir, "m.csv")), "\n")
		return line, r.stderr
	}
	if got, said := header("--with-data"); got != "FITC-A,PE-A,embedsom1,embedsom2" ||
		!strings.Contains(said, "--values compensated") {
		t.Errorf("%s: %s", got, said)
	}
	if got, _ := header("--with-data", "--values", "compensated"); got != "Comp-FITC-A,Comp-PE-A,embedsom1,embedsom2" {
		t.Error(got)
	}
	if got, _ := header("--with-data", "--values", "map"); !strings.HasPrefix(got, "Comp-FITC-A [asinh:150],") {
		t.Error(got)
	}
	blossom(t, dir, "embed", "s.fcs", "--values", "raw", "-o", "m.csv").refused(t, exitUsage, "", "--with-data", "")
	blossom(t, dir, "embed", "s.fcs", "--with-data", "--values", "cooked", "-o", "m.csv").
		refused(t, exitUsage, "", "cooked", "")
	ok(t, dir, "embed", "s.fcs", "--som", "2x2", "--epochs", "1", "-o", "m.csv", "--with-data", "--values", "map")
	want := text(t, filepath.Join(dir, "m.csv"))
	job := ok(t, dir, "embed", "s.fcs", "--som", "2x2", "--epochs", "1", "-o", "m.csv", "--with-data", "--values",
		"map", "--print-job")
	write(t, filepath.Join(dir, "job.json"), job.stdout)
	if ok(t, dir, "job", "job.json"); text(t, filepath.Join(dir, "m.csv")) != want {
		t.Error("the job writes other values")
	}
}
