package main

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// An embedding that runs is a command whose flags are its parameters; the number of threads changes no byte.
func TestUMAPIsACommand(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "tesseract", "--points", "300", "-o", "a.csv")
	var done struct {
		Units, Dims int
		Quality     struct{ Trustworthiness float64 }
	}
	args := []string{"umap", "a.csv", "--n-neighbors", "10", "--min-dist", "0.2", "--epochs", "60"}
	args = args[:len(args):len(args)]
	first := ok(t, dir, append(args, "-o", "map.csv", "--graph-out", "graph.csv", "--threads", "1", "--json")...)
	parse(t, first.stdout, &done)
	if done.Units != 60 || done.Dims != 2 || !(done.Quality.Trustworthiness > 0.8) {
		t.Errorf("%+v", done)
	}
	ok(t, dir, append(args, "-o", "again.csv", "--threads", "3")...)
	one, two := text(t, filepath.Join(dir, "map.csv")), text(t, filepath.Join(dir, "again.csv"))
	if one != two || !strings.HasPrefix(one, "umap1,umap2\n") {
		t.Errorf("threads change the map, or its header is %.20q", one)
	}
	graph := read(t, filepath.Join(dir, "graph.csv"))
	for e := range graph.Points {
		row, column, weight := graph.Columns[0].Values, graph.Columns[1].Values, graph.Columns[2].Values
		if !(weight[e] > 0 && weight[e] <= 1) || e > 0 && (row[e] < row[e-1] || row[e] == row[e-1] &&
			column[e] <= column[e-1]) {
			t.Fatalf("edge %d of the graph: %g, %g, %g", e, row[e], column[e], weight[e])
		}
	}
	if len(graph.Columns) != 3 || graph.Points < 300*9 {
		t.Errorf("the graph has %d edges of %d numbers", graph.Points, len(graph.Columns))
	}
	ok(t, dir, append(args, "--start", "./map.csv", "--dims", "2", "-o", "refined.npy")...)
	ok(t, dir, append(args, "--start", "spectral", "--dims", "3", "-o", "space.npy")...)
	if d := read(t, filepath.Join(dir, "space.npy")); len(d.Columns) != 3 || d.Points != 300 {
		t.Errorf("a map in space has %d x %d numbers", d.Points, len(d.Columns))
	}
}

// New points come to the same places, to the byte, whether they are placed alone or among others.
func TestUMAPPlacesNewPoints(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "tesseract", "--points", "300", "-o", "all.csv")
	lines := strings.SplitAfter(strings.TrimSpace(text(t, filepath.Join(dir, "all.csv")))+"\n", "\n")
	write(t, filepath.Join(dir, "old.csv"), strings.Join(lines[:251], ""))
	fresh := append([]string{lines[0]}, lines[251:301]...)
	fresh[5] = strings.Replace(fresh[5], strings.SplitN(fresh[5], ",", 2)[0], "nan", 1) // and one without a place
	write(t, filepath.Join(dir, "new.csv"), strings.Join(fresh, ""))
	write(t, filepath.Join(dir, "some.csv"), fresh[0]+strings.Join(fresh[11:21], ""))
	write(t, filepath.Join(dir, "none.csv"), fresh[0])
	ok(t, dir, "umap", "old.csv", "--epochs", "50", "--scale", "-o", "map.npy")
	for _, name := range []string{"new", "some", "none"} {
		ok(t, dir, "umap", name+".csv", "--into", "old.csv", "--map", "map.npy", "--scale", "-o", name+"-placed.csv")
	}
	all := strings.Split(text(t, filepath.Join(dir, "new-placed.csv")), "\n")
	some := strings.Split(text(t, filepath.Join(dir, "some-placed.csv")), "\n")
	for i, line := range some[1:11] {
		if line != all[11+i] || !strings.Contains(line, ",") {
			t.Errorf("point %d is placed at %q alone and at %q among all", i, line, all[11+i])
		}
	}
	placed := read(t, filepath.Join(dir, "new-placed.csv"))
	if v := placed.Columns[0].Values; placed.Points != 50 || !math.IsNaN(float64(v[4])) || v[5] != v[5] {
		t.Errorf("%d points, at %v", placed.Points, v[:6])
	}
}

