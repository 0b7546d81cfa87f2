package main

import (
	"path/filepath"
	"slices"
	"testing"
)

// Rows of a finished folder get the clusters that they have as one table, and its quality is told.
func TestClustersOfAFinishedFolder(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200, 250)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/")
	ok(t, dir, "cluster", "out/", "--n-clusters", "4", "-o", "labels/", "--part-format", "csv")
	ok(t, dir, "cluster", "data", "--landmarks", "map.json", "--n-clusters", "4", "-o", "one.csv")
	got, want := joined(t, filepath.Join(dir, "labels")), rowsOf(t, filepath.Join(dir, "one.csv"))
	if !slices.Equal(got, want) {
		t.Errorf("other clusters in parts: %.200q, %.200q", got, want)
	}
	var said struct {
		Quality struct{ Trustworthiness float64 }
	}
	parse(t, ok(t, dir, "status", "out", "--quality", "--json").stdout, &said)
	if said.Quality.Trustworthiness < 0.5 || said.Quality.Trustworthiness > 1 {
		t.Errorf("a trustworthiness of %g", said.Quality.Trustworthiness)
	}
	for want, args := range map[string][]string{
		"name a folder":            {"cluster", "out", "--n-clusters", "4", "-o", "one.npy"},
		"leave --landmarks out":    {"cluster", "out", "--landmarks", "map.json", "--n-clusters", "4", "-o", "l/"},
		"nothing is made in parts": {"cluster", "data", "--n-clusters", "4", "-o", "l.npy", "--part-rows", "9"},
	} {
		r := blossom(t, dir, args...)
		r.refused(t, r.code, want)
	}
}
