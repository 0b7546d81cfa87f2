package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The user can say how a table is read where the guess is wrong, to every command that reads one, and hears it again.
func TestReadingFlags(t *testing.T) {
	dir := t.TempDir()
	text := "id;x;y;kind\n"
	for i := range 30 {
		text += strings.Join([]string{"p" + string(rune('a'+i%26)), []string{"1,234", "2,345", "low"}[i%3],
			[]string{"-999", "0.5", "1.5", "2.25"}[i%4], []string{"1", "2"}[i%2]}, ";") + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var plain infoFiles
	parse(t, ok(t, dir, "info", "t.csv", "--json").stdout, &plain)
	if f := plain.Files[0]; *f.Columns[1].Max != 2345 || f.Columns[1].Invalid != 10 || f.Columns[3].Role != "marker" ||
		!strings.Contains(strings.Join(f.Warnings, "\n"), `column "x": 10 cells that are no number`) {
		t.Errorf("%+v", f)
	}
	flags := []string{"--separator", "semicolon", "--decimal", ",", "--missing", "-999,low", "--label", "kind",
		"--number", "2"}
	var got infoFiles
	parse(t, ok(t, dir, append([]string{"info", "t.csv", "--json"}, flags...)...).stdout, &got)
	f := got.Files[0]
	if *f.Columns[1].Max != 2.345 && float32(*f.Columns[1].Max) != 2.345 || f.Columns[1].Invalid != 10 {
		t.Errorf("x: %+v", f.Columns[1])
	}
	if c := f.Columns[3]; c.Role != "label" || !slices.Equal(c.Categories, []string{"1", "2"}) {
		t.Errorf("kind: %+v", c)
	}
	var said struct {
		Notes   []string
		Columns []string
		Reading struct {
			Separator, Decimal     string
			Missing, Number, Label []string
		}
	}
	args := []string{"embed", "t.csv", "--som", "2x2", "--k", "3", "-o", "m.csv", "--json", "--missing", "-999"}
	parse(t, ok(t, dir, args...).stdout, &said)
	if !slices.Equal(said.Reading.Missing, []string{"-999"}) || !slices.Equal(said.Columns, []string{"x", "y",
		"kind"}) ||
		!strings.Contains(strings.Join(said.Notes, "\n"), `column "x": 10 cells that are no number`) {
		t.Errorf("%+v", said)
	}
	ok(t, dir, append([]string{"convert", "t.csv", "out.csv"}, flags...)...)
	back, err := os.ReadFile(filepath.Join(dir, "out.csv"))
	if err != nil || !strings.HasPrefix(string(back), "id,x,y,kind\npa,1.234,NaN,1\npb,2.345,NaN,2\npc,NaN,NaN,1\n") {
		t.Errorf("%.80q %v", back, err)
	}
	for _, wrong := range [][]string{{"--separator", "ab"}, {"--separator", "5"}, {"--decimal", ";"},
		{"--number", "x", "--label", "x"}} {
		blossom(t, dir, append([]string{"info", "t.csv"}, wrong...)...).refused(t, exitUsage)
	}
	blossom(t, dir, "info", "t.csv", "--number", "z").refused(t, exitFailed, "t.csv", `no column "z"`)
	if err := os.WriteFile(filepath.Join(dir, "t.npy"), []byte("\x93NUMPY\x01\x00v\x00{'descr': '<f4', "+
		"'fortran_order': False, 'shape': (1, 1), }"+strings.Repeat(" ", 58)+"\nabcd"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := ok(t, dir, "info", "t.npy", "--decimal", ","); !strings.Contains(r.stdout,
		"about reading text changes nothing") {
		t.Error(r.stdout, r.stderr)
	}
}
