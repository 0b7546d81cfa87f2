package job

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/clusters/gating"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// writtenGates are the points of the populations of a tree of a file, and the file of gates that is made of them.
func writtenGates(t *testing.T, path string, tree population.Tree) (sets []*selection.Set, gates string,
	o *opening.Opened) {
	t.Helper()
	o, err := opening.Load(t.Context(), []string{path}, format.Options{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	j, err := OfDocument(t.Context(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	named := &Named{Gates: filepath.Join(t.TempDir(), "gates.xml")}
	j.Want(named)
	if _, err := Execute(t.Context(), j, Options{}); err != nil {
		t.Fatal(err)
	}
	return named.Made.Sets, named.Gates, o
}

// readGates are the populations that a file of gates becomes for the data of a document.
func readGates(t *testing.T, path string, o *opening.Opened) (tree population.Tree, carried int) {
	t.Helper()
	ds := o.Doc.Data
	s, err := gating.Read(t.Context(), path, ds)
	if err != nil {
		t.Fatal(err)
	}
	spec := parts.Transform.Of(o.Doc.State())
	if tree, carried, err = (population.Tree{}).OfGates(context.Background(), s, 0, ds, spec); err != nil {
		t.Fatal(err)
	}
	return tree, carried
}

// Populations of all kinds of regions on all scales, nested at random, of columns with a gain and of a logarithmic
// amplifier, are the same when their gates have been written and read: but for what lies on a side, where values have
// been rounded. What has been read is written and read again without a difference.
func TestGatesThatWereWrittenAreReadAgain(t *testing.T) {
	const n = 3000
	r := rand.New(rand.NewPCG(15, 9))
	columns := []dataset.Column{{Name: "FITC-A"}, {Name: "PE-A"}, {Name: "APC-A"}, {Name: "FSC-A", Gain: 4},
		{Name: "FL1-H", Log: &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}, Range: 1024}}
	for range n {
		for c := range columns[:4] {
			columns[c].Values = append(columns[c].Values, float32(math.Exp(9*r.Float64())-50))
		}
		columns[4].Values = append(columns[4].Values, float32(r.IntN(1024)))
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Spillover = &dataset.Spillover{Names: []string{"PE-A", "FITC-A", "APC-A"},
		M: [][]float64{{1, 0.3, 0.01}, {0.12, 1, 0.2}, {0, 0.05, 1}}}
	path := filepath.Join(t.TempDir(), "x.fcs")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	scales := []string{"asinh:150", "", "linear:-2:10", "logicle-e:8000:0.6:4.2:0.3", "logicle:8000:0.6:4.2:0.3",
		"hyperlog:9000:0.7:4.5:0.2", "fasinh:9000:4:1", "flin:9000:100"}
	axis := func(not string) population.Axis {
		c := columns[r.IntN(5)]
		for c.Name == not {
			c = columns[r.IntN(5)]
		}
		if c.Log != nil {
			return population.Axis{Column: c.Name, Transform: []string{"", "linear:0.01"}[r.IntN(2)]}
		}
		return population.Axis{Column: c.Name, Transform: scales[r.IntN(len(scales))]}
	}
	point := func(axes ...population.Axis) (at [2]float64) {
		for i, a := range axes {
			f := transform.Func{}
			if c, err := transform.ParseFile(a.Transform); a.Transform != "" && err == nil {
				f = transform.FunctionOf(&dataset.Column{}, c)
			}
			x := math.Exp(9*r.Float64()) - 100
			if a.Column == "FL1-H" {
				x = 1024 * r.Float64()
			}
			at[i] = f.Forward(x)
		}
		return at
	}
	native, brought := 0, 0
	for range 8 {
		var tree population.Tree
		for tree.Len() < 9 {
			p := population.Population{Name: "gate"}
			if k := tree.Len(); k > 0 && r.IntN(2) == 0 {
				p.Parent = tree.All()[r.IntN(k)].ID
			}
			x := axis("")
			y := axis(x.Column)
			polygon := &population.Gate{X: x, Y: y, Shape: population.Polygon,
				Path: [][2]float64{point(x, y), point(x, y), point(x, y), point(x, y)}}
			limits := &population.Limits{Of: []population.Limit{
				{Column: x.Column, Low: math.Inf(-1), High: 4000 * r.Float64()},
				{Column: y.Column, Low: 17, High: math.Inf(1)}}}
			switch r.IntN(6) {
			case 0:
				p.Rule = &population.Gate{X: x, Y: y, Shape: population.Rectangle,
					Path: [][2]float64{point(x, y), point(x, y)}}
			case 1:
				p.Rule = population.Quarters(x, y, point(x, y))[r.IntN(4)]
			case 2:
				p.Rule = limits
			case 3:
				p.Rule = &population.Any{Of: []population.Rule{polygon, limits}}
			case 4:
				p.Rule = &population.All{Of: []population.Term{{Rule: polygon, Not: r.IntN(2) == 0}, {Rule: limits}}}
			default:
				p.Rule = polygon
			}
			if tree, _, err = tree.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		want, gates, o := writtenGates(t, path, tree)
		again, carried := readGates(t, gates, o)
		if brought += carried; again.Len() != tree.Len() {
			t.Fatalf("%d populations are read of %d", again.Len(), tree.Len())
		}
		native += again.Len() - carried
		got, gates, o := writtenGates(t, path, again)
		for i, p := range tree.All() {
			q := again.All()[i]
			if q.Name != p.Name || again.Place(q.Parent) != tree.Place(p.Parent) {
				t.Fatalf("%s in %d is read as %s in %d", p.Name, p.Parent, q.Name, q.Parent)
			}
			differ := selection.Union(selection.Subtract(want[i], got[i]), selection.Subtract(got[i], want[i])).Count()
			if differ > 2 {
				raw, _ := population.EncodeRule(p.Rule)
				t.Errorf("%s: %d of %d points differ", raw, differ, want[i].Count())
			}
		}
		third, _ := readGates(t, gates, o)
		once, _, _ := writtenGates(t, path, third)
		for i, p := range again.All() {
			if !selection.Equal(once[i], got[i]) {
				raw, _ := population.EncodeRule(p.Rule)
				t.Errorf("read again, %s has %d points, and had %d", raw, once[i].Count(), got[i].Count())
			}
		}
	}
	if native < 4*brought {
		t.Errorf("%d gates are rules of ours, and %d carried along", native, brought)
	}
}

// Values on the lines of quadrants and on the sides of rectangles are in the same gates when these have been written
// and read, whatever scale they were drawn on.
func TestValuesOnTheSidesOfGatesStayThere(t *testing.T) {
	columns := []dataset.Column{{Name: "FITC-A"}, {Name: "PE-A"}}
	for i := range 4000 {
		columns[0].Values = append(columns[0].Values, float32(i%80*5))
		columns[1].Values = append(columns[1].Values, float32(i/80*5))
	}
	ds, err := dataset.FromColumns(t.Context(), "x", columns)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.fcs")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	scales := []string{"", "asinh:150", "logicle:8000:0.6:4.2:0.3", "biex:-10:0:4.42:262144", "fasinh:9000:4:1"}
	var tree population.Tree
	for i, text := range scales {
		x := population.Axis{Column: "FITC-A", Transform: text}
		y := population.Axis{Column: "PE-A", Transform: scales[(i+1)%len(scales)]}
		at := func(a, b float64) [2]float64 {
			for k, v := range []*float64{&a, &b} {
				if text := []string{x.Transform, y.Transform}[k]; text != "" {
					c, err := transform.ParseFile(text)
					if err != nil {
						t.Fatal(err)
					}
					*v = float64(float32(transform.FunctionOf(&dataset.Column{}, c).Forward(*v)))
				}
			}
			return [2]float64{a, b}
		}
		rules := []population.Rule{&population.Gate{X: x, Y: y, Shape: population.Rectangle,
			Path: [][2]float64{at(100, 50), at(300, 155)}}}
		for _, q := range population.Quarters(x, y, at(200, 105)) {
			rules = append(rules, q)
		}
		for _, r := range rules {
			if tree, _, err = tree.Add(population.Population{Name: "gate", Rule: r}); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, gates, o := writtenGates(t, path, tree)
	again, _ := readGates(t, gates, o)
	got, _, _ := writtenGates(t, path, again)
	for i, p := range tree.All() {
		if !selection.Equal(got[i], want[i]) || want[i].Count() == 0 {
			raw, _ := population.EncodeRule(p.Rule)
			t.Errorf("%s has %d points, and had %d", raw, got[i].Count(), want[i].Count())
		}
	}
}

// The gates of the compliance set that no rule of ours can say are written as they came.
func TestGatesThatAreCarriedAlongAreWrittenAsTheyCame(t *testing.T) {
	dir := filepath.Join(oracle.Formats(t), "gml")
	for _, name := range []string{"ellipse1", "ellipsoid3d", "log_ratio_range1", "ratio_range1",
		"matrix_transform_logicle_rect1", "boolean_and3_complement", "matrix_transform_hyperlog_range2c", "quadrant2",
		"parent_rect1_rect_par1", "transform_log_range6"} {
		fcs := filepath.Join(dir, "data1.fcs")
		o, err := opening.Load(t.Context(), []string{fcs}, format.Options{Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tree, _ := readGates(t, filepath.Join(dir, "gml_"+name+"_gate.xml"), o)
		was, gates, o := writtenGates(t, fcs, tree)
		again, _ := readGates(t, gates, o)
		got, _, _ := writtenGates(t, fcs, again)
		if again.Len() != tree.Len() {
			t.Fatalf("%s: %d populations are read of %d", name, again.Len(), tree.Len())
		}
		for i, p := range tree.All() {
			if was[i].Empty() || !selection.Equal(got[i], was[i]) {
				t.Errorf("%s: %s has %d points, and had %d", name, p.Name, got[i].Count(), was[i].Count())
			}
		}
	}
}
