package bench

import (
	"slices"
	"testing"

	_ "blossom/gpu/cpu" // maps are made on this engine
	"blossom/model/maps/umap"
	"blossom/model/work/engine"
)

// A map is timed by its steps, and its neighbours are told.
func TestMapsByUMAPAreMeasured(t *testing.T) {
	c, err := engine.Open("cpu", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	x := aboutPlaces(200, 5)
	o, steps := umap.Defaults(), map[string][]float64{}
	y, err := unfolded(t.Context(), c.Engine(), x, o, steps)
	if err != nil {
		t.Fatal(err)
	}
	kept, rnx, err := keeps(t.Context(), x, y)
	if err != nil || !(kept > 0.8) || !(rnx > 0.1) {
		t.Errorf("trustworthiness %g, R_NX %g, %v", kept, rnx, err)
	}
	for _, name := range []string{"neighbours", "graph", "start", "epochs"} {
		if len(steps[name]) != 1 {
			t.Errorf("%s took %v", name, steps[name])
		}
	}
	var twice, other Unfolded
	err = twice.again(t.Context(), c.Engine(), x, o, y)
	if o.Seed++; err == nil {
		err = other.again(t.Context(), c.Engine(), x, o, y)
	}
	if err != nil || !twice.Same || len(twice.Sum) != 64 || other.Same {
		t.Errorf("the same seed %v, another seed %v, %v", twice, other, err)
	}
	r := Unfolded{Epochs: 500, Maps: Maps{1, kept, rnx, ""}, Learn: Maps{20, 0.9, 0.5, ""}}
	cells := []string{}
	for _, c := range unfoldedColumns {
		cells = append(cells, c.Cell(r))
	}
	if !slices.Contains(cells, "0.9000") || !slices.Contains(cells, "500") {
		t.Errorf("a row says %q", cells)
	}
}
