package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Three files of which two have NK1/1 on the detector that is CD33 in the third, and CD4 on different detectors: what
// is one column is said alike by info, in text and JSON, and by embed on standard error and in its notes.
func TestMatchedColumnsAreSaidOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	for name, header := range map[string]string{
		"a.csv": "FSC-A,PE-A :: NK1/1,FITC-A :: CD4,APC-A :: CD3",
		"b.csv": "FSC-A,PE-A :: NK1.1,APC-A :: CD4,BV421-A :: CD3",
		"c.csv": "FSC-A,PE-A :: CD33,BV421-A :: CD4,FITC-A :: CD3",
	} {
		r, text := rand.New(rand.NewPCG(1, 2)), header+"\n"
		for range 60 {
			text += fmt.Sprintf("%.3f,%.3f,%.3f,%.3f\n", 9e4+1e4*r.NormFloat64(), 900*r.ExpFloat64(),
				900*r.ExpFloat64(), 900*r.ExpFloat64())
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{"a.csv", "b.csv", "c.csv"}
	const doubt = "one detector, two antigens: NK1/1 and CD33"
	text := ok(t, dir, append([]string{"info"}, files...)...).stdout
	if !strings.Contains(text, "together: 3 files, 3 columns in all of them") || !strings.Contains(text, doubt) {
		t.Error(text)
	}
	var info struct {
		Match struct {
			By      string
			Columns []matchedRow
			Notes   []string
		}
	}
	parse(t, ok(t, dir, append([]string{"info", "--json"}, files...)...).stdout, &info)
	rows := map[string]matchedRow{}
	for _, r := range info.Match.Columns {
		rows[r.Label] = r
	}
	if m := info.Match; m.By != "antigen" || len(m.Columns) != 4 || m.Columns[0].Doubt != doubt || !m.Columns[0].Apart {
		t.Errorf("%+v", info.Match)
	}
	if r := rows["CD4"]; len(r.From) != 3 || *r.From[1] != "APC-A" || r.By != "antigen" || !r.Map {
		t.Errorf("%+v", r)
	}
	var done summary
	args := append(append([]string{"embed"}, files...), "--som", "3x3", "--epochs", "1", "-o", "map.csv")
	parse(t, ok(t, dir, append(args, "--json")...).stdout, &done)
	if strings.Join(done.Columns, ",") != "CD4,CD3" || done.Points != 180 || len(done.Inputs) != 3 ||
		!strings.Contains(strings.Join(done.Notes, "\n"), doubt) {
		t.Errorf("%+v", done)
	}
	if said := ok(t, dir, args...).stderr; !strings.Contains(said, doubt) || !strings.Contains(said, "kept apart") {
		t.Error(said)
	}
	parse(t, ok(t, dir, append(args, "--match", "detector", "--json")...).stdout, &done)
	if strings.Join(done.Columns, ",") != "PE-A" {
		t.Errorf("by detector the map has %q", done.Columns)
	}
	blossom(t, dir, append(args, "--match", "luck")...).refused(t, exitUsage, "cannot be matched by")
}

// Which file to leave out is worth saying of three files and not of two, of which one alone has all its columns.
func TestOddFileIsSaidOfThree(t *testing.T) {
	dir := t.TempDir()
	for name, header := range map[string]string{
		"a.csv": "CD3,CD4,CD8", "b.csv": "CD3,CD4,CD8", "c.csv": "CD3,CD19,CD20",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(header+"\n1,2,3\n3,5,1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const said = "1 column in all files; without c.csv 3"
	if text := ok(t, dir, "info", "a.csv", "b.csv", "c.csv").stdout; !strings.Contains(text, said) {
		t.Error(text)
	}
	if text := ok(t, dir, "info", "a.csv", "c.csv").stdout; strings.Contains(text, "; without") {
		t.Error(text)
	}
}
