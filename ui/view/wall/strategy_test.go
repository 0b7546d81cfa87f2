package wall_test

import (
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/render/scene"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// gated opens the strategy of gates one in another: a polygon by scatter, a rectangle of two markers in it, quadrants
// and a range of one column in that.
func gated(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver, *view.View) {
	t.Helper()
	s, d, v := walled(t, "strategy", o)
	uitest.Do(func() {
		var tree population.Tree
		add := func(name string, parent population.ID, r population.Rule) (id population.ID) {
			var err error
			if tree, id, err = tree.Add(population.Population{Name: name, Parent: parent, Rule: r}); err != nil {
				t.Fatal(err)
			}
			return id
		}
		column := func(short string) string {
			for i := range s.Desk.Doc.Data.Columns {
				if c := &s.Desk.Doc.Data.Columns[i]; c.Short() == short {
					return c.Name
				}
			}
			t.Fatal("no column " + short)
			return ""
		}
		asinh := func(short string) population.Axis {
			return population.Axis{Column: column(short), Transform: "asinh:150"}
		}
		cells := add("cells", 0, &population.Gate{X: asinh("CD3"), Y: asinh("CD19"), Shape: population.Polygon,
			Path: [][2]float64{{-2, -2}, {6, -2}, {6, 3}, {3, 6}, {-2, 6}}})
		for i, g := range population.Quarters(asinh("CD4"), asinh("CD8"), [2]float64{3, 3}) {
			add([]string{"CD8", "both", "CD4", "none"}[i], cells, g)
		}
		add("CD3 high", cells, limits(column("CD3"), 2000, 1e5))
		add("by hand", 0, population.Of(selection.All(s.Desk.Doc.Data.Points)))
		s.Desk.Doc.Do("Gates", func(now *state.State) { parts.Populations.Put(now, tree) })
	})
	s.Rest(d)
	d.Frames(4)
	return s, d, v
}

// Each pair of axes has a plot, of the points of the population that was gated there, with as many of them selected as
// are; a click shows these in a view where the gates can be moved.
func TestAStrategyHasAPlotForEachPairOfAxes(t *testing.T) {
	s, d, v := gated(t, stand.Options{W: 1000, H: 700})
	title, note := v.Content().Label()
	if title != "Strategy of gates" || note != "3 plots · 1 population of another origin" {
		t.Errorf("%q, %q", title, note)
	}
	now, _ := s.Desk.Populations().Now()
	uitest.Do(func() {
		s.Desk.Doc.Do("Select", func(at *state.State) { parts.Selection.Put(at, now.Sets[1]) })
	})
	d.Frames(3)
	uitest.Do(func() {
		o, err := v.Content().Picture(scene.Options{Width: 1200, Height: 900, Scale: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Tiles) != 3 {
			t.Fatalf("%d plots", len(o.Tiles))
		}
		for i, want := range []struct{ points, selected int }{{len(now.Values), now.Sets[1].Count()},
			{now.Sets[0].Count(), now.Sets[1].Count()}, {0, 0}} {
			p := o.Tiles[i].Picture
			n := 0
			for _, x := range p.States.Host() {
				if x != 0 {
					n++
				}
			}
			if p.Points.Len() != want.points || n != want.selected {
				t.Errorf("plot %d has %d points, %d of them selected, want %v", i, p.Points.Len(), n, want)
			}
			if p.Lines.Places.Rows == 0 || len(p.Lines.Edges) == 0 || p.Lines.Places.Cols != 2 {
				t.Errorf("plot %d has no gates", i)
			}
		}
	})
	r := v.Area()
	d.Click(r.X0+r.W()*0.5, r.Y0+r.H()*0.3) // the second plot
	s.Rest(d)
	d.Frames(3)
	if st := v.State(); st.Kind != view.ScatterKind || st.Of != 1 || len(st.Recipe.Columns) != 2 {
		t.Errorf("a click shows %q of %d on %v", st.Kind, st.Of, st.Recipe.Columns)
	}
}

// Gates that move are drawn where they are, and a tree without gates says how one comes by some.
func TestAStrategyFollowsItsGates(t *testing.T) {
	s, d, v := gated(t, stand.Options{W: 1000, H: 700})
	points := func() (n int) {
		uitest.Do(func() {
			if o, err := v.Content().Picture(scene.Options{Width: 1200, Height: 900, Scale: 1}); err == nil {
				n = o.Tiles[1].Picture.Points.Len()
			}
		})
		return n
	}
	was := points()
	uitest.Do(func() {
		s.Desk.Doc.Do("Move", func(at *state.State) {
			parts.Populations.Put(at, parts.Populations.Of(*at).Move(1, 3, 3, 1))
		})
	})
	s.Rest(d)
	d.Frames(4)
	now, _ := s.Desk.Populations().Now()
	if n := points(); n == was || n != now.Sets[0].Count() {
		t.Errorf("%d points before, %d after, want %d", was, n, now.Sets[0].Count())
	}
	uitest.Do(func() {
		s.Desk.Doc.Do("None", func(at *state.State) { parts.Populations.Put(at, population.Tree{}) })
	})
	s.Rest(d)
	d.Frames(3)
	uitest.Do(func() {
		if _, err := v.Content().Picture(scene.Options{Width: 1200, Height: 900, Scale: 1}); err == nil {
			t.Error("there is a picture of no gates")
		}
	})
}

// A strategy looks as it did.
func TestAStrategyLooks(t *testing.T) {
	_, d, v := gated(t, stand.Options{W: 900, H: 640})
	d.PictureOf("strategy-light", below(v))
	d.End()
	_, d, v = gated(t, stand.Options{W: 1500, H: 1100, Scale: 2, Dark: true})
	d.PictureOf("strategy-dark-200", below(v))
}
