package naming_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/render/scene"
	"blossom/ui/naming"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// biaxial shows two columns as axes in the active view.
func biaxial(s *stand.Window, d *uitest.Driver, x, y string) widget.Rect {
	uitest.Do(func() {
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.Columns(column(s, x), column(s, y)))
		s.Tool("select")
	})
	s.Rest(d)
	return s.Desk.Stage.Scatters()[0].Rect()
}

// Where a view shows the points of a population alone, no other points are drawn or enclosed, and what is drawn there
// is a gate that lies in it.
func TestWhatIsDrawnAmongThePointsOfAPopulationLiesInIt(t *testing.T) {
	s, d := begin(t)
	r := biaxial(s, d, "CD3", "CD19")
	c := r.Center()
	uitest.Do(func() { s.Desk.Stage.Hand().Shape = view.ByRect })
	d.Drag(r.X0+2, c.Y-20, r.X1-2, r.Y1-2, 5)
	name(t, s, "lower", naming.New)
	now := populated(s, d)
	id := now.Tree.All()[0].ID
	uitest.Do(func() { s.Desk.Stage.Active().ShowOf(id) })
	s.Rest(d)
	v := s.Desk.Stage.Scatters()[0]
	if v.View.Of() != id {
		t.Fatal("the view shows all points")
	}
	d.Drag(r.X0+2, r.Y0+2, c.X, r.Y1-2, 5)
	if got := s.Desk.Stage.Selected(); got.Empty() || !selection.Subtract(got, now.Sets[0]).Empty() {
		t.Fatalf("%d points are enclosed, %d of others", got.Count(), selection.Subtract(got, now.Sets[0]).Count())
	}
	enclosed := s.Desk.Stage.Selected()
	name(t, s, "left of it", naming.New)
	now = populated(s, d)
	if p := now.Tree.All()[1]; p.Parent != id || p.Rule.Kind() != "gate" {
		t.Fatalf("it is %+v", p)
	}
	if !selection.Equal(selection.Union(enclosed, now.Sets[1]), enclosed) && now.Sets[1].Count() != enclosed.Count() {
		t.Errorf("%d points of %d that were enclosed", now.Sets[1].Count(), enclosed.Count())
	}
	s.Rest(d)
	uitest.Do(func() { // the legend counts what the view shows
		p, err := v.Picture(scene.Options{Width: 600, Height: 400, Scale: 1})
		if err != nil || p.Legend == nil {
			t.Fatal(err)
		}
		points, chosen := 0, 0
		for i, e := range p.Legend.Entries {
			points, chosen = points+e.Count, chosen+p.Legend.Chosen[i]
		}
		if points != now.Sets[0].Count() || chosen != s.Desk.Stage.Selected().Count() {
			t.Errorf("the legend counts %d points, %d of them selected, of %d and %d", points, chosen,
				now.Sets[0].Count(), s.Desk.Stage.Selected().Count())
		}
	})
	// The parent is taken away by undoing: the view shows all points, and theirs again when it is there again.
	uitest.Do(func() { s.Undo(); s.Undo(); s.Undo(); s.Undo() })
	if s.Rest(d); parts.Populations.Of(s.Desk.Doc.State()).Len() != 0 || v.View.Of() != 0 {
		t.Fatalf("undone, the view shows those of %d", v.View.Of())
	}
	uitest.Do(func() { s.Redo(); s.Redo() })
	if s.Rest(d); v.View.Of() != id {
		t.Error("done again, the view shows all points")
	}
}

