package naming_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/render/scene"
	"blossom/ui/naming"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// following opens a map with the Select tool and live regions chosen.
func following(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver) {
	t.Helper()
	o.Data, o.Views, o.Trained = "demo:cytometry:3000", stand.Whole, true
	s, d := stand.Open(t, o)
	uitest.Do(func() { s.Tool("select") })
	d.Frames(3)
	d.ClickOn("options/Keep/This region, live")
	return s, d
}

// loop draws a lasso around a place, which crosses itself where turns is above 1.
func loop(d *uitest.Driver, x, y, rx, ry float32, turns float64) {
	at := func(k int) (float32, float32) {
		sin, cos := math.Sincos(2 * math.Pi * turns * float64(k) / 30)
		return x + rx*float32(cos), y + ry*float32(sin)*(1-0.004*float32(k))
	}
	d.Move(at(0))
	d.Press(shell.Left)
	for k := 1; k < 30; k++ {
		d.Move(at(k))
	}
	d.Release(shell.Left)
	d.Frames(3)
}

// inside counts the points that the selection has and the outline has not, and the other way round.
func inside(s *stand.Window, r *population.Region) (wrong int) {
	pos := s.Desk.EmbedSOM().Target().Host()
	set, err := r.Rows(context.Background(), population.Inputs{Rows: s.Desk.Doc.Data.Points,
		Places: func(population.Map) (population.Places, error) {
			return population.Places{Pos: pos, Order: s.Desk.Table().Order}, nil
		}})
	if err != nil {
		return -1
	}
	now := s.Desk.Stage.Selected()
	return selection.Subtract(now, set).Count() + selection.Subtract(set, now).Count()
}

// A region that is drawn live selects what lies in it wherever the map goes, is one entry, is named as a population
// that follows, and its corners are moved as those of a gate.
func TestALiveRegionIsDrawnNamedAndMoved(t *testing.T) {
	s, d := following(t, stand.Options{W: 1300, H: 800})
	v := s.Desk.Stage.Scatters()[0]
	x, y, _ := stand.Spot(v, 0)
	cx, cy := float32(x), float32(y)
	entries := s.Desk.Doc.History().Done()
	loop(d, cx, cy, 130, 110, 1.6)
	region := parts.Region.Of(s.Desk.Doc.State())
	if region == nil || s.Desk.Stage.Selected().Empty() || s.Desk.Doc.History().Done() != entries+1 {
		t.Fatalf("%v, %d points, %d entries", region, s.Desk.Stage.Selected().Count(),
			s.Desk.Doc.History().Done()-entries)
	}
	if n := inside(s, region.Rule); n != 0 {
		t.Fatalf("%d points are wrong", n)
	}
	d.Move(5, 5)
	d.Shoot("live-region")
	d.Hold("Shift", func() { loop(d, cx, cy+30, 60, 90, 1) })
	region = parts.Region.Of(s.Desk.Doc.State())
	if region == nil || len(region.Rule.Strokes) != 2 || inside(s, region.Rule) != 0 {
		t.Fatalf("with Shift it is %+v", region)
	}
	name(t, s, "follows", naming.New)
	now := populated(s, d)
	if p := now.Tree.All()[0]; p.Rule.Kind() != "region" || !selection.Equal(now.Sets[0], s.Desk.Stage.Selected()) {
		t.Fatalf("it is a %s of %d points", p.Rule.Kind(), now.Sets[0].Count())
	}
	before := s.Desk.Stage.Selected()
	uitest.Do(func() {
		s.Desk.Doc.Do("Move", func(st *state.State) {
			var ids []int
			for i := range parts.Landmarks.Of(*st).Len() {
				at := parts.Landmarks.Of(*st).Pos.Row(i)
				sx, sy, _ := v.Eye.Screen(stand.World(at))
				if math.Hypot(sx-x, sy-y) < 40 && i%2 == 0 {
					ids = append(ids, i)
				}
			}
			l, err := parts.Landmarks.Of(*st).Move(ids, []float32{25, 14})
			if err != nil {
				t.Fatal(err)
			}
			parts.Landmarks.Put(st, l)
		})
	})
	s.Rest(d)
	now = populated(s, d)
	if selection.Equal(before, s.Desk.Stage.Selected()) || inside(s, region.Rule) != 0 ||
		!selection.Equal(now.Sets[0], s.Desk.Stage.Selected()) {
		t.Fatalf("the map has moved: %d points, before %d, the population has %d", s.Desk.Stage.Selected().Count(),
			before.Count(), now.Sets[0].Count())
	}
	uitest.Do(func() { s.Desk.Stage.SelectNone() })
	d.Frames(2)
	d.Move(5, 5)
	d.Shoot("live-population")
	uitest.Do(func() { // a picture has the outline in dashes, and the name
		p, err := v.Picture(scene.Options{Width: 600, Height: 400, Scale: 1})
		if err != nil || len(p.Lines.Edges) < 40 || len(p.Words) == 0 || p.Words[len(p.Words)-1].Text != "follows" {
			t.Errorf("a picture has %d dashes, %v: %v", len(p.Lines.Edges), p.Words, err)
		}
	})
	at := region.Rule.Strokes[0].Path[0]
	x, y, _ = v.Eye.Screen(stand.World([]float32{float32(at[0]), float32(at[1])}))
	d.Drag(float32(x), float32(y), float32(x)+90, float32(y)-70, 5)
	s.Rest(d)
	moved := populated(s, d)
	rule, _ := moved.Tree.All()[0].Rule.(*population.Region)
	if rule == nil || rule.Equal(region.Rule) || rule.Strokes[0].Path[1] != region.Rule.Strokes[0].Path[1] {
		t.Fatal("the corner is not moved, or more than that")
	}
	if s.Last() != "Move region follows" {
		t.Errorf("the entry is called %q", s.Last())
	}
	long := strings.Repeat("long ", 30)
	uitest.Do(func() {
		s.Desk.Doc.Do("Rename", func(now *state.State) {
			tree := parts.Populations.Of(*now)
			parts.Populations.Put(now, tree.Rename(tree.All()[0].ID, long))
		})
	})
	d.Drag(float32(x)+90, float32(y)-70, float32(x)+60, float32(y)-50, 5)
	if last := s.Last(); !strings.HasPrefix(last, "Move region long") || len(last) > 60 {
		t.Errorf("the entry of a long name is called %q", last)
	}
}

