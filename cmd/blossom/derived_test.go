package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/job/export"
	"blossom/model/job/run"
)

// Derived columns are written beside the coordinates, with their names, in every format, and where they are from is
// said.
func TestDerivedColumnsBesideCoordinates(t *testing.T) {
	dir := t.TempDir()
	words := run.Derivable()
	if !slices.Equal(words[:5], []string{"density", "nearest", "distance", "residual", "loss"}) ||
		!slices.Contains(words, "pca") {
		t.Fatalf("%q", words)
	}
	var s summary
	parse(t, ok(t, dir, "embed", "demo:cytometry:400", "--som", "6x6", "--derived",
		"density,nearest,distance,residual,loss,pca", "-o", "out.csv", "--json").stdout, &s)
	want := []string{"embedsom1", "embedsom2", "density", "nearest landmark", "distance to landmark", "fit residual",
		"neighbourhood loss", "pca1", "pca2"}
	table := read(t, filepath.Join(dir, "out.csv"))
	var got []string
	for _, c := range table.Columns {
		got = append(got, c.Name)
		if c.Stats.Count != 400 {
			t.Errorf("%s: %+v", c.Name, c.Stats)
		}
	}
	if !slices.Equal(got, want) || len(s.Derived) != 7 {
		t.Fatalf("%q, %+v", got, s.Derived)
	}
	for _, d := range s.Derived {
		if d.From == "" || !slices.Contains(want, d.Name) {
			t.Errorf("%+v", d)
		}
	}
	if loss := table.Columns[6].Stats; !(loss.Min >= 0 && loss.Max <= 1 && loss.Mean > 0.05 && loss.Mean < 0.95) {
		t.Errorf("%+v", loss)
	}
	for _, name := range []string{"out.npy", "out.fcs", "out.tsv"} {
		ok(t, dir, "embed", "demo:cytometry:400", "--som", "6x6", "--derived", "distance,distance", "-o", name)
		ds := read(t, filepath.Join(dir, name))
		if len(ds.Columns) != 3 {
			t.Errorf("%s: %d columns", name, len(ds.Columns))
		}
		if name == "out.fcs" && !strings.HasPrefix(ds.Metadata[export.DerivedKey], "distance to landmark: ") {
			t.Errorf("%q", ds.Metadata)
		}
	}
	blossom(t, dir, "embed", "demo:cytometry:400", "--derived", "nonsense", "-o", "no.csv").refused(t, 2,
		`"nonsense"`, "density")
}

// A map whose landmarks were moved by hand says so in all that is written of it.
func TestArrangedMapsAreMarked(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "train", "demo:cytometry:500", "--som", "6x6", "-o", "plain.json")
	raw, err := os.ReadFile(filepath.Join(dir, "plain.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f map[string]any
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	f["hand_arranged"] = true
	if raw, err = json.Marshal(f); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "moved.json"), string(raw))
	for name, arranged := range map[string]bool{"plain.json": false, "moved.json": true} {
		r := ok(t, dir, "embed", "demo:cytometry:500", "--landmarks", name, "-o", "out.fcs", "--json")
		var s summary
		parse(t, r.stdout, &s)
		noted := slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "arranged by hand") })
		if s.Arranged != arranged || noted != arranged {
			t.Errorf("%s: %v, %q", name, s.Arranged, s.Notes)
		}
		if key := read(t, filepath.Join(dir, "out.fcs")).Metadata[export.ArrangedKey]; (key != "") != arranged {
			t.Errorf("%s: the table says %q", name, key)
		}
	}
	needsGL(t)
	for _, name := range []string{"plain", "moved"} {
		ok(t, dir, "render", "demo:cytometry:500", "--landmarks", name+".json", "--size", "600x400", "-o", name+".png")
	}
	plain, moved := decode(t, filepath.Join(dir, "plain.png")), decode(t, filepath.Join(dir, "moved.png"))
	differ, corner := 0, 0
	for y := range 400 {
		for x := range 600 {
			if plain.At(x, y) != moved.At(x, y) {
				differ++
				if x > 450 && y > 370 {
					corner++
				}
			}
		}
	}
	if differ < 100 || corner != differ {
		t.Errorf("%d pixels differ, %d of them in the corner", differ, corner)
	}
	for name, arranged := range map[string]bool{"plain.png": false, "moved.png": true} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || bytes.Contains(raw, []byte("landmarks arranged by hand")) != arranged {
			t.Errorf("%s: its metadata are wrong, %v", name, err)
		}
	}
}

// Values that leave the range of numbers in a conversion are reported, and count as invalid.
func TestConvertSaysWhatLeavesTheRange(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in.csv"), "a,b\n1,2\n3,4\n0,0\n")
	write(t, filepath.Join(dir, "m.csv"), "a,b\n1e-40,0\n0,1e-40\n")
	r := ok(t, dir, "convert", "in.csv", "out.csv", "--compensation", "m.csv", "--json")
	var s summary
	parse(t, r.stdout, &s)
	for _, name := range []string{"a", "b"} {
		if !slices.ContainsFunc(s.Notes, func(n string) bool {
			return strings.HasPrefix(n, "column \"Comp-"+name+"\": 2 finite values have none after the transform")
		}) {
			t.Errorf("%s: %q", name, s.Notes)
		}
	}
	if got := read(t, filepath.Join(dir, "out.csv")).Columns[0].Stats; got.Count != 1 || got.Invalid != 2 {
		t.Errorf("%+v", got)
	}
	r = ok(t, dir, "convert", "in.csv", "same.csv", "--json")
	parse(t, r.stdout, &s)
	if len(s.Notes) != 0 {
		t.Errorf("a plain conversion says %q", s.Notes)
	}
}
