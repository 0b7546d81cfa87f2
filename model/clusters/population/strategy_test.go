package population

import (
	"fmt"
	"math"
	"testing"
)

// Gates of one population on the same axes share a plot, and plots stand in the order in which the tree leads to them.
func TestAStrategyIsAPlotForEachPairOfAxesOfAPopulation(t *testing.T) {
	var tree Tree
	add := func(name string, parent ID, r Rule) (id ID) {
		var err error
		if tree, id, err = tree.Add(Population{Name: name, Parent: parent, Rule: r}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	gate := func(x, y string) *Gate {
		return &Gate{X: Axis{Column: x}, Y: Axis{Column: y, Transform: "asinh:5"}, Shape: Rectangle,
			Path: [][2]float64{{0, 0}, {1, 1}}}
	}
	limit := func(columns ...string) *Limits {
		out := &Limits{}
		for _, c := range columns {
			out.Of = append(out.Of, Limit{c, 0, math.Inf(1)})
		}
		return out
	}
	a := add("lymphocytes", 0, gate("FSC", "SSC"))
	b := add("singlets", a, gate("FSC", "FSC-H"))
	add("T", b, limit("CD3"))
	add("B", b, limit("CD19"))
	add("not T", b, limit("CD3"))
	add("both", b, limit("CD4", "CD8"))
	add("three", b, limit("CD4", "CD8", "CD3"))
	add("fixed", 0, &Cells{})
	for i, g := range Quarters(Axis{Column: "FSC"}, Axis{Column: "SSC", Transform: "asinh:5"}, [2]float64{1, 1}) {
		add(fmt.Sprint("Q", i), 0, g)
	}
	steps, others := tree.Strategy()
	want := "[{0 {FSC } {SSC asinh:5} [1 9 10 11 12] false} {1 {FSC } {FSC-H asinh:5} [2] false} " +
		"{2 {CD3 } { } [3 5] true} {2 {CD19 } { } [4] true} {2 {CD4 } {CD8 } [6] true}]"
	if got := fmt.Sprint(steps); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if fmt.Sprint(others) != "[7 8]" {
		t.Errorf("%v cannot be shown", others)
	}
	if steps, others := (Tree{}).Strategy(); steps != nil || others != nil {
		t.Errorf("of nothing there is %v, %v", steps, others)
	}
}
