package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A folder of parts tells what reading the cells told, with the name of the file, and where rows without a place are.
func TestPartsTellWhatReadingTold(t *testing.T) {
	dir := partsInput(t, ".csv", 300, 200)
	path := filepath.Join(dir, "data", "s 1.csv")
	lines := strings.Split(text(t, path), "\n")
	for _, i := range []int{3, 9} {
		lines[i] = "broken" + lines[i][strings.Index(lines[i], ","):]
	}
	lines[20] = strings.Repeat(",", strings.Count(lines[20], ","))
	write(t, path, strings.Join(lines, "\n"))
	said := ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/").stderr
	for _, want := range []string{`s 1.csv: column "`,
		`2 cells that are no number counted as missing, the first is "broken" on line 4`,
		"1 of 500 rows have a missing or infinite value and no place on the map, in ", "s 1.csv (1)"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	if m := manifest(t, filepath.Join(dir, "out")); len(m.Said) != 1 || m.SaidMore != 0 ||
		filepath.Base(m.Said[0].Of) != "s 1.csv" {
		t.Errorf("the manifest says %+v and %d more", m.Said, m.SaidMore)
	}
}