// A click parts the points of a view into four, each on its side of both lines; their centre is moved for all of them
// at once.
func TestAClickPartsPointsIntoQuadrants(t *testing.T) {
	s, d := begin(t)
	r := biaxial(s, d, "CD4", "CD8")
	c := r.Center()
	uitest.Do(func() { s.Desk.Stage.Hand().Shape = view.ByQuadrants })
	d.Click(c.X, c.Y)
	check := func(x, y float32) {
		t.Helper()
		now := populated(s, d)
		if now.Tree.Len() != 4 || now.None != 0 {
			t.Fatalf("%d populations, %d points in none", now.Tree.Len(), now.None)
		}
		v := s.Desk.Stage.Scatters()[0]
		sum, off := 0, 0
		for i, p := range now.Tree.All() {
			side := p.Rule.(*population.Gate).Path[1]
			sum += now.Sets[i].Count()
			for at, row := range s.Desk.Table().Order {
				sx, sy, ok := stand.Spot(v, at)
				in := (sx >= float64(x)) == (side[0] > 0) && (sy <= float64(y)) == (side[1] > 0)
				if ok && in != now.Sets[i].Contains(int(row)) {
					off++
				}
			}
		}
		if sum != 3000 || off > 4 { // events have whole places
			t.Errorf("%d points in all, %d on another side than they are seen on", sum, off)
		}
	}
	check(c.X, c.Y)
	if p := s.Desk.Populations().Tree().All()[1]; p.Name != "CD4+ CD8+" {
		t.Errorf("the upper right is called %s", p.Name)
	}
	done := s.Desk.Doc.History().Done()
	d.Move(c.X, c.Y)
	d.Press(shell.Left)
	d.Move(c.X+30, c.Y-20)
	d.Move(c.X+60, c.Y-40)
	d.Release(shell.Left)
	d.Frames(2)
	check(c.X+60, c.Y-40)
	if s.Desk.Doc.History().Done() != done+1 {
		t.Errorf("%d entries for one move", s.Desk.Doc.History().Done()-done)
	}
	uitest.Do(func() { s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.PCA(2)) })
	s.Rest(d)
	uitest.Do(func() { s.Desk.Stage.Hand().Shape = view.ByQuadrants })
	d.Click(c.X, c.Y)
	if err := s.Trouble(); err == nil || s.Desk.Populations().Tree().Len() != 4 {
		t.Error("a view of no columns has quadrants")
	}
}

// A freehand gate has the points that were selected when it was drawn, and the dialog says how many.
func TestAGateHasThePointsThatWereSelected(t *testing.T) {
	s, d := begin(t)
	biaxial(s, d, "CD3", "CD19")
	uitest.Do(func() { s.Desk.Stage.Hand().Shape = view.ByLasso })
	for k := range 3 {
		var path [][2]float64
		for i := range 60 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 60)
			path = append(path, [2]float64{0.5 - 0.4*cos + 0.02*float64(k),
				0.5 + (0.35+0.08*math.Sin(7*float64(i)))*sin})
		}
		stand.Strokes(s.Desk, d, path...)
		d.Frames(2)
		selected := s.Desk.Stage.Selected()
		title := fmt.Sprintf("gate %d", k)
		name(t, s, title, naming.New)
		if !strings.Contains(s.Named.Note, widget.Grouped(selected.Count())+" points") {
			t.Errorf("%d are selected, and it says %q", selected.Count(), s.Named.Note)
		}
		now := populated(s, d)
		p, ok := now.Tree.Named(title)
		if !ok || p.Rule.Kind() != "gate" {
			t.Fatalf("%+v", p)
		}
		if got := now.Sets[now.Tree.Place(p.ID)]; selected.Count() < 20 || !selection.Equal(got, selected) {
			t.Errorf("%d points of %d that were selected", got.Count(), selected.Count())
		}
	}
}

// A gate that was drawn on other scales is drawn where its border is: every place of its outline, brought back to the
// scales that it has, lies on one of its sides.
func TestAGateOfOtherScalesIsDrawnAlongItsBorder(t *testing.T) {
	s, d := begin(t)
	x, y := column(s, "CD4"), column(s, "CD8")
	uitest.Do(func() {
		s.Desk.Doc.Do("Gate", func(at *state.State) {
			tree, _, _ := parts.Populations.Of(*at).Add(population.Population{Name: "gate", Rule: &population.Gate{
				X: population.Axis{Column: x}, Y: population.Axis{Column: y}, Shape: population.Polygon,
				Path: [][2]float64{{-50, -20}, {12000, 300}, {200, 9000}}}})
			parts.Populations.Put(at, tree)
		})
	})
	biaxial(s, d, "CD4", "CD8")
	var p render.PictureOptions
	var err error
	uitest.Do(func() {
		p, err = s.Desk.Stage.Scatters()[0].Picture(scene.Options{Width: 300, Height: 300, Scale: 1})
	})
	if err != nil || len(p.Lines.Edges) < 60 {
		t.Fatalf("the outline has %d pieces: %v", len(p.Lines.Edges), err)
	}
	corners := [][2]float64{{-50, -20}, {12000, 300}, {200, 9000}}
	for i := range p.Lines.Places.Rows {
		at := p.Lines.Places.Row(i)
		raw := [2]float64{150 * math.Sinh(float64(at[0])), 150 * math.Sinh(float64(at[1]))}
		least := math.Inf(1)
		for k, a := range corners {
			b := corners[(k+1)%3]
			dx, dy := b[0]-a[0], b[1]-a[1]
			u := min(max(((raw[0]-a[0])*dx+(raw[1]-a[1])*dy)/(dx*dx+dy*dy), 0), 1)
			least = min(least, math.Hypot(raw[0]-a[0]-u*dx, raw[1]-a[1]-u*dy))
		}
		if least > 20 {
			t.Fatalf("%v is %g away from the border", raw, least)
		}
	}
}