// Few, equal and invalid points have maps with a row for each; what cannot be done is refused in a line.
func TestUMAPOfFewAndOfWrong(t *testing.T) {
	dir := t.TempDir()
	for name, rows := range map[string]string{"one": "1,2\n", "two": "1,2\n3,4\n",
		"equal": "1,1\n1,1\n1,1\n", "invalid": "1,2\nnan,3\n4,5\n2,2\n"} {
		write(t, filepath.Join(dir, name+".csv"), "a,b\n"+rows)
		ok(t, dir, "umap", name+".csv", "--columns", "a,b", "-o", name+"-map.csv")
		got := strings.Count(text(t, filepath.Join(dir, name+"-map.csv")), "\n")
		if got != 1+strings.Count(rows, "\n") {
			t.Errorf("%s: %d lines", name, got)
		}
	}
	write(t, filepath.Join(dir, "none.csv"), "a,b\n")
	ok(t, dir, "umap", "none.csv", "-o", "none-map.csv") // as tsne does
	if got := text(t, filepath.Join(dir, "none-map.csv")); got != "umap1,umap2\n" {
		t.Errorf("of no points %q", got)
	}
	blossom(t, dir, "umap", "none.csv", "-o", "no.csv", "--graph-out", "g.npy").refused(t, exitFailed,
		"none.csv: it has no points")
	for line, words := range map[string]string{
		"--n-neighbors 1": "2 to 200", "--dims 4": "--dims 2 or", "--epochs 1.5": "whole number", "--start foo": "pca",
		"--min-dist x": "not a number", "--into one.csv": "--map", "--start ./gone.npy": "gone.npy",
		"--graph-out two.csv": "two.csv", "--graph-out ./no.csv": "named twice",
		"--graph-out /dev/full":                     "/dev/full",
		"--into two.csv --map two-map.csv --dims 3": "leave it out",
	} {
		args := append([]string{"umap", "two.csv", "-o", "no.csv"}, strings.Fields(line)...)
		r := blossom(t, dir, args...)
		if r.code == 0 || !strings.Contains(r.stderr, words) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d: %s", line, r.code, r.stderr)
		}
		if _, err := os.Stat(filepath.Join(dir, "no.csv")); err == nil {
			t.Fatalf("%s: a file was written", line)
		}
	}
}

// A map is made anew of a session that has one, and the command says that what was dragged there does not count.
func TestUMAPOfASessionWithAMapOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "tesseract", "--points", "200", "-o", "a.csv")
	o, err := opening.Load(t.Context(), []string{filepath.Join(dir, "a.csv")}, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	save := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		var text bytes.Buffer
		s, err := session.Of(o.Doc, path, "test", time.Unix(1e9, 0))
		if err = errors.Join(err, s.Write(&text), os.WriteFile(path, text.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	save("without.blossom")
	o.Doc.Do("Move points", func(s *state.State) {
		kept := parts.NewSnapshot(embedding.UMAP(2), make([]float32, 400), []int{7}, nil, 200)
		parts.Snapshots.Put(s, parts.Snapshots.Of(*s).With(kept))
	})
	save("with.blossom")
	var maps [2]string
	for i, name := range []string{"without", "with"} {
		done := ok(t, dir, "umap", "--session", name+".blossom", "-o", name+".csv", "--epochs", "20")
		if said := strings.Contains(done.stderr, "begins anew"); said != (i == 1) {
			t.Errorf("%s a map the command says %q", name, done.stderr)
		}
		maps[i] = text(t, filepath.Join(dir, name+".csv"))
	}
	if maps[0] != maps[1] {
		t.Error("what the session has changes the map")
	}
}
