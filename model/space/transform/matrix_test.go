package transform

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

// turn is a matrix op like those of other files: it turns the plane of two columns by an angle and stretches the
// second one.
const turn ID = "turn"

func init() {
	RegisterMatrix(MatrixOp{
		ID: turn, Title: "Turn", Order: 50, Help: "Turns the plane of two columns.",
		Suggest: func(ds *dataset.Dataset) Suggestion {
			if len(ds.Columns) < 2 {
				return Suggestion{}
			}
			return Suggestion{Mix: Mix{Op: turn, Cols: []int{0, 1}, Values: []float64{0.5, 2}}}
		},
		Wrong: func(columns int, v []float64) string {
			if columns != 2 || len(v) != 2 || v[1] == 0 {
				return fmt.Sprintf("turn takes two columns, an angle and a factor; it has %d columns and %v", columns,
					v)
			}
			return ""
		},
		New: func(_ int, v []float64) (forward, inverse func(Block)) {
			sin, cos := math.Sincos(v[0])
			forward = func(b Block) {
				for i, x := range b[0] {
					y := b[1][i]
					b[0][i], b[1][i] = cos*x-sin*y, v[1]*(sin*x+cos*y)
				}
			}
			inverse = func(b Block) {
				for i, x := range b[0] {
					y := b[1][i] / v[1]
					b[0][i], b[1][i] = cos*x+sin*y, cos*y-sin*x
				}
			}
			return forward, inverse
		},
	})
}

func genMixes(t *rapid.T, d int) []Mix {
	var out []Mix
	if d < 2 {
		return nil
	}
	for range rapid.IntRange(0, 2).Draw(t, "mixes") {
		two := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for i := range d {
				if !yield(i) {
					return
				}
			}
		})).Draw(t, "mixed")[:2]
		angle := rapid.Float64Range(-3, 3).Draw(t, "angle")
		factor := rapid.SampledFrom([]float64{1, -2}).Draw(t, "factor")
		out = append(out, Mix{Op: turn, Cols: two, Values: []float64{angle, factor}})
	}
	return out
}

// naive mixes whole columns, one value after the other.
func naive(ds *dataset.Dataset, mixes []Mix) *dataset.Dataset {
	cols := make([][]float64, len(ds.Columns))
	for j := range cols {
		for _, x := range ds.Columns[j].Values {
			cols[j] = append(cols[j], float64(x))
		}
	}
	for _, m := range mixes {
		sin, cos := math.Sincos(m.Values[0])
		a, b := cols[m.Cols[0]], cols[m.Cols[1]]
		for i, x := range a {
			y := b[i]
			a[i], b[i] = cos*x-sin*y, m.Values[1]*(sin*x+cos*y)
		}
	}
	out := make([][]float32, len(cols))
	for j := range cols {
		out[j] = make([]float32, ds.Points)
		for i, x := range cols[j] {
			out[j][i] = float32(x)
		}
	}
	return table(out...)
}

// Points, statistics, floors and colours of mixed columns are those of a table whose columns were mixed before,
// in any order of points, made at once or by a change; and files bring the mixes back.
func TestMixesStandBeforeTransforms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := genData(t)
		order := Shuffle(ds.Points, 3)
		if rapid.Bool().Draw(t, "identity") {
			order = nil
		}
		plain := genSpec(t, len(ds.Columns))
		s := plain.Clone()
		s.Mixes = genMixes(t, len(ds.Columns))
		before := naive(ds, s.Mixes)
		want := mustBuild(t, before, plain, order)
		check := func(what string, got *Table) {
			t.Helper()
			if !sameButNaN(got.X.Data, want.X.Data) || got.Invalid != want.Invalid || !slices.Equal(got.SD, want.SD) ||
				!slices.Equal(got.Mean, want.Mean) {
				t.Fatalf("%s with %v: %v, want %v", what, s, got.X, want.X)
			}
			for j := range got.Funcs {
				if got.Funcs[j].Params != want.Funcs[j].Params {
					t.Fatalf("%s: %v taken from the data, want %v", what, got.Funcs[j].Params, want.Funcs[j].Params)
				}
			}
		}
		built := mustBuild(t, ds, s, order)
		check("built", built)
		for what, from := range map[string]Spec{"mixed later": plain, "mixed otherwise": otherwise(s)} {
			got, err := Update(context.Background(), mustBuild(t, ds, from, order), ds, s, nil)
			if err != nil {
				t.Fatal(err)
			}
			check(what, got)
		}
		for c := range s.Columns {
			got := ColumnValues(Mixed(ds, s, c), s.Columns[c], order)
			if !sameButNaN(got, ColumnValues(&before.Columns[c], s.Columns[c], order)) {
				t.Fatalf("column %d is coloured otherwise", c)
			}
			if Function(ds, s, c).Params != Function(before, plain, c).Params {
				t.Fatalf("column %d has another function", c)
			}
		}
		checkRoundTrip(t, ds, s)
		checkRoundTrip(t, ds, built.Frozen())
		if ds.Points > 0 { // alone as among all
			some := Shuffle(ds.Points, 1)[:1]
			all := mustBuild(t, ds, s, nil)
			if got := mustBuild(t, ds, all.Frozen(), some); !sameButNaN(got.X.Row(0), all.X.Row(int(some[0]))) {
				t.Fatal("frozen, a point alone is another than among all")
			}
		}
		if again, err := Update(context.Background(), built, ds, s.Clone(), nil); err != nil || again.Rev != built.Rev {
			t.Fatalf("the same mixes are another map: %v", err)
		}
	})
}