// The chosen gate is moved by a side, a rectangle alone by that, and as a whole by its middle; quadrants by their
// centre, whichever population is chosen. Each is one entry of the history, and selects nothing.
func TestGatesAreMovedBySidesAndAsAWhole(t *testing.T) {
	s, d := begin(t)
	r := biaxial(s, d, "CD4", "CD8")
	c := r.Center()
	v := s.Desk.Stage.Scatters()[0]
	world := func(x, y float32) (at [2]float64) {
		uitest.Do(func() {
			p := v.Eye.World(float64(x), float64(y))
			at = [2]float64{p.X, p.Y}
		})
		return at
	}
	asinh := func(short string) population.Axis {
		return population.Axis{Column: column(s, short), Transform: "asinh:150"}
	}
	add := func(name string, g *population.Gate) (id population.ID) {
		uitest.Do(func() {
			s.Desk.Doc.Do("Gate", func(at *state.State) {
				var tree population.Tree
				tree, id, _ = parts.Populations.Of(*at).Add(population.Population{Name: name, Rule: g})
				parts.Populations.Put(at, tree)
			})
			s.Desk.Stage.Scene.Gating.Chosen = id
		})
		d.Frames(2)
		return id
	}
	path := func(id population.ID) [][2]float64 {
		p, _ := parts.Populations.Of(s.Desk.Doc.State()).Find(id)
		return p.Rule.(*population.Gate).Path
	}
	near := func(a, b [2]float64) bool { return math.Hypot(a[0]-b[0], a[1]-b[1]) < 0.02 }
	low, high := world(c.X-100, c.Y+100), world(c.X+100, c.Y-60)
	x, y := asinh("CD4"), asinh("CD8")
	box := add("box", &population.Gate{X: x, Y: y, Shape: population.Rectangle, Path: [][2]float64{low, high}})
	done := s.Desk.Doc.History().Done()
	d.Drag(c.X+100, c.Y+50, c.X+140, c.Y+60, 4) // its right side
	if got := path(box); !near(got[0], low) || !near(got[1], [2]float64{world(c.X+140, 0)[0], high[1]}) {
		t.Errorf("by its side: %v, from %v to %v", got, low, high)
	}
	was := path(box)
	d.Drag(c.X+20, c.Y+20, c.X+50, c.Y+40, 4) // its middle
	by := [2]float64{world(c.X+50, 0)[0] - world(c.X+20, 0)[0], world(0, c.Y+40)[1] - world(0, c.Y+20)[1]}
	for i, p := range path(box) {
		if !near(p, [2]float64{was[i][0] + by[0], was[i][1] + by[1]}) {
			t.Errorf("as a whole corner %d went from %v to %v, by %v", i, was[i], p, by)
		}
	}
	if got := s.Desk.Doc.History().Done(); got != done+2 || s.Last() != "Move gate box" {
		t.Errorf("%d entries, the last %q", got-done, s.Last())
	}
	sides := add("triangle", &population.Gate{X: x, Y: y, Shape: population.Polygon, Path: [][2]float64{
		world(c.X-200, c.Y+100), world(c.X+200, c.Y+100), world(c.X, c.Y-200)}})
	was = path(sides)
	d.Drag(c.X-150, c.Y+100, c.X-150, c.Y+130, 4)
	for i, p := range path(sides) {
		by := path(sides)[0][1] - was[0][1]
		if !near(p, [2]float64{was[i][0], was[i][1] + by}) || p == was[i] {
			t.Errorf("corner %d of the polygon went from %v to %v", i, was[i], p)
		}
	}
	q := population.Quarters(x, y, world(c.X+250, c.Y+180))
	first := add("Q1", q[0])
	add("Q2", q[1])
	uitest.Do(func() { s.Desk.Stage.Scene.Gating.Chosen = box })
	d.Drag(c.X+250, c.Y+180, c.X+230, c.Y+170, 4)
	if got := path(first)[0]; !near(got, world(c.X+230, c.Y+170)) {
		t.Errorf("the centre of quadrants is at %v", got)
	}
	if n := s.Desk.Stage.Selected().Count(); n != 0 {
		t.Errorf("%d points are selected", n)
	}
}
