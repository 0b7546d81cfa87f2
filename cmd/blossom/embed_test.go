package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Every case of the oracle comes out within the tolerance, on both engines that need no GPU.
func TestOracle(t *testing.T) {
	for _, dir := range oracle.Cases(t, oracle.Embedding) {
		var c struct {
			K             int
			Boost, Adjust float64
			N, Dims       int
		}
		oracle.Case(t, dir, &c)
		for _, engine := range []string{"cpu", "reference"} {
			t.Run(filepath.Base(dir)+"/"+engine, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "out.npy")
				ok(t, dir, "embed", "points.npy", "--landmarks-hd", "landmarks_hd.npy", "--landmarks-ld",
					"landmarks_ld.npy",
					"--k", fmt.Sprint(c.K), "--boost", fmt.Sprint(c.Boost), "--adjust", fmt.Sprint(c.Adjust),
					"--engine", engine, "-o", out)
				compare(t, read(t, out), read(t, filepath.Join(dir, "embedding.npy")),
					read(t, filepath.Join(dir, "landmarks_ld.npy")), c.N, c.Dims)
			})
		}
	}
}

// compare checks coordinates against exact ones: error = |difference| / extent of the positions, median at
// most 1e-5 and 99 % at most 1e-3.
func compare(t *testing.T, got, want, positions *dataset.Dataset, n, dims int) {
	t.Helper()
	if got.Points != n || len(got.Columns) != dims || want.Points != n || len(want.Columns) != dims {
		t.Fatalf("%d x %d, want %d x %d", got.Points, len(got.Columns), n, dims)
	}
	extent := 0.0
	for _, c := range positions.Columns {
		extent = max(extent, c.Stats.Max-c.Stats.Min)
	}
	errors := make([]float64, n)
	for j := range dims {
		for i := range n {
			e := math.Abs(float64(got.Columns[j].Values[i])-float64(want.Columns[j].Values[i])) / extent
			if e-e != 0 {
				t.Fatalf("point %d is at %g", i, got.Columns[j].Values[i])
			}
			errors[i] = max(errors[i], e)
		}
	}
	slices.Sort(errors)
	if m, p99 := errors[n/2], errors[n*99/100]; m > 1e-5 || p99 > 1e-3 {
		t.Errorf("median error %.3g, 99 %% %.3g", m, p99)
	}
}

// Matrices through files: the fast engine agrees with the reference, in every format of the output.
func TestEnginesAgree(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "tesseract", "--points", "3000", "-o", "points.csv")
	ok(t, dir, "convert", "points.csv", "--columns", "1-4", "points.npy")
	ok(t, dir, "demo", "tesseract", "--points", "90", "--seed", "5", "-o", "few.csv")
	ok(t, dir, "convert", "few.csv", "--columns", "1-4", "hd.npy")
	ok(t, dir, "convert", "few.csv", "--columns", "x,w", "ld.tsv")
	for _, out := range []string{"cpu.npy", "cpu.csv", "reference.npy"} {
		engine, _, _ := strings.Cut(out, ".")
		ok(t, dir, "embed", "points.npy", "--landmarks-hd", "hd.npy", "--landmarks-ld", "ld.tsv", "--engine", engine,
			"-o", out)
	}
	at := func(name string) *dataset.Dataset { return read(t, filepath.Join(dir, name)) }
	compare(t, at("cpu.npy"), at("reference.npy"), at("ld.tsv"), 3000, 2)
	for j, c := range at("cpu.csv").Columns {
		if c.Name != fmt.Sprintf("embedsom%d", j+1) || !slices.Equal(c.Values, at("cpu.npy").Columns[j].Values) {
			t.Errorf("column %s of the CSV does not read back to the same numbers", c.Name)
		}
	}
}

// The same command with the same seed gives the same bytes, whatever the number of threads.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	embed := func(out string, more ...string) []byte {
		ok(t, dir, append([]string{"embed", "demo:cytometry:4000", "--som", "8x8", "--epochs", "3", "-o", out},
			more...)...)
		text, err := os.ReadFile(filepath.Join(dir, out))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	a := embed("a.csv", "--seed", "1")
	if string(a) != string(embed("b.csv", "--seed", "1")) {
		t.Error("two runs differ")
	}
	if string(a) != string(embed("c.csv", "--seed", "1", "--threads", "1")) {
		t.Error("the number of threads changes the result")
	}
	if string(a) == string(embed("d.csv", "--seed", "2")) {
		t.Error("the seed changes nothing")
	}
	if r := ok(t, dir, "embed", "demo:cytometry:4000", "--som", "8x8", "--epochs", "3", "--seed", "1", "-o",
		"-"); r.stdout != string(a) {
		t.Error("standard output differs from the file")
	}
}

