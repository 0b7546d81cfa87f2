package wall_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/scene"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	_ "blossom/ui/view/wall"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// walled opens a wall of a kind, of the demo with populations of the points high and low in CD3.
func walled(t *testing.T, kind string, o stand.Options) (*stand.Window, *uitest.Driver, *view.View) {
	t.Helper()
	o.Data, o.Views = "demo:cytometry:800", stand.Whole
	s, d := stand.Open(t, o)
	v := s.Desk.Stage.Active()
	uitest.Do(func() {
		at, tree := "", population.Tree{}
		for i := range s.Desk.Doc.Data.Columns {
			if c := &s.Desk.Doc.Data.Columns[i]; c.Short() == "CD3" {
				at = c.Name
			}
		}
		for _, p := range []population.Population{
			{Name: "T cells", Rule: limits(at, 2000, math.Inf(1))},
			{Name: "others", Rule: limits(at, math.Inf(-1), 2000)}} {
			var err error
			if tree, _, err = tree.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		s.Desk.Doc.Do("Populations", func(now *state.State) { parts.Populations.Put(now, tree) })
		s.Desk.Stage.ShowKind(v, kind)
	})
	s.Rest(d)
	d.Frames(3)
	return s, d, v
}

func limits(column string, low, high float64) population.Rule {
	return &population.Limits{Of: []population.Limit{{Column: column, Low: low, High: high}}}
}

// below is the place of a view without its header.
func below(v *view.View) widget.Rect {
	a := v.Area()
	a.Y0 = v.Header.Y1
	return a
}

// tiles are the pictures within that for a file.
func tiles(t *testing.T, v *view.View) (n int, points []int) {
	t.Helper()
	uitest.Do(func() {
		o, err := v.Content().Picture(scene.Options{Width: 1200, Height: 900, Scale: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range o.Tiles {
			count := 0
			if x.Picture.States != nil {
				for _, s := range x.Picture.States.Host() {
					if s&render.Selected != 0 {
						count++
					}
				}
			}
			points = append(points, count)
		}
		n = len(o.Tiles)
	})
	return n, points
}

// A wall of columns has a map for each, and a click on one makes it the map.
func TestAWallOfColumnsShowsAMapForEach(t *testing.T) {
	s, d, v := walled(t, "wall-columns", stand.Options{W: 1000, H: 700})
	if n, _ := tiles(t, v); n != 30 {
		t.Fatalf("%d maps of 30 columns", n)
	}
	r := below(v)
	d.Move(r.X0+60, r.Y0+60)
	d.Frames(3)
	if !d.Has("tooltip") {
		t.Error("a map does not say what it is")
	}
	d.Click(r.X0+60, r.Y0+60)
	d.Frames(4)
	first := s.Desk.Doc.Data.Columns[s.Desk.Table().Cols[0]].Name
	if v.Scatter() == nil || v.Look().Column != first {
		t.Errorf("a click shows %q coloured by %q", v.State().Kind, v.Look().Column)
	}
}

// Columns have the scale of the view's look: by rank each map has the numbers of ranks, 0 to 1.
func TestAWallOfColumnsHasTheScaleOfTheView(t *testing.T) {
	s, d, v := walled(t, "wall-columns", stand.Options{W: 1000, H: 700})
	uitest.Do(func() {
		s.Desk.SetLook("Scale", func(l *parts.Look) { l.Spread = transform.SpreadQuantile })
	})
	s.Rest(d)
	d.Frames(3)
	uitest.Do(func() {
		o, err := v.Content().Picture(scene.Options{Width: 1200, Height: 900, Scale: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range o.Tiles {
			for _, y := range x.Picture.Values.Host() {
				if y < 0 || y > 1 {
					t.Fatalf("map %d has the number %g", i, y)
				}
			}
			if c := x.Picture.Style.Colouring; !(c.Lo > 0 && c.Lo < 0.05 && c.Hi > 0.95 && c.Hi < 1) {
				t.Fatalf("map %d has the range %g to %g", i, c.Lo, c.Hi)
			}
		}
	})
}

// The points of a map of a wall are where landmarks were dragged to.
func TestAWallFollowsTheLandmarks(t *testing.T) {
	s, d, v := walled(t, "wall-columns", stand.Options{W: 800, H: 600})
	picture := func() []byte { return slices.Clone(d.Screenshot().Pix) }
	before := picture()
	uitest.Do(func() {
		l := s.Marks()
		b, _ := camera.BoundsOf(l.Pos.Data, 2)
		moved, err := l.Move([]int{0, 1, 2, 3, 4, 5}, []float32{float32(b.Max.X-b.Min.X) / 2, 0})
		if err != nil {
			t.Fatal(err)
		}
		s.Desk.Doc.Do("Move landmarks", func(now *state.State) { parts.Landmarks.Put(now, moved) })
	})
	s.Rest(d)
	d.Frames(6)
	if slices.Equal(before, picture()) {
		t.Error("the maps have not moved")
	}
	if v.Content().Stir().Unfinished {
		t.Error("maps are still to be drawn")
	}
}

// A map of a sample, or of a population, has its points in colour and no others.
func TestMapsOfAWallHaveThePointsOfTheirSamples(t *testing.T) {
	s, d, v := walled(t, "wall-populations", stand.Options{W: 800, H: 600})
	now, _ := s.Desk.Populations().Now()
	want := []int{now.Sets[0].Count(), now.Sets[1].Count()}
	if n, got := tiles(t, v); n != 2 || !slices.Equal(got, want) {
		t.Errorf("%d maps with %v points, want %v", n, got, want)
	}
	uitest.Do(func() { s.Desk.Stage.ShowKind(v, "wall-samples") })
	s.Rest(d)
	d.Frames(4)
	labels := s.Desk.Doc.Data.Columns[slices.IndexFunc(s.Desk.Doc.Data.Columns, func(c dataset.Column) bool {
		return len(c.Categories) > 0
	})]
	counts := make([]int, len(labels.Categories))
	for _, x := range labels.Values {
		if x == x {
			counts[int(x)]++
		}
	}
	counts = slices.DeleteFunc(counts, func(n int) bool { return n == 0 })
	if n, got := tiles(t, v); n != len(counts) || !slices.Equal(got, counts) {
		t.Errorf("%d maps with %v points, want %v", n, got, counts)
	}
	title, note := v.Content().Label()
	if title != "Samples" || !strings.Contains(note, "EmbedSOM") {
		t.Errorf("it is called %s, %s", title, note)
	}
}

// Maps of a wall have the points that the view shows: those of one population alone, none of a hidden one.
func TestMapsOfAWallHaveThePointsInSight(t *testing.T) {
	s, d, v := walled(t, "wall-populations", stand.Options{W: 800, H: 600})
	now, _ := s.Desk.Populations().Now()
	cells, others := now.Sets[0].Count(), now.Sets[1].Count()
	labels := &s.Desk.Doc.Data.Columns[slices.IndexFunc(s.Desk.Doc.Data.Columns, func(c dataset.Column) bool {
		return len(c.Categories) > 0
	})]
	check := func(what string, first, second int, in func(row int) bool) {
		t.Helper()
		uitest.Do(func() { s.Desk.Stage.ShowKind(v, "wall-populations") })
		s.Rest(d)
		d.Frames(4)
		if _, got := tiles(t, v); !slices.Equal(got, []int{first, second}) {
			t.Errorf("%s: populations have %v points, want %d and %d", what, got, first, second)
		}
		if hidden := hiddenIn(t, v); hidden != 800-first-second {
			t.Errorf("%s: %d points are hidden", what, hidden)
		}
		uitest.Do(func() { s.Desk.Stage.ShowKind(v, "wall-samples") })
		s.Rest(d)
		d.Frames(4)
		want := make([]int, len(labels.Categories))
		for row, x := range labels.Values {
			if x == x && in(row) {
				want[int(x)]++
			}
		}
		if _, got := tiles(t, v); !slices.Equal(got, want) {
			t.Errorf("%s: samples have %v points, want %v", what, got, want)
		}
	}
	first := now.Tree.All()[0].ID
	check("all", cells, others, func(int) bool { return true })
	uitest.Do(func() {
		s.Desk.Doc.Look(func(x *state.State) { parts.Views.Put(x, parts.Views.Of(*x).Hide(first, true)) })
	})
	check("hidden", 0, others, now.Sets[1].Contains)
	uitest.Do(func() {
		s.Desk.Doc.Look(func(x *state.State) { parts.Views.Put(x, parts.Views.Of(*x).Hide(first, false)) })
		v.ShowOf(first)
	})
	check("alone", cells, 0, now.Sets[0].Contains)
}

// hiddenIn counts the points that the first map of a wall does not draw.
func hiddenIn(t *testing.T, v *view.View) (n int) {
	t.Helper()
	uitest.Do(func() {
		o, err := v.Content().Picture(scene.Options{Width: 600, Height: 500, Scale: 1})
		if err != nil || len(o.Tiles) == 0 {
			t.Fatal(len(o.Tiles), err)
		}
		for _, s := range o.Tiles[0].Picture.States.Host() {
			if s&render.Hidden != 0 {
				n++
			}
		}
	})
	return n
}

// A wall of samples that a sheet says something of has a map for each group of them; a click on one selects its points.
func TestAWallOfGroupsHasThePointsOfTheirSamples(t *testing.T) {
	s, d, v := walled(t, "wall-populations", stand.Options{W: 800, H: 600})
	data := s.Desk.Doc.Data
	at := slices.IndexFunc(data.Columns, func(c dataset.Column) bool { return len(c.Categories) > 0 })
	labels := &data.Columns[at]
	want := make([]int, 2)
	uitest.Do(func() {
		known, err := sheet.Keyed(labels.Name).Add("group")
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range labels.Categories[:5] {
			known = known.Set(name, 0, []string{"one", "two"}[i%2])
		}
		s.Desk.Doc.Do("Sheet", parts.Samples.With(known))
		s.Desk.Stage.ShowKind(v, "wall-samples")
	})
	for _, x := range labels.Values {
		if x < 5 {
			want[int(x)%2]++
		}
	}
	s.Rest(d)
	d.Frames(4)
	if n, got := tiles(t, v); n != 2 || !slices.Equal(got, want) {
		t.Errorf("%d maps with %v points, want %v", n, got, want)
	}
	r := below(v)
	d.Click(r.X0+60, r.Y0+60)
	d.Frames(4)
	if n := s.Desk.Stage.Selected().Count(); n != want[0] {
		t.Errorf("a click selects %d points of %d", n, want[0])
	}
}

// A wall of the labels of a column of the sheet goes along where the column has another name.
func TestAWallFollowsAColumnThatIsRenamed(t *testing.T) {
	s, d, v := walled(t, "wall-populations", stand.Options{W: 800, H: 600})
	data := s.Desk.Doc.Data
	at := slices.IndexFunc(data.Columns, func(c dataset.Column) bool { return len(c.Categories) > 0 })
	labels := &data.Columns[at]
	known := sheet.Keyed(labels.Name)
	uitest.Do(func() {
		for k, column := range []string{"day", "group", "donor"} {
			var err error
			if known, err = known.Add(column); err != nil {
				t.Fatal(err)
			}
			for i, name := range labels.Categories {
				known = known.Set(name, k, []string{"a", "b", "c", "d"}[i%(k+2)])
			}
		}
		s.Desk.Doc.Do("Sheet", parts.Samples.With(known))
		v.Edit(func(p *parts.View) { p.Settings = []byte(`{"column":"sample: group"}`) })
		s.Desk.Stage.ShowKind(v, "wall-samples")
	})
	s.Rest(d)
	d.Frames(4)
	if n, _ := tiles(t, v); n != 3 {
		t.Errorf("%d maps of 3 groups", n)
	}
	uitest.Do(func() {
		s.Desk.Doc.Do("Rename", parts.Samples.With(known.Rename(1, "condition")))
	})
	s.Rest(d)
	d.Frames(4)
	if n, _ := tiles(t, v); n != 3 {
		t.Errorf("renamed there are %d maps of 3 groups", n)
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	s.Rest(d)
	d.Frames(4)
	if n, _ := tiles(t, v); n != 3 {
		t.Errorf("undone there are %d maps of 3 groups", n)
	}
}

// A wall looks as it did.
func TestAWallLooks(t *testing.T) {
	_, d, v := walled(t, "wall-columns", stand.Options{W: 640, H: 460})
	d.PictureOf("wall-light", below(v))
	d.End()
	_, d, v = walled(t, "wall-populations", stand.Options{W: 1040, H: 640, Scale: 2, Dark: true})
	d.PictureOf("wall-populations-dark-200", below(v))
}
