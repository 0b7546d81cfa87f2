package live

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
)

// around is a region of a map around the middle of its points.
func around(of embedding.Recipe, x0, y0, x1, y1 float64) *population.Region {
	return &population.Region{Of: population.Map(of), Strokes: []population.Stroke{{Does: population.Adds,
		Shape: population.Rectangle, Path: [][2]float64{{x0, y0}, {x1, y1}}}}}
}

// follow makes a region the selection, as a stroke does.
func (d *desk) follow(t testing.TB, r *parts.LiveRegion) {
	t.Helper()
	set, err := d.Populations().Enclosed(r)
	if err != nil || set == nil {
		t.Fatal("nothing is enclosed", err)
	}
	d.Doc.Do("Select", func(s *state.State) { parts.SelectLive(s, r, set) })
}

// inside says whether the selection is exactly what lies within a region of the positions that are shown.
func (d *desk) inside(t testing.TB, e *Embedding, r *population.Region) (count int) {
	t.Helper()
	set, pos, order := parts.Selection.Of(d.Doc.State()), e.Target().Host(), d.Table().Order
	a, b := r.Strokes[0].Path[0], r.Strokes[0].Path[1]
	for i, row := range order {
		x, y := float64(pos[2*i]), float64(pos[2*i+1])
		want := x >= a[0] && x <= b[0] && y >= a[1] && y <= b[1]
		if set.Contains(int(row)) != want {
			t.Fatalf("row %d at (%g, %g): selected %v", row, x, y, !want)
		}
		if want {
			count++
		}
	}
	return count
}

// The selection follows the map that a live region was drawn on: a landmark that is dragged, undo, a training.
// Following makes no entries.
func TestALiveRegionFollowsItsMap(t *testing.T) {
	d := open(t, "demo:cytometry:3000")
	d.settle(t)
	r := around(embedding.EmbedSOM(), -2, -2, 4, 4)
	d.follow(t, &parts.LiveRegion{Rule: r})
	before, n := parts.Selection.Of(d.Doc.State()), d.inside(t, d.som, r)
	if n == 0 || n == 3000 {
		t.Fatalf("%d of 3000 are enclosed: nothing to see", n)
	}
	entries := d.Doc.History().Len()
	d.Doc.Do("Move", func(s *state.State) {
		moved, err := parts.Landmarks.Of(*s).Move([]int{0, 1, 2, 20, 21, 60, 61, 80, 81}, []float32{9, 9})
		if err != nil {
			t.Fatal(err)
		}
		parts.Landmarks.Put(s, moved)
	})
	d.settle(t)
	d.inside(t, d.som, r)
	moved := parts.Selection.Of(d.Doc.State())
	if selection.Equal(before, moved) || d.Doc.History().Len() != entries+1 {
		t.Fatalf("the selection stays, or is an entry: %d", d.Doc.History().Len())
	}
	d.Doc.Undo()
	d.settle(t)
	if d.inside(t, d.som, r); !selection.Equal(before, parts.Selection.Of(d.Doc.State())) {
		t.Fatal("undone, others are selected than before")
	}
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	d.inside(t, d.som, r)
	d.Doc.Do("Fix", func(s *state.State) { parts.Select(s, parts.Selection.Of(*s)) })
	fixed := parts.Selection.Of(d.Doc.State())
	d.Doc.Do("Move", func(s *state.State) {
		moved, _ := parts.Landmarks.Of(*s).Move([]int{5, 6, 7, 8, 9, 10, 11, 12}, []float32{7, 3})
		parts.Landmarks.Put(s, moved)
	})
	d.settle(t)
	if !selection.Equal(fixed, parts.Selection.Of(d.Doc.State())) {
		t.Fatal("fixed points follow the map")
	}
}

// A map that goes on by itself takes the selection along while it does, and in the end exactly.
func TestALiveRegionTrailsWhileAMapForms(t *testing.T) {
	d, e := ringed(t, 2000)
	ring := around(aRing(2), 0, 0, 1.0005, 1.0005)
	d.follow(t, &parts.LiveRegion{Rule: ring})
	var tree population.Tree
	tree, id, _ := tree.Add(population.Population{Name: "corner", Rule: ring})
	tree, _, _ = tree.Add(population.Population{Name: "in it", Parent: id,
		Rule: around(embedding.EmbedSOM(), 0, 0, 9, 9)})
	d.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	begins := d.inside(t, e, ring)
	d.slow()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	changes, fresh, last := 0, 0, parts.Selection.Of(d.Doc.State())
	for e.Busy() {
		d.frame(t)
		if now := parts.Selection.Of(d.Doc.State()); now != last {
			changes, last = changes+1, now
		}
		if _, is := d.Populations().Now(); is && e.Stands().Units > 0 && e.Busy() {
			fresh++
		}
	}
	d.until(t, "populations are there", func() bool {
		_, fresh := d.Populations().Now()
		return fresh && !d.Busy()
	})
	ends := d.inside(t, e, ring)
	if now, _ := d.Populations().Now(); !selection.Equal(now.Sets[0], parts.Selection.Of(d.Doc.State())) ||
		now.Why[0] != nil || now.Why[1] != nil || now.Sets[1].Empty() {
		t.Errorf("the populations of the regions: %v, %v", now.Sets[0].Count(), now.Why)
	}
	if ends == begins || changes < 3 || fresh > 0 {
		t.Errorf("%d points, then %d, in %d steps; populations called exact %d times on the way", begins, ends, changes,
			fresh)
	}
}

