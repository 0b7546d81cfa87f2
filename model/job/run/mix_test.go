package run

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

func init() {
	transform.RegisterMatrix(transform.MatrixOp{
		ID: "share", Title: "Share", Help: "Takes a share of the second column from the first.",
		Wrong: func(columns int, v []float64) string {
			if columns != 2 || len(v) != 1 {
				return fmt.Sprintf("share takes two columns and a number, it has %d and %v", columns, v)
			}
			return ""
		},
		New: func(_ int, v []float64) (forward, inverse func(transform.Block)) {
			by := func(share float64) func(transform.Block) {
				return func(b transform.Block) {
					for i := range b[0] {
						b[0][i] += share * b[1][i]
					}
				}
			}
			return by(-v[0]), by(v[0])
		},
	})
}

// A landmark file tells which columns were mixed before the map was made, by their names and also those that are
// no dimensions of it, so that other data falls into the same space.
func TestALandmarkFileKeepsMixes(t *testing.T) {
	ctx := context.Background()
	ds, err := dataset.FromColumns(ctx, "d.csv", []dataset.Column{
		{Name: "a", Values: []float32{1, 2, 3, 4.5, 5}}, {Name: "b", Values: []float32{50, 30, 80, 10, 20}},
		{Name: "c", Values: []float32{7, 7.5, 1, 2, 9}}})
	if err != nil {
		t.Fatal(err)
	}
	spec := transform.Default(ds)
	spec.Scale = true
	spec.Columns[0] = spec.Columns[0].With(transform.Log, transform.Params{})
	spec.Mixes = []transform.Mix{{Op: "share", Cols: []int{0, 1}, Values: []float64{-0.5}}}
	p, err := PointsOf(ctx, ds, []int{2, 0}, spec, nil, nil) // b is no dimension
	if err != nil {
		t.Fatal(err)
	}
	if x := p.Table.Funcs[1].Inverse(float64(p.Table.X.Row(2)[1]) / p.Table.Factor[1]); x < 42.99 || x > 43.01 {
		t.Fatalf("a is %g before its transform, want 3 + 80/2", x)
	}
	set, err := landmark.New(p.Table.X, p.Table.X)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.File(set).Write(&b); err != nil {
		t.Fatal(err)
	}
	f, err := landmark.Read(&b, "l.json")
	if err != nil {
		t.Fatal(err)
	}
	// The same columns in another order, in a file.
	path := filepath.Join(t.TempDir(), "other.csv")
	other, err := dataset.FromColumns(ctx, "other", []dataset.Column{ds.Columns[1], ds.Columns[2], ds.Columns[0]})
	if err != nil {
		t.Fatal(err)
	}
	if err := format.Save(ctx, path, other, nil); err != nil {
		t.Fatal(err)
	}
	if other, err = format.Open(ctx, path, format.Options{}); err != nil {
		t.Fatal(err)
	}
	cols, again, err := new(Space).trainedColumns(ctx, other, f, "f")
	if err != nil || !slices.Equal(cols, []int{1, 2}) {
		t.Fatal(cols, err)
	}
	q, err := PointsOf(ctx, other, cols, again, nil, nil)
	if err != nil || !slices.Equal(q.Table.X.Data, p.Table.X.Data) {
		t.Fatalf("%v, want %v, %v", q.Table.X, p.Table.X, err)
	}
	missing, err := dataset.FromColumns(ctx, "missing", []dataset.Column{ds.Columns[0], ds.Columns[2]})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := new(Space).trainedColumns(ctx, missing, f, "f"); err == nil {
		t.Error("the mixed column is not there and nobody says so")
	}
}
