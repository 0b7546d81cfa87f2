package population

import (
	"fmt"
	"math"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/clusters/gating"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
	"blossom/model/space/transform"
)

// Quadrants of FlowJo are four populations around a corner: they come in as quadrants on the scales of FlowJo, each
// with its name, the points that FlowJo has in it (on a line they are above it) and the corner, which moves them all.
func TestQuadrantsOfAWorkspaceAreRules(t *testing.T) {
	x, y := make([]float32, 900), make([]float32, 900)
	for i := range x {
		x[i], y[i] = float32(i%30*10), float32(i/30*10) // some lie on the lines at 100 and 200
	}
	ds, err := dataset.FromColumns(t.Context(), "x.fcs", []dataset.Column{{Name: "FL1-A", Values: x},
		{Name: "FL2-A", Values: y}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = "x.fcs"
	quarters := []struct {
		name, x, y string
		in         func(x, y float32) bool
	}{
		{"Q1: FL1-A- , FL2-A+", `max="100"`, `min="200"`, func(x, y float32) bool { return x < 100 && y >= 200 }},
		{"Q2: FL1-A+ , FL2-A+", `min="100"`, `min="200"`, func(x, y float32) bool { return x >= 100 && y >= 200 }},
		{"Q3: FL1-A+ , FL2-A-", `min="100"`, `max="200"`, func(x, y float32) bool { return x >= 100 && y < 200 }},
		{"Q4: FL1-A- , FL2-A-", `max="100"`, `max="200"`, func(x, y float32) bool { return x < 100 && y < 200 }},
	}
	text := `<Workspace><SampleList><Sample><DataSet uri="x.fcs"/><Transformations>
		<biex width="-10" neg="0" pos="4.42" maxRange="262144"><parameter name="FL1-A"/></biex></Transformations>
		<SampleNode name="x.fcs"><Subpopulations>`
	for _, q := range quarters {
		text += fmt.Sprintf(`<Population name="%s"><Gate><RectangleGate><dimension %s><fcs-dimension name="FL1-A"/>
			</dimension><dimension %s><fcs-dimension name="FL2-A"/></dimension></RectangleGate></Gate></Population>`,
			q.name, q.x, q.y)
	}
	text += "</Subpopulations></SampleNode></Sample></SampleList></Workspace>"
	root, err := xmlfile.Parse(t.Context(), []byte(text), "x.wsp")
	if err != nil {
		t.Fatal(err)
	}
	s, err := gating.Of(root, "x.wsp", ds)
	if err != nil {
		t.Fatal(err)
	}
	tree, carried, err := Tree{}.OfGates(t.Context(), s, 0, ds, transform.Default(ds))
	if err != nil || carried > 0 || tree.Len() != 4 {
		t.Fatal(problem.As(err), carried, tree.Len())
	}
	in := Table(ds.Points, columnsOf(ds))
	in.Data = ds
	biex, err := transform.ParseFile("biex:-10:0:4.42:262144")
	if err != nil {
		t.Fatal(err)
	}
	shown := transform.FunctionOf(&dataset.Column{}, biex)
	for i, p := range tree.All() {
		q := quarters[i]
		set, err := p.Rule.Rows(t.Context(), in)
		if err != nil || p.Name != q.name {
			t.Fatalf("%q, %v", p.Name, err)
		}
		for row := range x {
			if set.Contains(row) != q.in(x[row], y[row]) {
				t.Fatalf("%s: row %d at %g, %g is in: %v", p.Name, row, x[row], y[row], set.Contains(row))
			}
		}
		gate, ok := p.Rule.(*Gate)
		if !ok || gate.Shape != Quadrant || gate.X != (Axis{"FL1-A", biex.File()}) || gate.Y != (Axis{"FL2-A", ""}) {
			t.Fatalf("%s is the rule %+v", p.Name, p.Rule)
		}
		for k, corner := range []float64{shown.Forward(100), 200} {
			if math.Abs(gate.Path[0][k]-corner) > 1e-6*corner {
				t.Errorf("%s: its corner is at %v", p.Name, gate.Path[0])
			}
		}
		if side := [4][2]float64{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}}[i]; gate.Path[1] != side {
			t.Errorf("%s is on the sides %v, want %v", p.Name, gate.Path[1], side)
		}
	}
	if steps, others := tree.Strategy(); len(steps) != 1 || len(steps[0].Of) != 4 || len(others) > 0 {
		t.Errorf("they are on %d plots", len(steps))
	}
	moved := tree.Move(tree.All()[0].ID, 0, 1, 50)
	for _, p := range moved.All() {
		if at := p.Rule.(*Gate).Path[0]; at != [2]float64{1, 50} {
			t.Errorf("%s stays at %v", p.Name, at)
		}
	}
}
