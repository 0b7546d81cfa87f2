package heat_test

import (
	"math"
	"slices"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// peopled opens a heat map of three populations of limits, the last of which has no points.
func peopled(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver, *view.View) {
	t.Helper()
	o.Data, o.Views = "demo:cytometry:800", stand.Whole
	s, d := stand.Open(t, o)
	v := s.Desk.Stage.Active()
	uitest.Do(func() {
		cd3 := 0
		for i := range s.Desk.Doc.Data.Columns {
			if s.Desk.Doc.Data.Columns[i].Short() == "CD3" {
				cd3 = i
			}
		}
		at, tree := s.Desk.Doc.Data.Columns[cd3].Name, population.Tree{}
		for _, p := range []population.Population{
			{Name: "T cells", Rule: limits(at, 2000, math.Inf(1))},
			{Name: "others, which are not T cells", Rule: limits(at, math.Inf(-1), 2000)},
			{Name: "none", Rule: limits(at, 1e9, 1e9)}} {
			var err error
			if tree, _, err = tree.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		s.Desk.Doc.Do("Populations", func(now *state.State) { parts.Populations.Put(now, tree) })
		s.Desk.Stage.ShowKind(v, "populations")
	})
	s.Rest(d)
	d.Frames(3)
	return s, d, v
}

func limits(column string, low, high float64) population.Rule {
	return &population.Limits{Of: []population.Limit{{Column: column, Low: low, High: high}}}
}

// Populations with points are rows, coloured by their medians; the mouse on one says its median, and a click selects
// its points.
func TestAHeatMapOfPopulationsSelectsTheirPoints(t *testing.T) {
	s, d, v := peopled(t, stand.Options{W: 900, H: 600})
	if title, note := v.Content().Label(); title != "Populations" || note != "medians of 2 x 30 columns" {
		t.Errorf("it is called %s, %s", title, note)
	}
	r := below(v)
	now, _ := s.Desk.Populations().Now()
	seen := []int{}
	for _, y := range []float32{r.Y0 + 0.3*r.H(), r.Y0 + 0.7*r.H()} {
		d.Click(r.X0+0.4*r.W(), y)
		d.Frames(3)
		at := now.Tree.Place(s.Desk.Stage.Scene.Gating.Chosen)
		if at < 0 || s.Desk.Stage.Selected().Count() != now.Sets[at].Count() {
			t.Fatalf("population %d is chosen, %d points", at, s.Desk.Stage.Selected().Count())
		}
		seen = append(seen, at)
	}
	if slices.Sort(seen); !slices.Equal(seen, []int{0, 1}) {
		t.Errorf("the rows are of %v", seen)
	}
	uitest.Do(func() { s.Undo(); s.Undo(); s.Undo() })
	s.Rest(d)
	if _, note := v.Content().Label(); v.Content().Stir().Moving || note == "" {
		t.Errorf("without populations: %s", note)
	}
}

func TestAHeatMapOfPopulationsLooks(t *testing.T) {
	_, d, v := peopled(t, stand.Options{W: 720, H: 420})
	d.PictureOf("populations-light", below(v))
	d.End()
	_, d, v = peopled(t, stand.Options{W: 1440, H: 840, Scale: 2, Dark: true})
	d.PictureOf("populations-dark-200", below(v))
}
