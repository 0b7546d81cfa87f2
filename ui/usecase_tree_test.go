package ui

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// cells is where the cells of a map lie, and of what population each is.
type cells struct {
	pos   [][2]float64
	of    []int
	names []string
}

// cellsOf are the cells of populations: doublets are none.
func cellsOf(a *App) (c cells) {
	pos, rows := placedPoints(a)
	uitest.Do(func() {
		for _, col := range a.desk.Doc.Data.Columns {
			if col.Role != dataset.Label {
				continue
			}
			c.names = col.Categories
			for i, r := range rows {
				if k := int(col.Values[r]); col.Categories[k] != "doublet" {
					c.pos, c.of = append(c.pos, pos[i]), append(c.of, k)
				}
			}
		}
	})
	return c
}

// isT says whether a population is one of the T cells.
func isT(name string) bool {
	return strings.HasPrefix(name, "CD4 ") || strings.HasPrefix(name, "CD8 ") ||
		slices.Contains([]string{"gamma-delta T", "MAIT", "NKT-like", "double-negative T"}, name)
}

// alike is the mean share, over T cells, of the k nearest cells on the map that are of the same population.
func (c cells) alike(k int) (share float64) {
	type near struct {
		d  float64
		of int
	}
	var list []near
	n := 0.0
	for i := 0; i < len(c.pos); i += 8 {
		if !isT(c.names[c.of[i]]) {
			continue
		}
		list = list[:0]
		for j, q := range c.pos {
			d := math.Hypot(q[0]-c.pos[i][0], q[1]-c.pos[i][1])
			if j == i || len(list) == k && d >= list[k-1].d {
				continue
			}
			at, _ := slices.BinarySearchFunc(list, d, func(a near, d float64) int { return cmp.Compare(a.d, d) })
			list = slices.Insert(list, at, near{d, c.of[j]})
			list = list[:min(len(list), k)]
		}
		for _, x := range list {
			if x.of == c.of[i] {
				share += 1 / float64(k)
			}
		}
		n++
	}
	return share / n
}

// gap is how far the middles of the T cells and of the others lie apart on the map, in units of their spreads about
// them.
func (c cells) gap() float64 {
	var n, spread [2]float64
	var mid [2][2]float64
	side := func(i int) int {
		if isT(c.names[c.of[i]]) {
			return 1
		}
		return 0
	}
	for i, p := range c.pos {
		s := side(i)
		n[s]++
		mid[s][0], mid[s][1] = mid[s][0]+p[0], mid[s][1]+p[1]
	}
	for s := range mid {
		mid[s][0], mid[s][1] = mid[s][0]/n[s], mid[s][1]/n[s]
	}
	for i, p := range c.pos {
		s := side(i)
		spread[s] += math.Hypot(p[0]-mid[s][0], p[1]-mid[s][1]) / n[s]
	}
	return math.Hypot(mid[1][0]-mid[0][0], mid[1][1]-mid[0][1]) / (spread[0] + spread[1])
}

// markerAt is the dimension of the codebook that a marker is.
func markerAt(t *testing.T, a *App, marker string) int {
	t.Helper()
	dim := -1
	uitest.Do(func() {
		for i, col := range a.desk.Table().Cols {
			if c := a.desk.Doc.Data.Columns[col]; c.Label == marker || c.Name == marker {
				dim = i
			}
		}
	})
	if dim < 0 {
		t.Fatalf("the map has no %s", marker)
	}
	return dim
}

// layTo lays the landmarks out by a layout chosen in its panel, until it rests.
func layTo(t *testing.T, a *App, d *uitest.Driver, title string) {
	t.Helper()
	choose(t, d, a, "side bar/layout/algorithm", title)
	before := a.desk.Layout().Stands().Rested
	d.ClickOn("side bar/layout/run")
	for range 300 { // its graph is made beside the window, and a few landmarks soon come to rest
		d.Frames(1)
		if a.desk.Layout().Active() || a.desk.Layout().Stands().Rested != before {
			break
		}
	}
	if !a.desk.Layout().Active() && a.desk.Layout().Stands().Rested == before {
		t.Fatalf("%s does not run: %v", title, a.troubled())
	}
	rest(t, a, d)
	if !a.desk.Layout().Stands().Rest || !strings.Contains(a.log.last, "came to rest") {
		t.Errorf("%s has not come to rest: %q", title, a.log.last)
	}
	if at := a.desk.Doc.History().CanUndo(); !strings.Contains(at, "layout") {
		t.Errorf("the last entry is %q", at)
	}
	d.Keys("F")
	rest(t, a, d)
}