// A trained map takes new data: the same bytes as when it was trained on the way.
func TestTrainThenEmbed(t *testing.T) {
	dir := t.TempDir()
	for name, flags := range map[string][]string{
		"som": {"--som", "9x7", "--topology", "hex", "--epochs", "2", "--sigma", "4:0.5", "--alpha", "0.2:0.01",
			"--scale"},
		"batch":  {"--som", "6x6", "--algorithm", "som-batch", "--epochs", "5"},
		"kmeans": {"--kmeans", "40", "--transform", "log,CD3=asinh:5"},
		"online": {"--kmeans", "40", "--algorithm", "kmeans", "--epochs", "1"},
		"3D":     {"--som", "4x4x4", "--epochs", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			file, direct, again := name+".json", name+"1.npy", name+"2.npy"
			ok(t, dir, append([]string{"train", "demo:cytometry:3000", "-o", file}, flags...)...)
			ok(t, dir, append([]string{"embed", "demo:cytometry:3000", "-o", direct}, flags...)...)
			ok(t, dir, "embed", "demo:cytometry:3000", "--landmarks", file, "-o", again)
			a, err1 := os.ReadFile(filepath.Join(dir, direct))
			b, err2 := os.ReadFile(filepath.Join(dir, again))
			if err1 != nil || err2 != nil || string(a) != string(b) {
				t.Errorf("the landmarks of the file give another map (%v, %v)", err1, err2)
			}
		})
	}
}

// Points with a missing value have no place; all others are as without them.
func TestInvalidPoints(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "hd.csv"), "a,b\n0,0\n1,0\n0,1\n1,1\n")
	write(t, filepath.Join(dir, "ld.csv"), "x,y\n0,0\n1,0\n0,1\n1,1\n")
	write(t, filepath.Join(dir, "holes.csv"), "a,b\n0.2,0.3\nNaN,0.5\n0.9,0.1\n0.4,inf\n")
	write(t, filepath.Join(dir, "clean.csv"), "a,b\n0.2,0.3\n0.9,0.1\n")
	r := ok(t, dir, "embed", "holes.csv", "--landmarks-hd", "hd.csv", "--landmarks-ld", "ld.csv", "-o", "holes.npy")
	if !strings.Contains(r.stderr, "2 of 4 points") {
		t.Errorf("invalid points are not told: %q", r.stderr)
	}
	ok(t, dir, "embed", "clean.csv", "--landmarks-hd", "hd.csv", "--landmarks-ld", "ld.csv", "-o", "clean.npy")
	holes, clean := read(t, filepath.Join(dir, "holes.npy")), read(t, filepath.Join(dir, "clean.npy"))
	for j := range 2 {
		h, c := holes.Columns[j].Values, clean.Columns[j].Values
		if h[0] != c[0] || h[2] != c[1] || h[1] == h[1] || h[3] == h[3] {
			t.Errorf("coordinate %d: %v with holes, %v without", j+1, h, c)
		}
	}
}

// Everything that can be written can be read back to the same values.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "cytometry", "--points", "500", "-o", "a.fcs")
	names := []string{"a.fcs"}
	for i, ext := range []string{".csv", ".tsv", ".csv.gz", ".fcs"} {
		next := fmt.Sprintf("b%d%s", i, ext)
		ok(t, dir, "convert", names[len(names)-1], next)
		names = append(names, next)
	}
	first := read(t, filepath.Join(dir, "a.fcs"))
	if first.Points != 500 || len(first.Columns) != 35 {
		t.Fatalf("%d x %d", first.Points, len(first.Columns))
	}
	for _, name := range names[1:] {
		ds := read(t, filepath.Join(dir, name))
		for j := range first.Columns {
			if !slices.Equal(texts(&ds.Columns[j]), texts(&first.Columns[j])) {
				t.Errorf("%s: column %d differs", name, j+1)
			}
		}
	}
	if f, _ := format.ForPath("x.fcs"); f.Write == nil {
		t.Error("FCS cannot be written")
	}
}

// texts returns the values of a column as a reader of the table sees them: categories by their names,
// whose numbering is the format's own business.
func texts(c *dataset.Column) []string {
	out := make([]string, len(c.Values))
	for i, v := range c.Values {
		if c.Categories != nil {
			out[i] = c.Categories[int(v)]
		} else {
			out[i] = fmt.Sprint(v)
		}
	}
	return out
}
