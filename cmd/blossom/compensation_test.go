package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// spilled writes s.fcs, which brings a matrix, and returns its folder.
func spilled(t *testing.T, m [][]float64) string {
	t.Helper()
	dir := t.TempDir()
	ds, err := dataset.FromColumns(t.Context(), "s", []dataset.Column{
		{Name: "FITC-A", Values: []float32{90, 200, 3000, 40, 800}},
		{Name: "PE-A", Values: []float32{10, 2000, 7, 900, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Names: []string{"FITC-A", "PE-A"}, M: m}
	if err := format.Save(t.Context(), filepath.Join(dir, "s.fcs"), ds, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Compensated values are written under names that say so and without the matrix, so that nothing is compensated twice;
// without a word convert leaves them raw.
func TestConvertWritesCompensatedValuesOnce(t *testing.T) {
	dir := spilled(t, [][]float64{{1, 0.25}, {0, 1}})
	r := ok(t, dir, "convert", "s.fcs", "c.csv", "--compensation", "file")
	if got := text(t, filepath.Join(dir, "c.csv")); !strings.HasPrefix(got,
		"Comp-FITC-A,Comp-PE-A\n90,-12.5\n200,1950\n") ||
		!strings.Contains(r.stderr, "compensated with the file's matrix of 2 detectors") {
		t.Errorf("%s: %s", got, r.stderr)
	}
	ok(t, dir, "convert", "s.fcs", "auto.csv", "--compensation", "auto")
	if text(t, filepath.Join(dir, "auto.csv")) != text(t, filepath.Join(dir, "c.csv")) {
		t.Error("auto writes other values than file")
	}
	ok(t, dir, "convert", "s.fcs", "raw.csv")
	if got := text(t, filepath.Join(dir, "raw.csv")); !strings.HasPrefix(got, "FITC-A,PE-A\n90,10\n") {
		t.Error(got)
	}
	ok(t, dir, "convert", "s.fcs", "c.fcs", "--compensation", "file")
	if ds := read(t, filepath.Join(dir, "c.fcs")); ds.Spillover != nil || ds.Columns[1].Name != "Comp-PE-A" {
		t.Errorf("it brings %v", ds.Spillover)
	}
	job := ok(t, dir, "convert", "s.fcs", "j.csv", "--compensation", "auto", "--print-job")
	write(t, filepath.Join(dir, "job.json"), job.stdout)
	if ok(t, dir, "job", "job.json"); text(t, filepath.Join(dir, "j.csv")) != text(t, filepath.Join(dir, "c.csv")) {
		t.Error("the job writes other values")
	}
}

// A matrix that does not fit is refused in one line that says what is wrong, and nothing is written.
func TestMatricesThatDoNotFitAreRefused(t *testing.T) {
	dir := spilled(t, [][]float64{{1, 0.25}, {0, 1}})
	for name, c := range map[string][2]string{
		"names.csv":    {"FITC-A,PE\n1,0\n0,1\n", `"PE" is no column`},
		"singular.csv": {"FITC-A,PE-A\n1,1\n1,1\n", "cannot be inverted"},
		"ill.csv":      {"FITC-A,PE-A\n1,1\n1,1.0000001\n", "condition number"},
		"letter.csv":   {"FITC-A,PE-A\n1,x\n0,1\n", `"x" for "PE-A"`},
		"bad.wsp":      {"<Workspace/>", "without a matrix"},
		"dtd.xml":      {"<!DOCTYPE a><a/>", "DTD"},
	} {
		write(t, filepath.Join(dir, name), c[0])
		r := blossom(t, dir, "convert", "s.fcs", "out.csv", "--compensation", name)
		if r.code == 0 || !strings.Contains(r.stderr, c[1]) || strings.Count(strings.TrimSpace(r.stderr), "\n") != 0 ||
			!strings.Contains(r.stderr, name) {
			t.Errorf("%s: %d, %s", name, r.code, r.stderr)
		}
		if found, _ := filepath.Glob(filepath.Join(dir, "out*")); len(found) > 0 {
			t.Errorf("%s: %v was written", name, found)
		}
	}
}

// info says which matrix a file brings, whether it is applied and why, with its numbers and what is odd about it.
func TestInfoSaysWhatIsCompensated(t *testing.T) {
	for name, c := range map[string]struct {
		m       [][]float64
		applied bool
		why     string
		remarks int
	}{
		"plain":    {[][]float64{{1, 0.25}, {0, 1}}, true, "compensated with the file's matrix", 0},
		"identity": {[][]float64{{1, 0}, {1e-13, 1}}, false, "the identity, which changes nothing", 0},
		"odd":      {[][]float64{{0.9, 0.89}, {0.89, 0.9}}, true, "0.9 on the diagonal", 2},
		"percent":  {[][]float64{{100, 25}, {0, 100}}, true, "compensated with the file's matrix", 0},
	} {
		dir := spilled(t, c.m)
		var said struct {
			Files []struct {
				Warnings     []string
				Compensation compensationInfo
			}
		}
		parse(t, ok(t, dir, "info", "s.fcs", "--json").stdout, &said)
		f := said.Files[0].Compensation
		if f.Applied != c.applied || !strings.Contains(f.Why,
			c.why) || len(f.Remarks) != c.remarks || len(f.Matrix) != 2 ||
			f.Matrix[0][0] > 1 {
			t.Errorf("%s: %+v", name, f)
		}
		if percent := slices.ContainsFunc(said.Files[0].Warnings, func(w string) bool {
			return strings.Contains(w, "in percent")
		}); percent != (name == "percent") {
			t.Errorf("%s: %q", name, said.Files[0].Warnings)
		}
		if plain := ok(t, dir, "info", "s.fcs").stdout; !strings.Contains(plain, c.why) {
			t.Errorf("%s: %s", name, plain)
		}
	}
}

// The commands that FORMATS asks for, with files of other programs.
func TestConvertOfFilesOfOtherPrograms(t *testing.T) {
	dir, fcs := t.TempDir(), filepath.Join(oracle.Formats(t), "fcs")
	r := ok(t, dir, "convert", filepath.Join(fcs, "060909.001"), "--compensation", filepath.Join(fcs, "compmatrix"),
		"c.csv")
	if !strings.Contains(r.stderr, "a matrix of 4 detectors") {
		t.Error(r.stderr)
	}
	if c := read(t, filepath.Join(dir, "c.csv")).Columns; c[2].Name != "Comp-FL1-H" || c[2].Stats.Mean < 4.556361 ||
		c[2].Stats.Mean > 4.556363 {
		t.Errorf("%s has the mean %g", c[2].Name, c[2].Stats.Mean)
	}
	r = ok(t, dir, "convert", filepath.Join(fcs, "test_comp_example.fcs"), "--transform", "PE-A=logicle", "x.csv")
	if !strings.Contains(r.stderr, "PE-A: logicle with T ") || !strings.Contains(r.stderr, ", W ") {
		t.Error(r.stderr)
	}
	r = ok(t, dir, "convert", filepath.Join(fcs, "test_comp_example.fcs"), "--compensation", "file", "x.csv")
	if !strings.Contains(r.stderr, "the identity, which changes nothing") {
		t.Error(r.stderr)
	}
}
