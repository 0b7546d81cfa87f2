package export

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"blossom/model/data/dataset"
)

// parted are tables that were put together, parted into those of each input again.
func parted(t *testing.T, tables ...*dataset.Dataset) (out []*dataset.Dataset) {
	t.Helper()
	for i, ds := range tables {
		ds.Name, ds.Path = fmt.Sprintf("%d.fcs", i), fmt.Sprintf("%d.fcs", i)
	}
	all, err := dataset.Concat(t.Context(), tables)
	if err != nil {
		t.Fatal(err)
	}
	rows := &Rows{Data: all, Before: all, Each: EachFile, Append: true}
	for i := range tables {
		part, err := rows.part(t.Context(), all, i)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, part)
	}
	return out
}

// table is one of columns.
func table(t *testing.T, columns ...dataset.Column) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.FromColumns(t.Context(), "", columns)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// A file that was put together with others has its own labels again, by its own numbers and colours.
func TestFilesOfInputsHaveTheirOwnLabels(t *testing.T) {
	nan := float32(math.NaN())
	files := parted(t,
		table(t, dataset.Column{Name: "x", Values: []float32{1, 2}},
			dataset.Column{Name: "kind", Values: []float32{0, 1}, Categories: []string{"a", "c"}}),
		table(t, dataset.Column{Name: "x", Values: []float32{3, 4, 5}},
			dataset.Column{Name: "kind", Values: []float32{1, nan, 0}, Categories: []string{"b", "c"},
				Own: "\x01\x02\x03\xff\x04\x05\x06\xff"}))
	for i, want := range [][]string{{"a", "c"}, {"b", "c"}} {
		if got := files[i].Columns[1].Categories; !slices.Equal(got, want) {
			t.Errorf("file %d has the labels %q, not %q", i, got, want)
		}
	}
	c := &files[1].Columns[1]
	if c.Values[0] != 1 || c.Values[1] == c.Values[1] || c.Values[2] != 0 || c.Stats.Count != 2 {
		t.Errorf("rows are of %v, %+v", c.Values, c.Stats)
	}
	if c.Own != "\x01\x02\x03\xff\x04\x05\x06\xff" || files[0].Columns[1].Own != "" {
		t.Errorf("colours are %q and %q", files[0].Columns[1].Own, c.Own)
	}
}

// A file that was read as float32 is written as such, though another one beside it is not.
func TestFilesOfInputsHaveNumbersOfTheirOwnSize(t *testing.T) {
	wide := dataset.Column{Name: "x", Role: dataset.Marker}
	wide.SetExact([]float64{1e8 + 1, 1e8 + 2, 1e8 + 3})
	files := parted(t, table(t, dataset.Column{Name: "x", Values: []float32{1, 2.5}}), table(t, wide))
	if c := &files[0].Columns[0]; c.Exact != nil || !slices.Equal(c.Values, []float32{1, 2.5}) {
		t.Errorf("the first file has %v", c.Exact)
	}
	if c := &files[1].Columns[0]; !slices.Equal(c.Exact, []float64{1e8 + 1, 1e8 + 2, 1e8 + 3}) {
		t.Errorf("the second file has %v of %v", c.Exact, c.Values)
	}
}
