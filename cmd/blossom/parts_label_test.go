package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/scale"
)

// calledFolder is a finished folder of files, and a session of its sample in which populations are named: by limits, by
// a region of the map, by landmarks and, where fixed is set, by points of the sample.
func calledFolder(t *testing.T, fixed bool) (dir string, doc *state.Document) {
	t.Helper()
	dir = partsInput(t, ".npy", 300, 210, 77)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--shown", "200")
	of := filepath.Join(dir, "out", scale.ShownFile)
	o, err := opening.LoadSession(t.Context(), of, "", "", format.Options{}, nil)
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
	column, low := o.Doc.Data.Columns[1].Name, o.Doc.Data.Columns[1].Stats.Mean
	high := add("high", 0, &population.Limits{Of: []population.Limit{{Column: column, Low: low, High: math.Inf(1)}}})
	add("left", high, &population.Region{Of: population.Map{Kind: "embedsom", Dims: 2},
		Strokes: []population.Stroke{{Does: population.Adds, Shape: population.Rectangle,
			Path: [][2]float64{{-1e4, -1e4}, {2.5, 1e4}}}}})
	near := add("near", 0, &population.Landmarks{Groups: []population.ID{3}})
	if fixed {
		add("chosen", 0, population.Of(selection.FromBits(200, []uint64{1 << 3, 0, 0, 0})))
	}
	o.Doc.Do("Name", func(s *state.State) {
		parts.Populations.Put(s, tree)
		parts.Landmarks.Put(s, parts.Landmarks.Of(*s).Carry([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, int32(near)))
	})
	saveRecipe(t, o.Doc, filepath.Join(dir, "s.blossom"))
	return dir, o.Doc
}

// All rows of a finished folder are called as the rules say in plain words, and counted.
func TestLabelCallsAllRowsOfAFinishedFolder(t *testing.T) {
	dir, doc := calledFolder(t, false)
	low := doc.Data.Columns[1].Stats.Mean
	ok(t, dir, "label", "out", "--session", "s.blossom", "-o", "labels/")
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "--derived", "nearest", "-o", "all.csv")
	var raw []float32
	for _, name := range []string{"s 0", "s 1", "s 2"} {
		raw = append(raw, read(t, filepath.Join(dir, "data", name+".npy")).Columns[1].Values...)
	}
	at := read(t, filepath.Join(dir, "all.csv"))
	nearest := &at.Columns[2]
	var want []string
	counts := make([]int, 4)
	for row, v := range raw {
		label, landmark := 0, nearest.At(row)
		if landmark >= 1 && landmark <= 9 {
			label = 3
			counts[3]++
		}
		if float64(v) >= low {
			label = 1
			counts[1]++
			if at.Columns[0].At(row) <= 2.5 {
				label = 2
				counts[2]++
			}
		}
		if label == 0 {
			counts[0]++
		}
		want = append(want, strconv.Itoa(label)+" ")
	}
	if slices.Min(counts) < 5 {
		t.Fatalf("%v rows: the populations say too little", counts)
	}
	if got := joined(t, filepath.Join(dir, "labels")); !slices.Equal(got, want) {
		t.Errorf("rows are called\n%v\nand were to be\n%v", got, want)
	}
	table := text(t, filepath.Join(dir, "labels", scale.CalledFile))
	for _, line := range []string{"number,path,population,points,labelled,of_all,of_parent",
		"1,high,high," + strconv.Itoa(counts[1]), "2,high/left,left," + strconv.Itoa(counts[2]),
		"3,near,near," + strconv.Itoa(counts[3]), "0,unassigned,unassigned," + strconv.Itoa(counts[0])} {
		if !strings.Contains(table, line) {
			t.Errorf("no line %q in\n%s", line, table)
		}
	}
	first := 0
	for _, v := range raw[:300] {
		if float64(v) >= low {
			first++
		}
	}
	if files := text(t, filepath.Join(dir, "labels", scale.CalledFiles)); !strings.Contains(files,
		"1,high,high,s 0.npy,"+strconv.Itoa(first)+",") {
		t.Errorf("%d of the first file are not in\n%s", first, files)
	}
	sum := sumOfFile(t, filepath.Join(dir, "labels", "parts", "000001.npy"))
	os.Remove(filepath.Join(dir, "labels", "parts", "000001.json"))
	os.Truncate(filepath.Join(dir, "labels", "parts", "000002.npy"), 10)
	ok(t, dir, "resume", "labels")
	if sumOfFile(t, filepath.Join(dir, "labels", "parts", "000001.npy")) != sum ||
		!slices.Equal(joined(t, filepath.Join(dir, "labels")), want) {
		t.Error("parts are not what they were when they are made again")
	}
}

