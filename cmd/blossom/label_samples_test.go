package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/data/sheet"
	"blossom/model/document/parts"
)

// Counts of a session with a sheet of samples are by its samples, and have what it says of each; a sample of which it
// says nothing has nothing there.
func TestCountsHaveWhatTheSheetSays(t *testing.T) {
	dir := t.TempDir()
	doc := labelled(t, dir)
	known := sheet.Keyed("kind")
	for _, name := range []string{"group", "day"} {
		var err error
		if known, err = known.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	doc.Do("Sheet", parts.Samples.With(known.Set("y", 0, "case").Set("y", 1, "7").Set("gone", 0, "ctrl")))
	saveRecipe(t, doc, filepath.Join(dir, "s.blossom"))
	ok(t, dir, "label", "--session", "s.blossom", "--counts", "c.csv")
	text, err := os.ReadFile(filepath.Join(dir, "c.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if lines[0] != "population,path,sample,points,of_all,of_parent,group,day" {
		t.Fatalf("the first line is %q", lines[0])
	}
	high := map[string]int{} // rows with a from 100 on, by kind
	for i := 100; i < 300; i++ {
		high[[]string{"x", "y", ""}[i%3]]++
	}
	for _, kind := range []string{"x", "y"} {
		want := "high,high," + kind + "," + strconv.Itoa(high[kind]) + ","
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("there is no line %q", want)
		}
	}
	for _, l := range lines[1:] {
		end := ",,"
		if strings.Contains(l, ",y,") {
			end = ",case,7"
		}
		if l != "" && !strings.HasSuffix(l, end) {
			t.Errorf("the line %q does not end with %q", l, end)
		}
	}
}

// A sheet that is named stands in the place of the session's; what of it there is no sample for is said.
func TestCountsHaveWhatASheetFileSays(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	write(t, filepath.Join(dir, "sheet.csv"), "name,group\nPOINTS,case\nother,ctrl\n")
	said := ok(t, dir, "label", "--session", "s.blossom", "--counts", "c.csv", "--samples", "sheet.csv").stderr
	if !strings.Contains(said, "1 row of no sample: other") {
		t.Errorf("it is said that %q", said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "c.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !strings.HasSuffix(lines[0], ",group") || !strings.HasSuffix(lines[1], ",case") {
		t.Errorf("lines are %q", lines[:2])
	}
	write(t, filepath.Join(dir, "sheet.csv"), "name,group\nother,ctrl\n")
	r := blossom(t, dir, "label", "--session", "s.blossom", "--counts", "d.csv", "--samples", "sheet.csv")
	r.refused(t, 1, "no column names a sample", "points.csv")
}
