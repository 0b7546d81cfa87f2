package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/format"
	"blossom/model/maps/pyramid"
	"blossom/model/scale"
)

// shards writes rows of a table into files, as many as are asked for and of different sizes.
func shards(t *testing.T, table, folder string, n int) {
	t.Helper()
	ds := read(t, table)
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		at := func(i int) int { return ds.Points * i * (i + 1) / (n * (n + 1)) }
		part := *ds
		part.Columns = nil
		for _, c := range ds.Columns {
			c.Values, c.Exact = c.Values[at(i):at(i+1)], nil
			part.Columns = append(part.Columns, c)
		}
		part.Points = at(i+1) - at(i)
		if err := format.Save(t.Context(), filepath.Join(folder, fmt.Sprintf("%02d.npy", i)), &part, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// filesOf are the names and the bytes of all files of a folder.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all.WriteString(strings.TrimPrefix(path, dir) + " " + sumOfFile(t, path) + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// pyramidOf is how many points of all parts lie where.
func pyramidOf(t *testing.T, out string) *pyramid.Pyramid {
	t.Helper()
	p, err := pyramid.Open(filepath.Join(out, scale.PyramidFolder))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The density of all points has the same bytes however many files they lie in and in whatever order parts are made, and
// its points are those of the parts.
func TestTheDensityIsTheSameHoweverRowsLie(t *testing.T) {
	dir := partsInput(t, ".npy", 3000)
	table, want := filepath.Join(dir, "data", "s 0.npy"), ""
	for _, n := range []int{1, 7, 16} {
		out := filepath.Join(dir, fmt.Sprint("out", n))
		shards(t, table, filepath.Join(dir, fmt.Sprint("data", n)), n)
		ok(t, dir, "embed", fmt.Sprint("data", n), "--landmarks", "map.json", "-o", out+"/", "--runner", "print:sge")
		for i := range n { // the last first
			ok(t, dir, "part", out, "--shard", fmt.Sprintf("%d/%d", n-1-i, n))
		}
		ok(t, dir, "finish", out)
		got := filesOf(t, filepath.Join(out, scale.PyramidFolder))
		if want == "" {
			want = got
		}
		if got != want || strings.Count(got, "\n") < 10 {
			t.Errorf("%d files have another density: %q, want %q", n, got, want)
		}
	}
	out := filepath.Join(dir, "out1")
	p, counts, inside := pyramidOf(t, out), [pyramid.Side]int{}, 0
	ds := read(t, filepath.Join(out, "parts", "000000.npy"))
	for i := range ds.Points {
		x := (float64(ds.Columns[0].Values[i]) - p.Frame.X) / p.Frame.Side
		y := (float64(ds.Columns[1].Values[i]) - p.Frame.Y) / p.Frame.Side
		if x >= 0 && x < 1 && y >= 0 && y < 1 {
			counts[int(y*pyramid.Side)]++
			inside++
		}
	}
	r, err := p.Read(t.Context(), pyramid.Span{Side: pyramid.Side, Cols: pyramid.Side, Rows: pyramid.Side})
	if err != nil || p.Points != 3000 || p.Inside != int64(inside) || p.Inside+p.Outside != 3000 {
		t.Fatalf("%d inside, %+v, %v", inside, p.Head, err)
	}
	for y, want := range counts {
		got := int32(0)
		for _, n := range r.Counts[y*pyramid.Side:][:pyramid.Side] {
			got += n
		}
		if int(got) != want {
			t.Fatalf("row %d has %d points, the part %d", y, got, want)
		}
	}
}

// Counts of a part that are missing or damaged are made again with it; finishing does not take them for whole.
func TestCountsAreResumed(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200, 250)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/")
	out := filepath.Join(dir, "out")
	want := filesOf(t, filepath.Join(out, scale.PyramidFolder))
	cells := func(i int) string { return filepath.Join(out, "parts", fmt.Sprintf("%06d.cells", i)) }
	os.Remove(cells(0))
	text, err := os.ReadFile(cells(2))
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 4
	write(t, cells(2), string(text))
	blossom(t, dir, "finish", "out").refused(t, 1, "2 of 3 parts are missing")
	ok(t, dir, "resume", "out")
	if got := filesOf(t, filepath.Join(out, scale.PyramidFolder)); got != want {
		t.Errorf("resumed, the density is %q, before %q", got, want)
	}
	ok(t, dir, "resume", "out")                                     // nothing is missing
	held := func(name string) bool { return name == "runner.lock" } // stays, for whoever makes parts next
	if names := slices.DeleteFunc(names(t, out), held); len(names) != 7 {
		t.Errorf("the folder has %v", names)
	}
}

// Parts of a map in three dimensions are not counted on a plane.
func TestDeepMapsHaveNoDensity(t *testing.T) {
	dir := partsInput(t, ".npy", 300)
	ok(t, dir, "train", "data", "--som", "3x3x3", "-o", "deep.json")
	ok(t, dir, "embed", "data", "--landmarks", "deep.json", "-o", "out/")
	if _, err := os.Stat(filepath.Join(dir, "out", scale.PyramidFolder)); err == nil {
		t.Error("there is a density")
	}
}
