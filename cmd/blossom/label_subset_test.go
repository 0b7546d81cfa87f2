package main

import (
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// A session of the points of a population, and the job that it prints, are of those points alone, which are numbered as
// in the whole data; other data do not have them.
func TestASessionOfAPopulationIsOfItsPoints(t *testing.T) {
	dir := t.TempDir()
	doc := labelled(t, dir)
	s := dataset.Subset{Name: "high", Population: 1, Points: 300}
	for row := int32(100); row < 300; row++ {
		s.Rows = append(s.Rows, row)
	}
	sub, err := opening.Among(t.Context(), doc, s, opening.Inner{}, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	tree, _, err := population.Tree{}.Add(population.Population{Name: "low",
		Rule: &population.Limits{Of: []population.Limit{{Column: "a", Low: 0, High: 149}}}})
	if err != nil {
		t.Fatal(err)
	}
	sub.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	saveRecipe(t, sub.Doc, filepath.Join(dir, "high.blossom"))

	ok(t, dir, "label", "--session", "high.blossom", "-o", "l.csv", "--with-data")
	lines := strings.Split(strings.TrimSpace(text(t, filepath.Join(dir, "l.csv"))), "\n")
	if len(lines) != 201 || lines[0] != "a,b,kind,row,population" || lines[1] != "100,10,y,101,low" ||
		!strings.HasSuffix(lines[51], ",151,") {
		t.Fatalf("%d lines: %q, %q, %q", len(lines), lines[0], lines[1], lines[51])
	}
	job := ok(t, dir, "label", "--session", "high.blossom", "-o", "again.csv", "--with-data", "--print-job")
	write(t, filepath.Join(dir, "job.json"), job.stdout)
	ok(t, dir, "job", "job.json")
	if text(t, filepath.Join(dir, "again.csv")) != text(t, filepath.Join(dir, "l.csv")) {
		t.Error("the job gives other labels")
	}
	ok(t, dir, "label", "--session", "high.blossom", "-o", "l.csv", "--each", "population")
	if got := text(t, filepath.Join(dir, "l_low.csv")); !strings.HasPrefix(got,
		"a,b,kind,row,population\n100,10,y,101,low\n") {
		t.Errorf("a file of the population begins with %.60q", got)
	}
	blossom(t, dir, "label", "points.csv", "--session", "high.blossom", "-o", "other.csv").refused(t, 1,
		"is of the points of high alone")
}