// A region may be drawn while a map forms for the first time.
func TestALiveRegionOfAMapThatHasNotRestedYet(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	d.settle(t)
	d.slow()
	ringing.failAt, ringing.starts, ringing.delay = 0, nil, 0
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), sized})
	e := d.Embedding(sized)
	d.until(t, "it forms", func() bool { return e.Stands().Units > 3 })
	if e.Rev() != 0 {
		t.Fatal("it has been at rest")
	}
	r := around(sized, 0, 0, 1.0005, 1.0005)
	d.follow(t, &parts.LiveRegion{Rule: r})
	d.settle(t)
	if n := d.inside(t, e, r); n == 0 || n == 1500 {
		t.Errorf("%d points", n)
	}
}

// A population of a map that nobody shows is evaluated nonetheless: what is computed at once is computed, and of a map
// that ran its positions are in the document. One that is gone says so.
func TestRegionsOfMapsOutOfSight(t *testing.T) {
	d, e := ringed(t, 500)
	if err := e.Pin([]int{3}, true); err != nil { // it is in the document then
		t.Fatal(err)
	}
	d.settle(t)
	want, rows := map[int]bool{}, 0
	for i, row := range d.Table().Order {
		if x, y := e.Target().Host()[2*i], e.Target().Host()[2*i+1]; x >= 0 && x <= 3 && y >= 0 && y <= 3 {
			want[int(row)], rows = true, rows+1
		}
	}
	d.Show([]embedding.Recipe{embedding.EmbedSOM()})
	if d.Existing(aRing(2)) != nil {
		t.Fatal("it is in sight")
	}
	var tree population.Tree
	for _, of := range []embedding.Recipe{aRing(2), embedding.PCA(2), {Kind: "sized", Dims: 2},
		{Kind: "none", Dims: 2}} {
		tree, _, _ = tree.Add(population.Population{Name: of.Kind, Rule: around(of, 0, 0, 3, 3)})
	}
	d.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	d.until(t, "populations are there", func() bool {
		d.Show([]embedding.Recipe{embedding.EmbedSOM()})
		_, fresh := d.Populations().Now()
		return fresh && !d.Busy()
	})
	now, _ := d.Populations().Now()
	for row := range d.Doc.Data.Points {
		if now.Sets[0].Contains(row) != want[row] {
			t.Fatalf("row %d of the ring: %v", row, !want[row])
		}
	}
	if rows == 0 || now.Sets[1].Empty() || now.Why[1] != nil || now.Why[2] == nil || now.Why[3] == nil {
		t.Fatalf("%d rows of the ring, %d of PCA, %v", rows, now.Sets[1].Count(), now.Why)
	}
	made := d.Existing(embedding.PCA(2))
	for range 5 {
		d.Show([]embedding.Recipe{embedding.EmbedSOM()})
		d.Populations().Now()
		d.frame(t)
	}
	if made == nil || d.Existing(embedding.PCA(2)) != made {
		t.Fatal("a map that rules look at is made again and again")
	}
	d.Doc.Undo()
	for range 3 {
		d.Populations().Now()
		d.frame(t)
	}
	if d.Show([]embedding.Recipe{embedding.EmbedSOM()}); d.Existing(embedding.PCA(2)) != nil {
		t.Fatal("a map that nobody looks at any more is kept")
	}
}

// A region drawn among the points of a population has those alone; where that is a gate that moves, they follow.
func TestALiveRegionWithinAPopulation(t *testing.T) {
	d := open(t, "demo:cytometry:2000")
	d.settle(t)
	half := around(embedding.EmbedSOM(), -99, -99, 0, 99)
	var tree population.Tree
	tree, id, _ := tree.Add(population.Population{Name: "left", Rule: half})
	d.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	d.until(t, "populations are there", func() bool {
		_, fresh := d.Populations().Now()
		return fresh
	})
	all := around(embedding.EmbedSOM(), -99, -99, 99, 99)
	d.follow(t, &parts.LiveRegion{Rule: all, In: id})
	if d.inside(t, d.som, half) == 0 {
		t.Fatal("none is left of the middle")
	}
	d.Doc.Do("Move", func(s *state.State) {
		parts.Populations.Put(s, parts.Populations.Of(*s).Redefine(id, half.Moved(2, 3, 99)))
	})
	d.until(t, "all is at rest", func() bool {
		_, fresh := d.Populations().Now()
		return fresh && !d.Busy()
	})
	d.frame(t)
	d.inside(t, d.som, half.Moved(2, 3, 99))
}

