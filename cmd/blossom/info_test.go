package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type infoFiles struct {
	Files []struct {
		Path, Format  string
		Points, Total int
		Columns       []struct {
			Index             int
			Name, Label, Role string
			Min, Max, Mean    *float64
			SD                *float64
			Invalid           int
			Categories        []string
		}
		Metadata map[string]string
		Warnings []string
	}
}

// Events, names, means, minima and maxima of real files, as another reader gives them.
func TestInfoAgainstAnotherReader(t *testing.T) {
	dir := filepath.Join(folder(t, "BLOSSOM_TESTDATA"), "fcs")
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for name, raw := range want {
		t.Run(name, func(t *testing.T) {
			var w struct {
				Events, Channels int
				PNN, PNS         []string
				Mean, Min, Max   []float64
			}
			if err := json.Unmarshal(raw, &w); err != nil || len(w.PNN) == 0 {
				blossom(t, dir, "info", name).refused(t, exitFailed, name)
				return
			}
			var got infoFiles
			parse(t, ok(t, dir, "info", "--json", name).stdout, &got)
			f := got.Files[0]
			if f.Points != w.Events || len(f.Columns) != w.Channels || f.Format != "fcs" || f.Path != name {
				t.Fatalf("%s: %d x %d in %s, want %d x %d", f.Path, f.Points, len(f.Columns), f.Format, w.Events, w.Channels)
			}
			for i, c := range f.Columns {
				if c.Index != i+1 || c.Name != w.PNN[i] {
					t.Errorf("column %d is called %q, want %q", c.Index, c.Name, w.PNN[i])
				}
				if label := strings.TrimSpace(w.PNS[i]); c.Label != label {
					t.Errorf("%s: label %q, want %q", c.Name, c.Label, label)
				}
				for what, pair := range map[string][2]float64{"mean": {*c.Mean, w.Mean[i]}, "min": {*c.Min, w.Min[i]}, "max": {*c.Max, w.Max[i]}} {
					if math.Abs(pair[0]-pair[1]) > 1e-6*max(1, math.Abs(pair[1])) {
						t.Errorf("%s: %s %g, want %g", c.Name, what, pair[0], pair[1])
					}
				}
			}
		})
	}
}

func TestInfoCorrupted(t *testing.T) {
	dir := filepath.Join(folder(t, "BLOSSOM_TESTDATA"), "fcs")
	blossom(t, dir, "info", "--json", "corrupted.fcs").refusedOutput(t, exitFailed, "corrupted.fcs: ")
}

// refusedOutput is refused for commands that still print what they could: `info --json` of no file.
func (r result) refusedOutput(t testing.TB, code int, words ...string) {
	t.Helper()
	var files infoFiles
	parse(t, r.stdout, &files)
	r.stdout = ""
	r.refused(t, code, words...)
}

// Statistics are over finite values; a column without any has nulls, not zeros, and JSON stays valid.
func TestInfoJSON(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,kind\n1,NaN,cat\n3,NaN,dog\ninf,NaN,cat\n")
	var got infoFiles
	parse(t, ok(t, dir, "info", "--json", "a.csv").stdout, &got)
	f := got.Files[0]
	if f.Points != 3 || f.Total != 3 || f.Format != "csv" || f.Metadata == nil || f.Warnings == nil {
		t.Errorf("%+v", f)
	}
	x, y, kind := f.Columns[0], f.Columns[1], f.Columns[2]
	if *x.Min != 1 || *x.Max != 3 || *x.Mean != 2 || math.Abs(*x.SD-math.Sqrt2) > 1e-12 || x.Invalid != 1 {
		t.Errorf("x: %v", x)
	}
	if y.Min != nil || y.Max != nil || y.Mean != nil || y.SD != nil || y.Invalid != 3 {
		t.Errorf("y: %v", y)
	}
	if kind.Role != "label" || strings.Join(kind.Categories, " ") != "cat dog" {
		t.Errorf("kind: %v", kind)
	}
	if text := ok(t, dir, "info", "a.csv").stdout; !strings.Contains(text, "3 points x 3 columns") || !strings.Contains(text, "cat, dog") {
		t.Errorf("%s", text)
	}
}

// One bad file among good ones does not hide them.
func TestInfoGoesOn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y\n1,2\n3,4\n")
	r := blossom(t, dir, "info", "missing.csv", "a.csv", "gone.fcs")
	if r.code != exitFailed || !strings.Contains(r.stdout, "a.csv: csv, 2 points") {
		t.Errorf("exit code %d, output %q", r.code, r.stdout)
	}
	lines := strings.Split(strings.TrimSpace(r.stderr), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "blossom: missing.csv: ") || !strings.HasPrefix(lines[1], "blossom: gone.fcs: ") {
		t.Errorf("%q", r.stderr)
	}
}
