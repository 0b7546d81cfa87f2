package population

import (
	"context"
	"math"
	"testing"

	"blossom/model/data/dataset"
)

// A population is not told in a sample that has no value of a column that it is made by, or that one above it is; where
// a sample has some, it is, and so are others.
func TestAPopulationIsNotToldWhereItsColumnIsNot(t *testing.T) {
	nan := float32(math.NaN())
	data, err := dataset.FromColumns(context.Background(), "t", []dataset.Column{
		{Name: "a", Values: []float32{1, 2, 3, nan, nan, nan}}, {Name: "b", Values: []float32{1, 2, 3, 4, nan, 6}}})
	if err != nil {
		t.Fatal(err)
	}
	var tree Tree
	add := func(name, column string, parent ID) (id ID) {
		limits := &Limits{[]Limit{{column, 0, math.Inf(1)}}}
		if tree, id, err = tree.Add(Population{Name: name, Parent: parent, Rule: limits}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	a := add("a", "a", 0)
	add("b in a", "b", a)
	add("b", "b", 0)
	columns := map[string]*dataset.Column{"a": &data.Columns[0], "b": &data.Columns[1]}
	l, err := LabelRows(context.Background(), tree, Table(6, columns))
	if err != nil {
		t.Fatal(err)
	}
	of := func(row int) int { return row / 3 }
	c := l.Count([]string{"x", "y"}, of)
	if c.Ask(tree, data, of); c.Points[2][1] != 2 {
		t.Errorf("b has %d points in y", c.Points[2][1])
	}
	for place, want := range [][2]bool{{true, false}, {true, false}, {true, true}, {true, true}} {
		if got := [2]bool{c.Known(place, 0), c.Known(place, 1)}; got != want {
			t.Errorf("%d is told: %v, want %v", place, got, want)
		}
	}
}
