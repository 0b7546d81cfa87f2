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
