package transform

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

// farTable is a table of two clusters in a column far from 0, in row numbers, and in an ordinary column.
func farTable(t interface{ Fatal(...any) }, n int, offset, spread float64, seed uint64) (*dataset.Dataset, []float64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	far, rows, plain := make([]float64, n), make([]float64, n), make([]float32, n)
	for i := range n {
		far[i] = offset + spread*(rng.NormFloat64()+10*float64(i%2))
		rows[i] = float64(1<<30 + i)
		plain[i] = float32(rng.NormFloat64())
	}
	exact := slices.Clone(far)
	columns := []dataset.Column{{Name: "far"}, {Name: "count"}, {Name: "plain", Values: plain}}
	columns[0].SetExact(far)
	columns[1].SetExact(rows)
	ds, err := dataset.FromColumns(context.Background(), "far", columns)
	if err != nil {
		t.Fatal(err)
	}
	return ds, exact
}

// Transforms take the values as they are: what is rounded to float32 is their result. Whatever the offset, the map
// of a new table tells its clusters apart.
func TestTransformsTakeExactValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spread := math.Pow(10, rapid.Float64Range(-3, 3).Draw(t, "spread"))
		offset := spread * math.Pow(10, rapid.Float64Range(7, 11).Draw(t, "offset"))
		ds, far := farTable(t, 3000, offset, spread, rapid.Uint64().Draw(t, "seed"))
		spec := Default(ds)
		spec.Scale, spec.Robust = false, false
		var order []int32
		if rapid.Bool().Draw(t, "shuffled") {
			order = Shuffle(ds.Points, 5)
		}
		table, err := Build(context.Background(), ds, spec, order, nil)
		if err != nil {
			t.Fatal(err)
		}
		row := func(i int) int {
			if order != nil {
				return int(order[i])
			}
			return i
		}
		for i := range ds.Points {
			x := float64(table.X.Row(i)[0]) / table.Factor[0]
			if raw := table.Funcs[0].Inverse(x); math.Abs(raw-far[row(i)]) > 1e-5*spread+1e-15*offset {
				t.Fatalf("row %d: %v on the map stands for %v, not %v", i, x, raw, far[row(i)])
			}
		}
		scaled := spec.Clone()
		scaled.Scale = true
		again, err := Update(context.Background(), table, ds, scaled, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sd := again.SD[0]; math.Abs(sd/ds.Columns[0].Stats.SD-1) > 1e-6 {
			t.Fatalf("deviation %v, want %v", sd, ds.Columns[0].Stats.SD)
		}
		for _, op := range []Column{{}, {Op: Linear, Params: Params{2, -2 * offset}}, {Op: Asinh, Params: Params{150}},
			{Op: Log}} {
			f := FunctionOf(&ds.Columns[0], op)
			for i, y := range ColumnValues(&ds.Columns[0], op, order) {
				if want := float32(f.Forward(far[row(i)])); y != want {
					t.Fatalf("%v of %v is %v, want %v", op, far[row(i)], y, want)
				}
			}
		}
	})
}

// Parts of a table, tables together, and columns changed by a mix keep their digits.
func TestCopiesKeepDigits(t *testing.T) {
	ds, far := farTable(t, 1000, 1e9, 1e-3, 1)
	rows := []int32{7, 3, 999, 3}
	part, err := dataset.Take(t.Context(), ds, rows)
	if err != nil {
		t.Fatal(err)
	}
	both, err := dataset.Concat(t.Context(), []*dataset.Dataset{ds, part})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if got := part.Columns[0].At(i); got != far[r] {
			t.Errorf("row %d of a part is %v, want %v", r, got, far[r])
		}
		if got := both.Columns[0].At(1000 + i); got != far[r] {
			t.Errorf("row %d of two tables is %v, want %v", r, got, far[r])
		}
	}
	if both.Columns[2].Exact != nil || both.Columns[0].At(12) != far[12] {
		t.Error("columns of two tables")
	}
	spec := Default(ds)
	spec.Scale, spec.Robust = false, false
	spec.Mixes = []Mix{{Op: turn, Cols: []int{0, 1}, Values: []float64{0, 1}}}
	mixed := Mixed(ds, spec, 0)
	for i := range far {
		if math.Abs(mixed.At(i)-far[i]) > 1e-6 {
			t.Fatalf("row %d mixed is %v, want %v", i, mixed.At(i), far[i])
		}
	}
	table, err := Build(t.Context(), ds, spec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if sd := table.SD[0]; math.Abs(sd/ds.Columns[0].Stats.SD-1) > 1e-4 {
		t.Errorf("deviation of a mixed column %v, want %v", sd, ds.Columns[0].Stats.SD)
	}
}