// A session has its live region, and goes on following it.
func TestALiveRegionInASession(t *testing.T) {
	d := open(t, "demo:cytometry:800")
	d.settle(t)
	r := around(embedding.EmbedSOM(), -2, -2, 5, 5)
	d.follow(t, &parts.LiveRegion{Rule: r})
	path := filepath.Join(t.TempDir(), "s.blossom")
	d.saveTo(t, path)
	again := loaded(t, path)
	again.settle(t)
	if live := parts.Region.Of(again.Doc.State()); live == nil || !live.Rule.Equal(r) {
		t.Fatalf("it has %+v", live)
	}
	again.inside(t, again.som, r)
	again.Doc.Do("Move", func(s *state.State) {
		moved, _ := parts.Landmarks.Of(*s).Move([]int{0, 1, 2, 3, 4, 5, 6, 7}, []float32{6, 6})
		parts.Landmarks.Put(s, moved)
	})
	again.settle(t)
	again.inside(t, again.som, r)
	again.Doc.Undo()
	again.Doc.Undo()
	if parts.Region.Of(again.Doc.State()) != nil || !parts.Selection.Of(again.Doc.State()).Empty() {
		t.Fatal("undo does not take it back")
	}
}

// At rest a live region costs nothing in a frame.
func TestALiveRegionAtRestAllocatesNothing(t *testing.T) {
	d := open(t, "demo:cytometry:500")
	d.settle(t)
	d.follow(t, &parts.LiveRegion{Rule: around(embedding.EmbedSOM(), -2, -2, 5, 5)})
	d.settle(t)
	if n := testing.AllocsPerRun(50, func() { d.named.region.tend() }); n > 0 && !raceEnabled {
		t.Errorf("%g allocations", n)
	}
}

// Whatever is done and undone, a live region has what lies within it once the map is at rest.
func TestALiveRegionIsTrueAfterRandomEdits(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	d := open(t, "demo:cytometry:600")
	d.settle(t)
	r := rand.New(rand.NewPCG(9, 9))
	seen := 0
	for range rounds {
		switch r.IntN(6) {
		case 0:
			x, y := 12*r.Float64()-6, 12*r.Float64()-6
			d.follow(t, &parts.LiveRegion{Rule: around(embedding.EmbedSOM(), x, y, x+4, y+4)})
		case 1:
			d.Doc.Do("Invert", func(s *state.State) {
				parts.Select(s, selection.Invert(parts.Selection.Of(*s), d.Doc.Data.Points))
			})
		case 2, 3:
			d.Doc.Do("Move", func(s *state.State) {
				l := parts.Landmarks.Of(*s)
				moved, err := l.Move([]int{r.IntN(l.Len())}, []float32{8*r.Float32() - 4, 8*r.Float32() - 4})
				if err != nil {
					t.Fatal(err)
				}
				parts.Landmarks.Put(s, moved)
			})
		case 4:
			d.Doc.Undo()
		case 5:
			d.Doc.Redo()
		}
		if r.IntN(3) == 0 {
			continue // more happens before the map is at rest
		}
		d.settle(t)
		if live := parts.Region.Of(d.Doc.State()); live != nil {
			d.inside(t, d.som, live.Rule)
			seen++
		}
	}
	if seen < rounds/10 {
		t.Fatalf("a live region only %d times", seen)
	}
}

// A live region among the points of a population is fixed when that is removed: it does not widen to all points.
func TestALiveRegionIsFixedWhenItsPopulationIsRemoved(t *testing.T) {
	d := open(t, "demo:cytometry:800")
	d.settle(t)
	words := make([]uint64, (800+63)/64)
	for row := 0; row < 800; row += 2 {
		words[row/64] |= 1 << (row % 64)
	}
	tree, id, err := population.Tree{}.Add(population.Population{Name: "even",
		Rule: &population.Cells{Set: selection.FromBits(800, words)}})
	if err != nil {
		t.Fatal(err)
	}
	d.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	d.until(t, "populations are there", func() bool {
		_, fresh := d.Populations().Now()
		return fresh && !d.Busy()
	})
	d.follow(t, &parts.LiveRegion{Rule: around(embedding.EmbedSOM(), -9, -9, 9, 9), In: id})
	d.settle(t)
	before := parts.Selection.Of(d.Doc.State())
	d.Doc.Do("Remove", func(s *state.State) { parts.Populations.Put(s, population.Tree{}) })
	d.frame(t)
	d.settle(t)
	if now := parts.Selection.Of(d.Doc.State()); before.Empty() || !selection.Equal(now, before) ||
		parts.Region.Of(d.Doc.State()) != nil {
		t.Errorf("%d points were selected, and %d are; live: %v", before.Count(), now.Count(),
			parts.Region.Of(d.Doc.State()) != nil)
	}
}
