package export

import (
	"math"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
)

// The table of counts has no numbers for a population that could not be evaluated, nor for the unassigned beside it.
func TestCountsAreMissingWhereTheyAreNotKnown(t *testing.T) {
	for _, column := range []string{"a", "gone"} {
		ds, err := dataset.FromColumns(t.Context(), "t", []dataset.Column{{Name: "a", Values: []float32{1, 2, -3}}})
		if err != nil {
			t.Fatal(err)
		}
		tree, _, err := population.Tree{}.Add(population.Population{Name: "high",
			Rule: &population.Limits{Of: []population.Limit{{Column: column, Low: 0, High: math.Inf(1)}}}})
		if err != nil {
			t.Fatal(err)
		}
		l, err := population.LabelRows(t.Context(), tree,
			population.Table(3, map[string]*dataset.Column{"a": &ds.Columns[0]}))
		if err != nil {
			t.Fatal(err)
		}
		out, err := (&Names{Data: ds, Tree: tree, Labels: l}).Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		points := out.Columns[out.Places()["points"]].Values
		for i, want := range []float32{2, 1} {
			if got := points[i]; column == "a" && got != want || column == "gone" && got == got {
				t.Errorf("by %s row %d has %g points", column, i, got)
			}
		}
	}
}
