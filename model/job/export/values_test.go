package export

import (
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// A table with other values says of itself what the one with raw values does, but for the matrix: its columns that were
// joined are joined still, so that they are none of what is measured.
func TestColumnsThatWereJoinedAreJoinedInAllValues(t *testing.T) {
	data := table(t, dataset.Column{Name: "x", Values: []float32{1, 2, 4}})
	data.Spillover = &dataset.Spillover{Names: []string{"x"}, M: [][]float64{{1}}}
	more := table(t, dataset.Column{Name: "y", Values: []float32{3, 9, 1}})
	more.Path = "more.csv"
	ds := dataset.Join(data, more)
	spec := transform.Default(ds)
	logs, err := transform.Parse("log")
	if err != nil {
		t.Fatal(err)
	}
	spec.Columns[0] = spec.Columns[0].WithTransform(logs)
	as, err := As(t.Context(), ds, spec, nil, transform.Mapped)
	if err != nil {
		t.Fatal(err)
	}
	if as == ds || as.Columns[0].Name == "x" || as.Metadata[ValuesKey] != string(transform.Mapped) {
		t.Fatalf("values are not changed: %+v", as.Columns[0])
	}
	if from := as.JoinedFrom(1); from == nil || from.Path != "more.csv" || as.JoinedFrom(0) != nil {
		t.Errorf("joined are %+v", as.Joined)
	}
	if as.Spillover != nil || ds.Spillover == nil {
		t.Error("the matrix is of values that are others")
	}
}