// Fixed points become live afterwards, as long as they are what was enclosed, and fixed again; other ways of selecting
// are fixed.
func TestASelectionIsMadeLiveAndFixed(t *testing.T) {
	s, d := following(t, stand.Options{W: 1300, H: 800})
	d.ClickOn("options/Keep/These cells")
	x, y, _ := stand.Spot(s.Desk.Stage.Scatters()[0], 0)
	loop(d, float32(x), float32(y), 150, 120, 1)
	fixed := s.Desk.Stage.Selected()
	if (view.Picking{Stage: s.Desk.Stage}).Live() || fixed.Empty() {
		t.Fatal("it is live, or nothing is selected")
	}
	d.ClickOn("options/Keep/This region, live")
	if !(view.Picking{Stage: s.Desk.Stage}).Live() || s.Desk.Stage.Selected().Count() < fixed.Count()-5 {
		t.Fatal("it is not live")
	}
	d.ClickOn("options/Invert")
	if (view.Picking{Stage: s.Desk.Stage}).Live() {
		t.Fatal("the inverse of a region is none")
	}
	d.Keys("Ctrl+Z")
	if !(view.Picking{Stage: s.Desk.Stage}).Live() {
		t.Fatal("undo does not bring it back")
	}
	d.ClickOn("options/Keep/These cells")
	if (view.Picking{Stage: s.Desk.Stage}).Live() || s.Last() != "Fix the selected points" {
		t.Fatalf("%v, %q", (view.Picking{Stage: s.Desk.Stage}).Live(), s.Last())
	}
	d.Click(s.Desk.Stage.Scatters()[0].Rect().X0+4, s.Desk.Stage.Scatters()[0].Rect().Y1-4)
	loopless := []func(){
		func() { d.Drag(float32(x), float32(y), float32(x)+5, float32(y), 2) }, // a lasso of two points
		func() { // one of 100,000 vertices
			path := make([]selection.Point, 100_000)
			for i := range path {
				a := 2 * math.Pi * float64(i) / 100_000
				path[i] = selection.Point{X: x + 150*math.Cos(a) + math.Cos(900*a), Y: y + 120*math.Sin(a)}
			}
			uitest.Do(func() {
				hand := s.Desk.Stage.Hand()
				hand.Host.Enclosed(s.Desk.Stage.Scatters()[0], selection.Lasso(path), view.Replace)
			})
		}}
	d.ClickOn("options/Keep/This region, live")
	for i, draw := range loopless {
		draw()
		d.Frames(2)
		set, region := s.Desk.Stage.Selected(), parts.Region.Of(s.Desk.Doc.State())
		if i == 0 && (!set.Empty() || region != nil) {
			t.Fatalf("a lasso of two points has %d, %v", set.Count(), region)
		}
		if i == 1 && (region == nil || len(region.Rule.Strokes[0].Path) > population.MostCorners || set.Count() < 100) {
			t.Fatalf("a lasso of 100,000 vertices has %d points", set.Count())
		}
	}
}

