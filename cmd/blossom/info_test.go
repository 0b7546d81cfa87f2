package main

import (
	endian "encoding/binary"
	"encoding/json"
	"fmt"
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

// The bytes of an FCS file decide what is said of it; files of instruments, in the folder that BLOSSOM_TESTDATA names,
// are compared with another reader.
func TestInfoOfFCS(t *testing.T) {
	const keys = "/$BEGINDATA/000000000400/$ENDDATA/000000000423/$BYTEORD/1,2,3,4/$DATATYPE/F/$MODE/L/$NEXTDATA/0/" +
		"$PAR/2/$TOT/3/$P1N/FSC-A/$P1B/32/$P1E/0,0/$P1R/262144/$P2N/FITC-A/$P2S/CD4/$P2B/32/$P2E/0,0/$P2R/262144/"
	file := fmt.Appendf(nil, "FCS3.1    %8d%8d%8d%8d%8d%8d%s", 58, 58+len(keys)-1, 400, 423, 0, 0, keys)
	file = append(file, make([]byte, 400-len(file))...)
	for _, v := range []float32{1, 10, 2, 20, 6, 60} {
		file = endian.LittleEndian.AppendUint32(file, math.Float32bits(v))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.fcs"), string(file))
	var got infoFiles
	parse(t, ok(t, dir, "info", "--json", "a.fcs").stdout, &got)
	f := got.Files[0]
	if f.Points != 3 || len(f.Columns) != 2 || f.Format != "fcs" || f.Columns[1].Name != "FITC-A" ||
		f.Columns[1].Label != "CD4" || *f.Columns[0].Mean != 3 || *f.Columns[1].Min != 10 || *f.Columns[1].Max != 60 {
		t.Errorf("%+v", f)
	}
	if dir := os.Getenv("BLOSSOM_TESTDATA"); dir != "" {
		againstAnotherReader(t, filepath.Join(dir, "fcs"))
	}
}

// againstAnotherReader compares events, names, means, minima and maxima of real files.
func againstAnotherReader(t *testing.T, dir string) {
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
				t.Fatalf("%s: %d x %d in %s, want %d x %d", f.Path, f.Points, len(f.Columns), f.Format, w.Events,
					w.Channels)
			}
			for i, c := range f.Columns {
				if c.Index != i+1 || c.Name != w.PNN[i] {
					t.Errorf("column %d is called %q, want %q", c.Index, c.Name, w.PNN[i])
				}
				if label := strings.TrimSpace(w.PNS[i]); c.Label != label {
					t.Errorf("%s: label %q, want %q", c.Name, c.Label, label)
				}
				for what, pair := range map[string][2]float64{"mean": {*c.Mean, w.Mean[i]}, "min": {*c.Min, w.Min[i]},
					"max": {*c.Max, w.Max[i]}} {
					if math.Abs(pair[0]-pair[1]) > 1e-6*max(1, math.Abs(pair[1])) {
						t.Errorf("%s: %s %g, want %g", c.Name, what, pair[0], pair[1])
					}
				}
			}
		})
	}
}

// --columns and --exclude choose what is told; the numbers of columns stay those of the file.
func TestInfoColumns(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z,Time\n1,2,3,1\n4,5,6,2\n7,8,10,3\n")
	for line, want := range map[string]string{
		"--columns z,1":                "3 z 1 x",
		"--exclude y":                  "1 x 3 z 4 Time",
		"--columns 2-4 --exclude Time": "2 y 3 z",
		"--threads 1 --quiet":          "1 x 2 y 3 z 4 Time",
	} {
		var got infoFiles
		parse(t, ok(t, dir, append([]string{"info", "--json", "a.csv"}, strings.Fields(line)...)...).stdout, &got)
		var told []string
		for _, c := range got.Files[0].Columns {
			told = append(told, fmt.Sprint(c.Index), c.Name)
		}
		if s := strings.Join(told, " "); s != want {
			t.Errorf("%s: %s, want %s", line, s, want)
		}
	}
	if r := ok(t, dir, "info", "a.csv", "--columns", "y"); !strings.Contains(r.stdout,
		"3 points x 4 columns, 1 of them here") || strings.Contains(r.stdout, "Time") {
		t.Errorf("%s", r.stdout)
	}
	blossom(t, dir, "info", "a.csv", "--columns", "yy").refused(t, exitFailed, `no column "yy"`)
	blossom(t, dir, "info", "a.csv", "--exclude", "9").refused(t, exitFailed, "no column number 9")
}

// Every command that works on data takes --threads, --quiet and --json, and the result is the same.
func TestSharedFlags(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n")
	for _, line := range []string{
		"info a.csv", "convert a.csv out.csv", "demo mammoth --points 50 -o out.csv", "demo", "doctor",
		"embed a.csv --som 2x2 -o out.csv", "train a.csv --som 2x2 -o out.json", "bench load --points 500",
	} {
		r := ok(t, dir, append(strings.Fields(line), "--threads", "1", "--quiet", "--json")...)
		if r.stderr != "" {
			t.Errorf("%s: not quiet: %q", line, r.stderr)
		}
		var any map[string]any
		parse(t, r.stdout, &any)
		if strings.Contains(line, " out.") && any["output"] == nil {
			t.Errorf("%s: does not say what was written: %v", line, any)
		}
	}
	for _, line := range []string{"convert a.csv - --json", "demo mammoth -o - --json",
		"convert a.csv b.csv --threads -1", "demo mammoth --threads -1", "demo mammoth --points 0",
		"demo mammoth --points -5"} {
		blossom(t, dir, strings.Fields(line)...).refused(t, exitUsage)
	}
	blossom(t, dir, "info", "demo:mammoth:0").refused(t, exitUsage, `"0" is not a number of points from 1`)
}

func TestInfoCorrupted(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "corrupted.fcs"), "oi21j08cn\n")
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
	if text := ok(t, dir, "info", "a.csv").stdout; !strings.Contains(text, "3 points x 3 columns") ||
		!strings.Contains(text, "cat, dog") {
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
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "blossom: missing.csv: ") ||
		!strings.HasPrefix(lines[1], "blossom: gone.fcs: ") {
		t.Errorf("%q", r.stderr)
	}
}