// The tree of a blood sample, from a rough map: its T cells, found by CD3, are pulled apart by hand, detailed with new
// landmarks that are trained on them, and laid out by t-SNE, then by the graph, beside the rest, which is pinned. The
// populations of T cells, which the data knows by name and the map does not, lie together then.
func TestUseCaseTree(t *testing.T) {
	a, d := begin(t, 1200, 800, 1, Options{Paths: []string{"demo:cytometry:8000"}, Still: true})
	opened(t, a, d)
	forPictures(a, d)
	uitest.Do(func() {
		a.desk.Start.Cols, a.desk.Start.Rows = 4, 4
		commandByID("new-map").Run(a)
	})
	rest(t, a, d)
	uitest.Do(func() {
		a.desk.ColourBy("population")
		open(a, "layout")
	})
	d.Keys("F")
	rest(t, a, d)
	if n := mapOf(a).Len(); n != 16 {
		t.Fatalf("%d landmarks", n)
	}
	rough := cellsOf(a)
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-tree-rough")

	// The T cells, by their marker, and away with them.
	d.Keys("2")
	cd3 := markerAt(t, a, "CD3")
	bright := func(l *landmark.Set) (ids []int) {
		lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
		for i := range l.Len() {
			lo, hi = min(lo, l.Codebook.Row(i)[cd3]), max(hi, l.Codebook.Row(i)[cd3])
		}
		for i := range l.Len() {
			if l.Codebook.Row(i)[cd3] > (lo+hi)/2 {
				ids = append(ids, i)
			}
		}
		return ids
	}
	tcells := bright(mapOf(a))
	if len(tcells) < 4 || len(tcells) > 12 {
		t.Fatalf("%d landmarks have CD3", len(tcells))
	}
	for i, id := range tcells {
		x, y := stand.MarkAt(a.desk, id)
		if i == 0 {
			d.Click(x, y)
			continue
		}
		d.Hold("Shift", func() { d.Click(x, y) })
	}
	if got := slices.Clone(a.desk.Stage.Hand().Landmarks.Selected); !slices.Equal(slices.Sorted(slices.Values(got)),
		tcells) {
		t.Fatalf("landmarks %v are selected, not %v", got, tcells)
	}
	var mid, all camera.Vec
	l := mapOf(a)
	for i := range l.Len() {
		p := l.Pos.Row(i)
		all.X, all.Y = all.X+float64(p[0])/float64(l.Len()), all.Y+float64(p[1])/float64(l.Len())
		if slices.Contains(tcells, i) {
			n := float64(len(tcells))
			mid.X, mid.Y = mid.X+float64(p[0])/n, mid.Y+float64(p[1])/n
		}
	}
	x, y := stand.MarkAt(a.desk, tcells[0])
	away := math.Hypot(mid.X-all.X, mid.Y-all.Y)
	d.Drag(x, y, x+float32(200*(mid.X-all.X)/away), y-float32(200*(mid.Y-all.Y)/away), 10)
	rest(t, a, d)
	if got := a.desk.Doc.History().CanUndo(); got != "Move landmarks" {
		t.Fatalf("the last entry is %q", got)
	}
	d.Keys("Esc")
	d.Keys("F")
	rest(t, a, d)
	pulled := cellsOf(a)
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-tree-pulled")

	// Right landmarks stay: all others are pinned.
	var others []int
	for i := range mapOf(a).Len() {
		if !slices.Contains(tcells, i) {
			others = append(others, i)
		}
	}
	chooseIDs(a, others...)
	d.Keys("P")
	pinned := mapOf(a)

	// Detail: every landmark of the T cells becomes two, twice, and those are trained on the cells; the rest is pinned.
	for range 3 {
		chooseIDs(a, bright(mapOf(a))...)
		d.Frames(1)
		run(d, "split landmarks")
		rest(t, a, d)
	}
	if n := mapOf(a).Len(); n != len(others)+8*len(tcells) {
		t.Fatalf("%d landmarks", n)
	}
	uitest.Do(func() {
		a.desk.Doc.Do("Train", func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Algorithm, c.Values = "lloyd", nil })
		})
	})
	chooseIDs(a)
	d.Keys("Space")
	rest(t, a, d)
	detailed := cellsOf(a)
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-tree-detailed")

	layTo(t, a, d, "t-SNE")
	tsne := cellsOf(a)
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-tree-tsne")
	// By the graph they would be drawn back to those that they resemble: the edges between both are cut.
	chooseIDs(a, bright(mapOf(a))...)
	d.Frames(1)
	run(d, "cut from the rest")
	if got := a.desk.Doc.History().CanUndo(); got != "Cut from the rest" {
		t.Fatalf("the last entry is %q", got)
	}
	chooseIDs(a)
	layTo(t, a, d, "Force-directed")
	graph := cellsOf(a)
	d.Move(5, 500)
	d.Frames(2)
	d.Shoot("usecase-tree-graph")

	alike, gap := map[string]float64{}, map[string]float64{}
	for _, m := range []struct {
		name string
		cells
	}{{"rough", rough}, {"pulled", pulled}, {"detailed", detailed}, {"t-SNE", tsne}, {"graph", graph}} {
		alike[m.name], gap[m.name] = m.alike(15), m.gap()
		t.Logf("%-8s: of the 15 nearest of a T cell %.3f are of its population; they are %.2f spreads from the others",
			m.name, alike[m.name], gap[m.name])
	}
	if gap["pulled"] < 1.3*gap["rough"] {
		t.Error("the T cells are not apart")
	}
	// How far layouts leave them apart depends on where the training has put single landmarks: 0.8 to 3 spreads.
	for step, least := range map[string]float64{"detailed": 1.3, "t-SNE": 0.7, "graph": 0.7} {
		if gap[step] < least*gap["rough"] {
			t.Errorf("%s: the T cells are %.2f spreads from the others, %.2f when they were pulled apart", step,
				gap[step], gap["pulled"])
		}
	}
	if least := alike["rough"] + 0.05; alike["t-SNE"] < least || alike["graph"] < least {
		t.Error("the populations of T cells do not lie together more than on the rough map")
	}
	now := mapOf(a)
	for i, on := range pinned.Pinned {
		if on && !slices.Equal(now.Pos.Row(i), pinned.Pos.Row(i)) {
			t.Errorf("landmark %d was pinned and has moved", i)
		}
	}
}
