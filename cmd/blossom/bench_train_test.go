package main

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"blossom/gpu/bench"
)

// bench train of inputs tells their quantization errors beside those of a batch SOM, in a table and for programs; only
// train takes inputs, and one that is not there is said.
func TestBenchTrainOfInputs(t *testing.T) {
	dir := t.TempDir()
	r := ok(t, dir, "bench", "train", "demo:tesseract:600", "demo:s-sheet:500", "--engine", "cpu", "--json")
	var told struct{ Rows []bench.Quality }
	if err := json.Unmarshal([]byte(r.stdout), &told); err != nil || len(told.Rows) != 2 {
		t.Fatalf("%v, %s", err, r.stdout)
	}
	for _, q := range told.Rows {
		if q.Bench != "train" || q.Stage != "quality" || !(q.Quantization > 0) || !(q.Batch > 0) ||
			q.Ratio != q.Quantization/q.Batch || q.Ratio > 1.2 || q.Variant != "som-both" || q.G < 4 {
			t.Errorf("%+v", q)
		}
	}
	table := ok(t, dir, "bench", "train", "demo:tesseract:600", "--engine", "cpu", "--repeats", "1").stdout
	if !strings.Contains(table, "quantization") || !strings.Contains(table, "som-both") {
		t.Error(table)
	}
	blossom(t, dir, "bench", "load", "demo:tesseract").refused(t, exitUsage, "takes no input")
	if r := blossom(t, dir, "bench", "train", "nowhere.csv"); r.code != exitFailed ||
		!strings.Contains(r.stderr, "nowhere.csv: ") {
		t.Errorf("%+v", r)
	}
}

// bench cluster of inputs takes their rows as the map does, those without missing values.
func TestBenchClusterOfInputs(t *testing.T) {
	dir := t.TempDir()
	text := "a,b\n"
	for i := range 60 {
		text += strconv.Itoa(i*i%97) + "," + strconv.Itoa(i*7%31) + "\n"
	}
	write(t, filepath.Join(dir, "points.csv"), text+"1,\n")
	r := ok(t, dir, "bench", "cluster", "points.csv", "--engine", "cpu", "--algorithm", "light", "--json")
	var told struct{ Rows []bench.Clustered }
	if err := json.Unmarshal([]byte(r.stdout), &told); err != nil || len(told.Rows) == 0 {
		t.Fatalf("%v, %s", err, r.stdout)
	}
	for _, row := range told.Rows {
		if row.N != 60 || row.D != 2 || row.Data != "points.csv" {
			t.Errorf("%+v", row)
		}
	}
	if r := blossom(t, dir, "bench", "cluster", "nowhere.csv"); r.code != exitFailed ||
		!strings.Contains(r.stderr, "nowhere.csv: ") {
		t.Errorf("%+v", r)
	}
}