// A live region is not offered where it would say nothing, and why is on the button; in 3D points in front are.
func TestInSpaceThereIsNoLiveRegionButPointsInFront(t *testing.T) {
	s, d := following(t, stand.Options{W: 1300, H: 800})
	uitest.Do(func() { s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.PCA(3)) })
	s.Rest(d)
	uitest.Do(func() { s.Desk.Stage.Hand().Shape = view.ByRect })
	r := s.Desk.Stage.Scatters()[0].Rect()
	all := func() *selection.Set {
		d.Drag(r.X0+60, r.Y0+3, r.X1-3, r.Y1-40, 3)
		d.Frames(2)
		return s.Desk.Stage.Selected()
	}
	through := all()
	if (view.Picking{Stage: s.Desk.Stage}).Live() || through.Count() < 2500 {
		t.Fatalf("live, or %d points", through.Count())
	}
	d.ClickOn("options/Depth/In front")
	d.Move(5, 5)
	front := all()
	d.Shoot("in-front")
	if front.Empty() || front.Count() >= through.Count()-200 || !selection.Covers(through, front) {
		t.Fatalf("%d points in front, of %d", front.Count(), through.Count())
	}
	uitest.Do(func() { s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.PCA(2)) })
	s.Rest(d)
	if flat := all(); flat.Count() < through.Count() || !(view.Picking{Stage: s.Desk.Stage}).Live() {
		t.Fatalf("flat, %d points; live: %v", flat.Count(), (view.Picking{Stage: s.Desk.Stage}).Live())
	}
	biaxial(s, d, "CD4", "CD8")
	if all(); (view.Picking{Stage: s.Desk.Stage}).Live() {
		t.Fatal("a region of two columns is live")
	}
	name(t, s, "gate", naming.New)
	if now := populated(s, d); now.Tree.All()[0].Rule.Kind() != "gate" {
		t.Fatal("it is no gate")
	}
}

// Selections grow and shrink by landmarks, and landmarks and points lead to each other.
func TestSelectionsGrowAndShrink(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:3000", W: 1300, H: 800, Views: stand.Whole,
		Trained: true})
	uitest.Do(func() { s.Tool("select") })
	d.Frames(3)
	x, y, _ := stand.Spot(s.Desk.Stage.Scatters()[0], 0)
	loop(d, float32(x), float32(y), 60, 50, 1)
	first := s.Desk.Stage.Selected()
	d.ClickOn("options/Grow")
	s.Rest(d)
	grown := s.Desk.Stage.Selected()
	if grown.Count() <= first.Count() || !selection.Covers(grown, first) {
		t.Fatalf("%d points grow to %d", first.Count(), grown.Count())
	}
	uitest.Do(view.Picking{Stage: s.Desk.Stage}.Grow)
	s.Rest(d)
	more := s.Desk.Stage.Selected()
	uitest.Do(view.Picking{Stage: s.Desk.Stage}.Shrink)
	s.Rest(d)
	if less := s.Desk.Stage.Selected(); more.Count() <= grown.Count() || less.Count() >= more.Count() {
		t.Fatalf("%d, then %d, less are %d", grown.Count(), more.Count(), less.Count())
	}
	uitest.Do(view.Picking{Stage: s.Desk.Stage}.LandmarksOfPoints)
	s.Rest(d)
	chosen := append([]int(nil), s.Desk.Stage.Hand().Landmarks.Selected...)
	uitest.Do(func() { s.Desk.Stage.SelectNone(); view.Picking{Stage: s.Desk.Stage}.PointsOfLandmarks() })
	s.Rest(d)
	of := s.Desk.Stage.Selected()
	set, table := parts.Landmarks.Of(s.Desk.Doc.State()), s.Desk.Table()
	for i, row := range table.Order {
		near := set.Codebook.NearestRow(table.X.Row(i))
		want := false
		for _, l := range chosen {
			want = want || l == near
		}
		if of.Contains(int(row)) != want {
			t.Fatalf("row %d, of landmark %d: %v", row, near, !want)
		}
	}
	if len(chosen) == 0 || of.Empty() {
		t.Fatal("no landmarks")
	}
}

