package transform

import (
	"math/rand/v2"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// A map is coloured by its first column, unless that is an empty channel and another parts the points; a few outliers
// part none.
func TestTheFirstColourTellsSomething(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	column := func(name string, second float64, apart float64) dataset.Column {
		c := dataset.Column{Name: name}
		for range 2000 {
			x := rng.NormFloat64()
			if rng.Float64() < second {
				x += apart
			}
			c.Values = append(c.Values, float32(x))
		}
		return c
	}
	empty, few, two := column("GFP", 0, 0), column("few", 0.005, 30), column("CD4", 0.3, 8)
	for want, columns := range map[string][]dataset.Column{
		"CD4": {empty, few, two}, "GFP": {empty, few}, "few": {few, empty},
	} {
		ds, err := dataset.FromColumns(t.Context(), "t", columns)
		if err != nil {
			t.Fatal(err)
		}
		spec := Spec{Columns: make([]Column, len(columns))}
		cols := make([]int, len(columns))
		for i := range columns {
			spec.Columns[i].Weight, cols[i] = 1, i
		}
		col, why := Telling(ds, spec, cols)
		if ds.Columns[col].Name != want || (why == "") != (col == 0) || col > 0 && !strings.Contains(why, "GFP") {
			t.Errorf("%s, %q; want %s", ds.Columns[col].Name, why, want)
		}
	}
	if col, _ := Telling(nil, Spec{}, nil); col != -1 {
		t.Error(col)
	}
}
