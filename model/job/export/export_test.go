package export

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// Positions that lie in any order come out in the order of the rows.
func TestCoordinates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 33, 1000} {
		for _, dims := range []int{2, 3} {
			order := transform.Shuffle(n, rng.Uint64())
			rows, pos := make([]float32, n*dims), make([]float32, n*dims)
			for i := range rows {
				rows[i] = rng.Float32()
			}
			for i, row := range order {
				copy(pos[i*dims:(i+1)*dims], rows[int(row)*dims:])
			}
			ds, err := Coordinates(t.Context(), EmbedSOM, pos, dims, order)
			if err != nil || len(ds.Columns) != dims || ds.Points != n {
				t.Fatalf("%d x %d: %v, %v", n, dims, ds, err)
			}
			straight, err := Coordinates(t.Context(), EmbedSOM, rows, dims, nil)
			if err != nil {
				t.Fatal(err)
			}
			for j, c := range ds.Columns {
				if want := []string{"embedsom1", "embedsom2", "embedsom3"}[j]; c.Name != want {
					t.Errorf("column %s, want %s", c.Name, want)
				}
				if !slices.Equal(c.Values, straight.Columns[j].Values) {
					t.Errorf("%d x %d: column %d differs", n, dims, j)
				}
				for i, v := range c.Values {
					if v != rows[i*dims+j] {
						t.Fatalf("%d x %d: row %d", n, dims, i)
					}
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Coordinates(ctx, EmbedSOM, make([]float32, 20), 2, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The data's own columns stay what they are, and their names theirs.
func TestBeside(t *testing.T) {
	ds, err := source.Read(t.Context(), "demo:cytometry:20", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	made, err := Coordinates(t.Context(), EmbedSOM, make([]float32, 40), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	once := dataset.Beside(ds, made.Columns...)
	twice := dataset.Beside(once, made.Columns...)
	n := len(ds.Columns)
	var names []string
	for _, c := range twice.Columns[n:] {
		names = append(names, c.Name)
	}
	if want := []string{"embedsom1", "embedsom2", "embedsom1 (2)", "embedsom2 (2)"}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	for i := range ds.Columns {
		if a, b := &ds.Columns[i], &twice.Columns[i]; a.Name != b.Name || a.Label != b.Label || a.Role != b.Role {
			t.Errorf("column %s became %s", a.Title(), b.Title())
		}
	}
	if len(ds.Columns) != n || len(once.Columns) != n+2 || once.Rev == ds.Rev || once.Metadata == nil {
		t.Errorf("%d, %d columns", len(ds.Columns), len(once.Columns))
	}
}

// Other data with the settings of the file falls into the same space: the points of a part have there the
// coordinates that they have in the whole.
func TestDimensionsFreeze(t *testing.T) {
	ds, err := source.Read(t.Context(), "demo:cytometry:500", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	spec := transform.Default(ds)
	spec.Scale = true
	cols := spec.MapColumns()
	constant := slices.Clone(ds.Columns)
	constant[cols[1]].Values = make([]float32, ds.Points)
	if ds, err = dataset.FromColumns(t.Context(), "x", constant); err != nil {
		t.Fatal(err)
	}
	logs, err := transform.Parse("log")
	if err != nil {
		t.Fatal(err)
	}
	spec.Columns[cols[0]] = spec.Columns[cols[0]].WithTransform(logs)
	spec.Columns[cols[2]].Weight = 0.5
	whole, err := transform.Build(t.Context(), ds, spec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dims := Dimensions(ds, whole)
	file := landmark.File{Columns: dims, Scaled: true}
	file.Set, err = landmark.New(matrix.New(3, len(cols)), matrix.New(3, 2))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := landmark.Read(&b, "x")
	if err != nil || !slices.Equal(back.Columns, dims) {
		t.Fatalf("%v, %v", back.Columns, err)
	}
	for j, c := range dims {
		if c.Name != ds.Columns[cols[j]].Name || c.Label != ds.Columns[cols[j]].Label || c.SD <= 0 {
			t.Errorf("%+v", c)
		}
		set, err := transform.Parse(c.Transform)
		if err != nil {
			t.Fatal(err)
		}
		set.SD, set.Weight, set.Use = c.SD, c.Weight, transform.InMap
		spec.Columns[cols[j]] = set
	}
	part, err := dataset.Take(t.Context(), ds, []int32{3, 77, 400})
	if err != nil {
		t.Fatal(err)
	}
	some, err := transform.Build(t.Context(), part, spec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range []int{3, 77, 400} {
		if !slices.Equal(some.X.Row(i), whole.X.Row(row)) {
			t.Errorf("row %d: %v, want %v", row, some.X.Row(i), whole.X.Row(row))
		}
	}
}