// Points of hidden populations are never taken by a live region: there can be none while an eye is shut, and a stroke
// fixes the points, saying why. Where a view shows all, a region among a population is added to.
func TestALiveRegionTakesNoHiddenPoints(t *testing.T) {
	s, d := following(t, stand.Options{W: 1300, H: 800})
	x, y, _ := stand.Spot(s.Desk.Stage.Scatters()[0], 0)
	cx, cy := float32(x), float32(y)
	var debris, most population.ID
	uitest.Do(func() {
		var tree population.Tree
		rows := s.Desk.Doc.Data.Points
		tree, debris, _ = tree.Add(population.Population{Name: "Debris",
			Rule: &population.Cells{Set: set(0, 1000, rows)}})
		tree, most, _ = tree.Add(population.Population{Name: "most",
			Rule: &population.Cells{Set: set(500, rows, rows)}})
		s.Desk.Doc.Do("Name", func(now *state.State) { parts.Populations.Put(now, tree) })
	})
	now := populated(s, d)
	uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", now.Sets[1]) })
	d.Frames(2)
	uitest.Do(func() { s.Desk.Stage.Hand().Mode = view.Intersect })
	loop(d, cx, cy, 150, 120, 1)
	region := parts.Region.Of(s.Desk.Doc.State())
	if region == nil || region.In != most {
		t.Fatalf("with a selected population it is %+v", region)
	}
	uitest.Do(func() { s.Desk.Stage.Hand().Mode = view.Replace })
	d.Hold("Shift", func() { loop(d, cx, cy+60, 60, 120, 1) })
	region = parts.Region.Of(s.Desk.Doc.State())
	if region == nil || region.In != most || len(region.Rule.Strokes) != 2 ||
		!selection.Covers(now.Sets[1], s.Desk.Stage.Selected()) {
		t.Fatalf("added to, it is %+v; %q", region, s.Said)
	}
	uitest.Do(func() { naming.Hide(s.Desk, debris, true) })
	d.Frames(3)
	loop(d, cx, cy, 150, 120, 1)
	points := s.Desk.Stage.Selected()
	if parts.Region.Of(s.Desk.Doc.State()) != nil || points.Empty() ||
		!selection.Intersect(points, now.Sets[0]).Empty() {
		t.Fatalf("%d points of %d that are selected are hidden ones", selection.Intersect(points, now.Sets[0]).Count(),
			points.Count())
	}
	if n := len(s.Said); n == 0 || !strings.Contains(s.Said[n-1], "hidden") {
		t.Errorf("it says %q", s.Said)
	}
}

// Points of landmarks are those that the view shows, as those that a selection grows by.
func TestPointsOfLandmarksAreThoseInSight(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:1000", W: 1000, H: 700, Views: stand.Whole,
		Trained: true})
	var id population.ID
	uitest.Do(func() {
		var tree population.Tree
		tree, id, _ = tree.Add(population.Population{Name: "hidden",
			Rule: &population.Cells{Set: set(0, 600, 1000)}})
		s.Desk.Doc.Do("Name", func(now *state.State) { parts.Populations.Put(now, tree) })
	})
	populated(s, d)
	uitest.Do(func() { naming.Hide(s.Desk, id, true) })
	d.Frames(3)
	uitest.Do(func() {
		hand := s.Desk.Stage.Hand()
		hand.Landmarks.Selected = hand.Landmarks.Selected[:0]
		for i := range parts.Landmarks.Of(s.Desk.Doc.State()).Len() {
			hand.Landmarks.Selected = append(hand.Landmarks.Selected, i)
		}
		view.Picking{Stage: s.Desk.Stage}.PointsOfLandmarks()
	})
	s.Rest(d)
	if points := s.Desk.Stage.Selected(); !selection.Equal(points, set(600, 1000, 1000)) {
		t.Errorf("%d points of all landmarks, where 400 are in sight", points.Count())
	}
}