// Populations that all rows cannot have are refused, or left out; a folder whose files have changed is refused.
func TestLabelRefusesWhatAllRowsCannotHave(t *testing.T) {
	dir, _ := calledFolder(t, true)
	blossom(t, dir, "label", "out", "--session", "s.blossom", "-o", "labels/").refused(t, 1, "chosen", "fixed points",
		"--partial")
	if _, err := os.Stat(filepath.Join(dir, "labels")); err == nil {
		t.Error("something was left behind")
	}
	r := ok(t, dir, "label", "out/plan.json", "--session", "s.blossom", "-o", "labels/", "--partial")
	if !strings.Contains(r.stderr, "left out") || strings.Contains(text(t,
		filepath.Join(dir, "labels", scale.CalledFile)), "chosen") {
		t.Errorf("said %q", r.stderr)
	}
	blossom(t, dir, "label", "labels", "--session", "s.blossom", "-o", "more/", "--partial").refused(t, 1, "labels")
	for _, flags := range [][]string{{"--counts", "c.csv"}, {"--with-data"}, {"--shown", "3"}} {
		words := append([]string{"label", "out", "--session", "s.blossom", "-o", "more/"}, flags...)
		blossom(t, dir, words...).refused(t, 2, flags[0])
	}
	blossom(t, dir, "label", "out", "--session", "s.blossom", "-o", "one.csv").refused(t, 2, "out", "-o out/")
	write(t, filepath.Join(dir, "data", "s 1.npy"), "other")
	blossom(t, dir, "label", "out", "--session", "s.blossom", "-o", "more/", "--partial", "--quiet").refused(t, 1,
		"s 1.npy", "changed")
}

// A folder is embedded again with a session whose landmarks were moved: that is the map of the moved landmarks, with
// the same sample.
func TestAFolderIsEmbeddedAgain(t *testing.T) {
	dir, doc := calledFolder(t, false)
	doc.Do("Move", func(s *state.State) {
		set := parts.Landmarks.Of(*s)
		pos := set.Pos.Clone()
		for i := range pos.Data {
			pos.Data[i] += float32(i%7) / 5
		}
		moved, err := set.WithPos(pos)
		if err != nil {
			t.Error(err)
		}
		parts.Landmarks.Put(s, moved)
	})
	saveRecipe(t, doc, filepath.Join(dir, "s.blossom"))
	ok(t, dir, "embed", "--session", "s.blossom", "-o", "again/")
	ok(t, dir, "embed", "out", "--session", "s.blossom", "-o", "same/")
	ok(t, dir, "embed", "--session", "s.blossom", "-o", "sample.npy")
	sample := rowsOf(t, filepath.Join(dir, "sample.npy"))
	values := rowsOf(t, filepath.Join(dir, "out", "sample.parquet"))
	places := map[string]string{}
	for i, v := range values {
		v = strings.Join(strings.Fields(v)[:3], " ") // without what says which file it is of
		places[v] = sample[i]
	}
	raw := slices.Concat(rowsOf(t, filepath.Join(dir, "data", "s 0.npy")), rowsOf(t,
		filepath.Join(dir, "data", "s 1.npy")), rowsOf(t, filepath.Join(dir, "data", "s 2.npy")))
	for _, folder := range []string{"again", "same"} {
		found := 0
		for row, at := range joined(t, filepath.Join(dir, folder)) {
			want, of := places[strings.Join(strings.Fields(raw[row])[:3], " ")]
			if of && want != at {
				t.Fatalf("row %d of %s is at %s, and the window has it at %s", row, folder, at, want)
			} else if of {
				found++
			}
		}
		if found < 200 {
			t.Errorf("%d rows of the sample are in %s", found, folder)
		}
		if sumOfFile(t, filepath.Join(dir, folder, "sample.parquet")) !=
			sumOfFile(t, filepath.Join(dir, "out", "sample.parquet")) {
			t.Errorf("%s has another sample", folder)
		}
	}
	if slices.Equal(joined(t, filepath.Join(dir, "again")), joined(t, filepath.Join(dir, "out"))) {
		t.Error("nothing was moved")
	}
	os.Remove(filepath.Join(dir, "out", "manifest.json"))
	blossom(t, dir, "embed", "out", "--session", "s.blossom", "-o", "more/").refused(t, 1, "out", "resume")
}
