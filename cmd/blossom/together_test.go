package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Outputs of a command belong together: what was beside those of a former run is replaced or removed with them, what
// standard output cannot carry is said, and where one cannot be written none changes.
func TestOutputsOfACommandBelongTogether(t *testing.T) {
	dir := t.TempDir()
	rows := "x,y\n1,2\n4,5\n,7\n9,9\n3,1\n"
	write(t, filepath.Join(dir, "holes.csv"), rows)
	write(t, filepath.Join(dir, "whole.csv"), strings.Replace(rows, "\n,7", "\n6,7", 1))
	line := func(input string, more ...string) []string {
		return append([]string{"cluster", input, "--columns", "x,y", "--linkage-out", "Z.npy", "--mst-out", "E.npy"},
			more...)
	}
	beside := func() bool { return slices.Contains(names(t, dir), "Z.rows.npy") }
	ok(t, dir, line("holes.csv")...)
	if !beside() {
		t.Fatal("the rows of the leaves are not beside the matrix")
	}
	ok(t, dir, line("whole.csv")...)
	if beside() {
		t.Error("the rows of another matrix are beside this one")
	}
	before := text(t, filepath.Join(dir, "Z.npy"))
	r := blossom(t, dir, line("holes.csv", "--n-clusters", "2", "-o", "/dev/full")...)
	if r.code != exitFailed || text(t, filepath.Join(dir, "Z.npy")) != before || beside() {
		t.Errorf("exit code %d; the labels failed, and the matrix changed", r.code)
	}
	said := ok(t, dir, "cluster", "holes.csv", "--columns", "x,y", "--linkage-out", "-").stderr
	if !strings.Contains(said, "--linkage-out FILE") {
		t.Errorf("nothing is said of the rows of the leaves: %q", said)
	}
	if got := names(t, dir); len(got) != 4 {
		t.Errorf("there is %q", got)
	}
}
