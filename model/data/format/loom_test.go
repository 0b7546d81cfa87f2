package format

import (
	"slices"
	"testing"

	"blossom/model/data/dataset"
)

// A loom file, which h5py has written, is a table of its cells: [gene i, cell j] is 6i+j of four genes and six cells.
func TestLoomBecomesATable(t *testing.T) {
	ds := openH5(t, "small.loom", Options{})
	want := []string{"g0", "g1", "g2", "g3", "Age", "CellID", "Class"}
	if got := names(ds); !slices.Equal(got, want) || ds.Format != "loom" || ds.Points != 6 || ds.Total != 6 {
		t.Fatalf("%s: %q of %d points", ds.Format, got, ds.Points)
	}
	for i := range 4 {
		for j, v := range ds.Columns[i].Values {
			if v != float32(6*i+j) || ds.Columns[i].Role != dataset.Marker {
				t.Errorf("gene %d of cell %d is %v", i, j, v)
			}
		}
	}
	for name, role := range map[string]dataset.Role{"Age": dataset.Measure, "CellID": dataset.Index,
		"Class": dataset.Label} {
		if c := column(t, ds, name); c.Role != role {
			t.Errorf("%s is %v", name, c.Role)
		}
	}
	if got := texts(column(t, ds, "Class")); !slices.Equal(got, []string{"T", "B", "T", "B", "T", "B"}) {
		t.Errorf("classes are %q", got)
	}
	if !warned(ds, `"XY"`) {
		t.Errorf("a column of two values is not named: %v", ds.Warnings)
	}
	some := openH5(t, "small.loom", Options{MaxPoints: 3, Sample: dataset.SampleRandom, Seed: 2})
	for k, v := range some.Columns[3].Values {
		cell := texts(column(t, some, "CellID"))[k]
		if v != float32(18+int(cell[4]-'0')) {
			t.Errorf("of a sample, gene 3 of %s is %v", cell, v)
		}
	}
	layer := openH5(t, "small.loom", Options{Reading: Reading{Matrix: "layer:spliced"}})
	if v := layer.Columns[2].Values[5]; v != 34 {
		t.Errorf("of a layer, gene 2 of cell 5 is %v", v)
	}
	_, err := Open(ctx, h5Data("small.loom"), Options{Reading: Reading{Matrix: "layer:nope"}})
	wantProblem(t, err, "small.loom", "layer:nope")
}

// Many genes make a map of those of the greatest variance; one that is asked for by name colours.
func TestWideLoomIsMadeOfTheGenesThatVary(t *testing.T) {
	ds := openH5(t, "wide.loom", Options{Wanted: []string{"g599"}})
	markers := 0
	for i := range ds.Columns {
		if c := &ds.Columns[i]; c.Role == dataset.Marker && !c.Aside {
			markers++
		}
	}
	if markers != mostMarkers || !warned(ds, "600 columns") {
		t.Errorf("%d markers, %v", markers, ds.Warnings)
	}
	if c := column(t, ds, "g599"); c.Values[2] != 599*3+2 {
		t.Errorf("g599 is %v", c.Values)
	}
}
