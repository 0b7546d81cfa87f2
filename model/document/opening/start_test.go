package opening

import (
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/space/transform"
)

// columns makes a table without a file.
func columns(t *testing.T, format string, cols ...dataset.Column) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.FromColumns(t.Context(), "t", cols)
	if err != nil {
		t.Fatal(err)
	}
	ds.Path, ds.Format = "t."+format, format
	return ds
}

// A table begins with its markers in a random order of points, and a grid through them.
func TestBegin(t *testing.T) {
	ds, err := source.Read(t.Context(), "demo:cytometry:1000", format.Options{MaxPoints: 800, Sample: "first"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Begin(t.Context(), ds, 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Landmarks.Len() != 8*8 || len(s.Landmarks.Edges) == 0 || s.Landmarks.Codebook.Cols != 30 {
		t.Errorf("%d landmarks of %d columns", s.Landmarks.Len(), s.Landmarks.Codebook.Cols)
	}
	want := "8 × 8 map as islands on 30 markers, asinh 150 · 5 other columns left out · a sample of 800 of 1,000 points"
	if s.Said != want {
		t.Errorf("said %q, want %q", s.Said, want)
	}
	order := slices.Clone(s.Table.Order)
	if slices.IsSorted(order) {
		t.Error("points are in the order of rows")
	}
	slices.Sort(order)
	for i, row := range order {
		if int(row) != i {
			t.Fatalf("row %d is missing", i)
		}
	}
	again, err := Begin(t.Context(), ds, 5, nil)
	if err != nil || !slices.Equal(again.Landmarks.Codebook.Data, s.Landmarks.Codebook.Data) ||
		!slices.Equal(again.Table.X.Data, s.Table.X.Data) {
		t.Errorf("the same seed gives another start (%v)", err)
	}
	if other, err := Begin(t.Context(), ds, 6, nil); err != nil || slices.Equal(other.Table.Order, s.Table.Order) {
		t.Errorf("another seed gives the same order (%v)", err)
	}
}

// The choice is said in few words, whatever the columns have in common.
func TestSaid(t *testing.T) {
	ds := &dataset.Dataset{Points: 10, Total: 10, Columns: make([]dataset.Column, 3)}
	asinh := transform.Column{Op: transform.Asinh, Params: transform.Params{5}, Weight: 1}
	none := transform.Column{Weight: 1}
	off := transform.Column{Use: transform.Off}
	for want, cols := range map[string][]transform.Column{
		"2 × 2 map on 3 columns":                                               {none, none, none},
		"2 × 2 map on 3 columns, asinh 5":                                      {asinh, asinh, asinh},
		"2 × 2 map on 3 columns, several transforms":                           {none, asinh, none},
		"2 × 2 map on 2 columns, several transforms · 1 other column left out": {asinh, off, none},
		"2 × 2 map on 1 column, asinh 5 · 2 other columns left out":            {off, asinh, off},
	} {
		if got := chosen(ds, transform.Spec{Columns: cols}, "2 × 2 map"); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
	}
}

func TestNothingToBeginWith(t *testing.T) {
	nan := float32(math.NaN())
	ordinary := dataset.Column{Name: "a", Values: []float32{1, 2}}
	for want, ds := range map[string]*dataset.Dataset{
		"has columns but no points": columns(t, "csv", dataset.Column{Name: "a"}),
		"all 2 columns are constant": columns(t, "csv", dataset.Column{Name: "a", Values: []float32{1, 1}},
			dataset.Column{Name: "b", Values: []float32{2, 2}}),
		"in the 2 columns of the map": columns(t, "csv", dataset.Column{Name: "a", Values: []float32{1, nan, 3, nan}},
			dataset.Column{Name: "b", Values: []float32{nan, 2, nan, 4}}),
	} {
		if _, err := Begin(t.Context(), ds, 1, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if s, err := Begin(t.Context(), columns(t, "csv", ordinary), 1, nil); err != nil || s.Table.X.Rows != 2 {
		t.Errorf("two points of one column: %v", err)
	}
	one := columns(t, "csv", dataset.Column{Name: "c1", Values: []float32{7}})
	if s, err := Begin(t.Context(), one, 1, nil); err != nil || s.Landmarks.Len() != 4 {
		t.Errorf("one point: %v", err)
	}
	if table, err := Space(t.Context(), columns(t, "csv", dataset.Column{Name: "c1"}),
		transform.Spec{Columns: []transform.Column{{Weight: 1}}}, nil, nil); err != nil || table.X.Rows != 0 {
		t.Errorf("no points to bring into the space: %v", err)
	}
}
