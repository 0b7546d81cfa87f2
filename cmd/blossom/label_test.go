package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
)

// labelled is a session of a table of 300 rows, a = 0 to 299, with a gate, a lasso in it, landmarks and a label.
func labelled(t *testing.T, dir string) (d *state.Document) {
	t.Helper()
	text := "a,b,kind\n"
	for i := range 300 {
		text += fmt.Sprintf("%d,%d,%s\n", i, i*i%37, []string{"x", "y", ""}[i%3])
	}
	data := write(t, filepath.Join(dir, "points.csv"), text)
	o, err := opening.Load(t.Context(), []string{data}, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var tree population.Tree
	add := func(name string, parent population.ID, r population.Rule) (id population.ID) {
		if tree, id, err = tree.Add(population.Population{Name: name, Parent: parent, Rule: r}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	high := add("high", 0, &population.Limits{Of: []population.Limit{{Column: "a", Low: 100, High: math.Inf(1)}}})
	words := make([]uint64, 5)
	for i := 90; i < 120; i++ {
		words[i/64] |= 1 << (i % 64)
	}
	add("some, \"odd\"", high, population.Of(selection.FromBits(300, words)))
	add("x", 0, &population.Categories{Column: "kind", Names: []string{"x"}})
	near := add("near", 0, &population.Landmarks{Groups: []population.ID{4}})
	o.Doc.Do("Name", func(s *state.State) {
		parts.Populations.Put(s, tree)
		parts.Landmarks.Put(s, parts.Landmarks.Of(*s).Carry([]int{0, 1, 2}, int32(near)))
	})
	saveRecipe(t, o.Doc, filepath.Join(dir, "s.blossom"))
	return o.Doc
}

// Labels are those that the rules say in plain words, in every format, and counts are theirs.
func TestLabelWritesThePopulationOfEachRow(t *testing.T) {
	dir := t.TempDir()
	doc := labelled(t, dir)
	ok(t, dir, "label", "--session", "s.blossom", "-o", "l.csv", "--counts", "c.csv", "--all", "--with-data")
	got := read(t, filepath.Join(dir, "l.csv"))
	column := func(ds *dataset.Dataset, name string) *dataset.Column {
		at, there := ds.Places()[name]
		if !there {
			t.Fatalf("no column %q", name)
		}
		return &ds.Columns[at]
	}
	label, inX := column(got, "population"), column(got, "x")
	var tree []string
	for _, p := range parts.Populations.Of(doc.State()).All() {
		tree = append(tree, p.Name)
	}
	counts := map[string]int{}
	for i := range 300 {
		want := ""
		switch near := column(got, "near").At(i); {
		case i >= 100 && i < 120:
			want = "some, \"odd\""
		case i >= 100:
			want = "high"
		case i%3 == 0:
			want = "x"
		case near == 1:
			want = "near"
		}
		if name := nameOf(label, i); name != want {
			t.Fatalf("row %d is %q, want %q", i, name, want)
		}
		if in := inX.At(i) == 1; in != (i%3 == 0) {
			t.Fatalf("row %d in x: %v", i, in)
		}
		counts[want]++
	}
	table := text(t, filepath.Join(dir, "c.csv"))
	for _, line := range []string{`high,high,points.csv,200,0.6666667,0.6666667`,
		`"some, ""odd""","high/some, ""odd""",points.csv,20,0.06666667,0.1`, `x,x,points.csv,100,0.33333334,0.33333334`,
		"unassigned,unassigned,points.csv," + strconv.Itoa(counts[""])} {
		if !strings.Contains(table, line) {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
	for _, out := range []string{"l.fcs", "l.tsv", "l.npy"} {
		ok(t, dir, "label", "--session", "s.blossom", "-o", out)
		columns := read(t, filepath.Join(dir, out)).Columns
		again := &columns[len(columns)-1]
		for i := range 300 {
			want, name := nameOf(label, i), nameOf(again, i)
			if out == "l.npy" { // numbers alone, from 1
				want = []string{"", "1", "2", "3", "4"}[1+slices.Index(tree, want)]
				name = strings.TrimPrefix(strconv.FormatFloat(again.At(i), 'g', -1, 64), "0")
			}
			if name != want {
				t.Fatalf("%s: row %d is %q, want %q", out, i, name, want)
			}
		}
	}
}

// nameOf is the name of the label of a row, "" for none.
func nameOf(c *dataset.Column, row int) string {
	if v := c.Values[row]; v == v && c.Categories != nil {
		return c.Categories[int(v)]
	}
	return ""
}

// The rules of a session are found in other data; what is fixed points of its own is refused, or left without rows.
func TestLabelAppliesTheRulesToOtherData(t *testing.T) {
	dir := t.TempDir()
	labelled(t, dir)
	write(t, filepath.Join(dir, "new.csv"), "b,a,kind\n1,250,x\n2,50,y\n3,30,x\n")
	blossom(t, dir, "label", "new.csv", "--session", "s.blossom", "-o", "n.csv").refused(t, 1, "new.csv", "some",
		"fixed points", "300 rows", "--partial")
	r := ok(t, dir, "label", "new.csv", "--session", "s.blossom", "-o", "n.csv", "--partial")
	lines := strings.Fields(text(t, filepath.Join(dir, "n.csv")))
	if len(lines) != 4 || lines[0] != "population" || lines[1] != "high" || lines[3] != "x" {
		t.Errorf("labels are %q", lines)
	}
	if !strings.Contains(r.stderr, "has no rows") {
		t.Errorf("said %q", r.stderr)
	}
	write(t, filepath.Join(dir, "less.csv"), "b,c,kind\n1,250,x\n2,50,y\n3,30,x\n")
	blossom(t, dir, "label", "less.csv", "--session", "s.blossom", "-o", "n.csv").refused(t, 1, "less.csv")
	blossom(t, dir, "label", "points.csv", "-o", "n.csv").refused(t, 2, "--session")
	blossom(t, dir, "label", "--session", "s.blossom").refused(t, 2, "-o")
	blossom(t, dir, "label", "--session", "s.blossom", "-o", "points.csv").refused(t, 1, "points.csv")
}
