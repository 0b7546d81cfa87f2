package population

import (
	"context"
	"math"
	"testing"

	"blossom/model/data/dataset"
)

// A population is not told in a sample that has no value of a column that it is made by, or that one above it is; where
// a sample has some, it is. What is in none is not told where one that lies in no other is not.
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
	if c.Ask(tree, data, l.Why, of); c.Points[2][1] != 2 {
		t.Errorf("b has %d points in y", c.Points[2][1])
	}
	for place, want := range [][2]bool{{true, false}, {true, false}, {true, true}, {true, false}} {
		if got := [2]bool{c.Known(place, 0), c.Known(place, 1)}; got != want {
			t.Errorf("%d is told: %v, want %v", place, got, want)
		}
	}
}

// A population that could not be evaluated, and what lies in it, is told in no sample, and so is what is in none; of
// one that lies in another others say nothing.
func TestAPopulationThatCannotBeEvaluatedIsToldNowhere(t *testing.T) {
	data, err := dataset.FromColumns(context.Background(), "t", []dataset.Column{
		{Name: "a", Values: []float32{1, 2, 3, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		columns []string // they are looked at by three populations, the second in the first
		want    [4]bool
	}{{[]string{"a", "a", "a"}, [4]bool{true, true, true, true}},
		{[]string{"gone", "a", "a"}, [4]bool{false, false, true, false}},
		{[]string{"a", "gone", "a"}, [4]bool{true, false, true, true}}} {
		var tree Tree
		for i, column := range c.columns {
			p := Population{Name: column, Rule: &Limits{[]Limit{{column, 0, math.Inf(1)}}}}
			if i == 1 {
				p.Parent = tree.All()[0].ID
			}
			if tree, _, err = tree.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		l, err := LabelRows(context.Background(), tree, Table(4, map[string]*dataset.Column{"a": &data.Columns[0]}))
		if err != nil {
			t.Fatal(err)
		}
		of := func(row int) int { return row / 2 }
		counts := l.Count([]string{"x", "y"}, of)
		counts.Ask(tree, data, l.Why, of)
		for place, want := range c.want {
			for sample := range 2 {
				if got := counts.Known(place, sample); got != want {
					t.Errorf("rules on %v: %d is told in %d: %v", c.columns, place, sample, got)
				}
			}
		}
	}
}
