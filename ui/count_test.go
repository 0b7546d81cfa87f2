package ui

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/model/scale"
	"blossom/ui/uitest"
)

// Populations of a finished folder are counted in all of its rows by the program, when that is asked for; numbers are
// those of the rules, and are shown as long as they are of these.
func TestPopulationsAreCountedInAllRows(t *testing.T) {
	folder := finishedFolder(t)
	program, said := filmer(t, `echo "progress 50 parts 1/2" >&2
: > "$0.begun"
while [ ! -e "$0.go" ]; do sleep 0.05; done
`)
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{scale.Shown(folder)}, Still: true, Program: program})
	opened(t, a, d)
	column := ""
	var high, left, fixed population.ID
	uitest.Do(func() {
		column = a.desk.Doc.Data.Columns[2].Name
		var tree population.Tree
		low := a.desk.Doc.Data.Columns[2].Stats.Mean
		tree, high, _ = tree.Add(population.Population{Name: "high", Rule: &population.Limits{
			Of: []population.Limit{{Column: column, Low: low, High: math.Inf(1)}}}})
		tree, left, _ = tree.Add(population.Population{Name: "left of it", Parent: high, Rule: &population.Region{
			Of: population.Map{Kind: "embedsom", Dims: 2}, Strokes: []population.Stroke{{Does: population.Adds,
				Shape: population.Rectangle, Path: [][2]float64{{-100, -100}, {3, 100}}}}}})
		words := make([]uint64, 13)
		words[1] = 0xff
		tree, fixed, _ = tree.Add(population.Population{Name: "chosen", Rule: population.Of(selection.FromBits(800,
			words))})
		a.desk.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
		a.rooms.side.Reveal("populations")
	})
	rest(t, a, d)
	d.ClickOn("side bar/populations/Counts of/All rows")
	rest(t, a, d)
	d.Shoot("count-asked")
	d.ClickOn("side bar/populations/count")
	d.Wait("the program runs", 60*time.Second, func() bool { return exists(program + ".begun") })
	counts := filepath.Join(folder, "counts")
	raw, _ := os.ReadFile(said)
	if got := strings.Join(strings.Fields(string(raw)), " "); got != "resume "+counts+" --progress --runner local" {
		t.Errorf("it runs %q", got)
	}
	makeParts(t, counts)
	if err := os.WriteFile(program+".go", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d.Wait("they are counted", 60*time.Second, func() bool {
		return live.AllRowsOf(a.desk.Map).Counted() != nil && a.compute.jobs.Idle()
	})
	rest(t, a, d)
	d.Shoot("count-done")
	want, low := int64(0), 0.0
	uitest.Do(func() { low = a.desk.Doc.Data.Columns[2].Stats.Mean })
	for _, name := range []string{"0.npy", "1.npy"} {
		ds, err := source.Read(t.Context(), filepath.Join(filepath.Dir(folder), name), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for row := range ds.Points {
			if ds.Columns[2].At(row) >= low {
				want++
			}
		}
	}
	has := func(id population.ID) (n int64, known bool) {
		uitest.Do(func() { n, known = live.AllRowsOf(a.desk.Map).Count(id) })
		return n, known
	}
	if n, known := has(high); !known || n != want || n < 100 {
		t.Errorf("%d rows are high (%v), and are to be %d", n, known, want)
	}
	if n, known := has(left); !known || n < 10 || n >= want {
		t.Errorf("%d rows lie left of it (%v)", n, known)
	}
	if _, known := has(fixed); known {
		t.Error("points of the sample are counted in all rows")
	}
	can := func() (ok bool) {
		uitest.Do(func() { ok = window{a}.Command("count-all-rows").Can })
		return ok
	}
	if can() {
		t.Error("there is something left to be counted")
	}
	moveLandmarks(t, a)
	rest(t, a, d)
	d.Shoot("count-moved")
	if _, known := has(left); known || !can() {
		t.Error("a region is counted on a map that has moved")
	}
	if n, known := has(high); !known || n != want {
		t.Error("limits on columns are not counted any more, as landmarks have moved")
	}
	uitest.Do(func() { window{a}.Command("undo").Run() })
	rest(t, a, d)
	if _, known := has(left); !known {
		t.Error("the count of the region is not that of the map that is back")
	}
	w, err := scale.WholeOf(scale.SampleIn(folder))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := w.Counted(); err != nil || c == nil || c.Points[0] != want {
		t.Errorf("who opens it again finds %+v (%v)", c, err)
	}
}