// otherwise returns s with other numbers in its mixes.
func otherwise(s Spec) Spec {
	s = s.Clone()
	for i := range s.Mixes {
		s.Mixes[i].Values = []float64{1, 1}
	}
	return s
}

// sameButNaN compares bits, where every NaN is like the other.
func sameButNaN(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool {
		return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
	})
}

// A codebook that lies on points stays on them when the mixes change, where all columns are known; else it
// takes what it is given.
func TestCarryThroughMixes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float32Range(1, 100)
		var cols [][]float32
		for range 3 {
			cols = append(cols, rapid.SliceOfN(value, 12, 12).Draw(t, "values"))
		}
		ds := table(cols...)
		spec := Spec{Scale: rapid.Bool().Draw(t, "scale")}
		for range cols {
			spec.Columns = append(spec.Columns, Column{Op: Asinh, Params: Params{5}, Weight: 2})
		}
		from, to := spec.Clone(), spec.Clone()
		from.Mixes, to.Mixes = genMixes(t, 3), genMixes(t, 3)
		to.Columns[1] = Column{Op: Linear, Params: Params{3, 1}, Weight: 1}
		old := mustBuild(t, ds, from, nil)
		now, err := Update(context.Background(), old, ds, to, nil)
		if err != nil {
			t.Fatal(err)
		}
		fill, err := Centroids(context.Background(), old, now, old.X)
		if err != nil || !fill.Empty() {
			t.Fatalf("all columns are known and %v was looked for, %v", fill, err)
		}
		got := Carry(old, now, old.X, fill)
		for i := range ds.Points {
			for j := range 3 {
				scale := 100 * max(1, math.Abs(now.Factor[j])) // float32 points on both sides, sinh between them
				if a, b := float64(got.Row(i)[j]), float64(now.X.Row(i)[j]); math.Abs(a-b) > 2e-5*(math.Abs(b)+scale) {
					t.Fatalf("point %d, dimension %d: %g, want %g; %v to %v", i, j, a, b, from.Mixes, to.Mixes)
				}
			}
		}
	})
}

func TestCarryWhereAColumnIsNotKnown(t *testing.T) {
	ds := table([]float32{1, 2, 3}, []float32{4, 5, 7}, []float32{7, 8, 9})
	from := Spec{Columns: []Column{{Weight: 1}, {Weight: 1, Use: ColourOnly}, {Weight: 1}}}
	to := from.Clone()
	to.Mixes = []Mix{{Op: turn, Cols: []int{0, 1}, Values: []float64{0.3, 1}}} // column 1 is not in the map
	old, now := mustBuild(t, ds, from, nil), mustBuild(t, ds, to, nil)
	code := matrix.Matrix32{Rows: 3, Cols: 2, Data: slices.Clone(old.X.Data)}
	fill, err := Centroids(context.Background(), old, now, code)
	if err != nil || fill.Rows != 3 {
		t.Fatal(fill, err)
	}
	if got := Carry(old, now, code, fill); !same(got.Data, now.X.Data) { // each point is the only one of its landmark
		t.Errorf("%v, want %v", got, now.X)
	}
	got := Carry(old, now, code, matrix.Matrix32{})
	for i := range 3 {
		if r := got.Row(i); r[0] != float32(now.Mean[0]) || r[1] != code.Row(i)[1] {
			t.Errorf("row %d is %v", i, r)
		}
	}
}

func TestMixesThatMakeNoSense(t *testing.T) {
	ds := table([]float32{1, 2}, []float32{3, 4}, []float32{0, 1})
	ds.Columns[2].Categories = []string{"a", "b"}
	v := []float64{1, 1}
	for want, m := range map[string]Mix{
		"not known": {Op: "gone"}, "column 9": {Op: turn, Cols: []int{0, 8}, Values: v},
		"twice": {Op: turn, Cols: []int{0, 0}, Values: v}, "no numbers": {Op: turn, Cols: []int{0, 2}, Values: v},
		"two columns": {Op: turn, Cols: []int{0}, Values: v}, "factor": {Op: turn, Cols: []int{0, 1}},
	} {
		s := Default(ds)
		s.Mixes = []Mix{m}
		if _, err := Build(context.Background(), ds, s, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, e := range []EncodedMix{{Op: "gone", Columns: []string{"a"}}, {Op: "turn", Columns: []string{"a", "zz"}}} {
		kept := EncodeSpec(ds, Default(ds))
		kept.Mixes = []EncodedMix{e}
		if _, err := DecodeSpec(ds, kept); err == nil {
			t.Errorf("%v was taken", e)
		}
	}
}

func TestMatrixOpsAreListed(t *testing.T) {
	ds := table([]float32{1, 2}, []float32{3, 4})
	ops := MatrixOps()
	if len(ops) == 0 || ops[len(ops)-1].ID != turn || MatrixByID("gone") != nil {
		t.Fatal(ops)
	}
	asked := MatrixByID(turn).Suggest(ds)
	s := Default(ds)
	s.Mixes = []Mix{asked.Mix}
	if err := s.Validate(ds); err != nil || !asked.Any() {
		t.Fatal(err, asked)
	}
	if s.How(0) == Default(ds).How(0) || s.How(0) == otherwise(s).How(0) {
		t.Errorf("texts do not tell mixes apart: %s", s.How(0))
	}
}
