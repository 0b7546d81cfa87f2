package cpu

import (
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
	"pgregory.net/rapid"
)

// Whatever finite numbers come in, finite numbers come out, and near landmarks of ordinary size they
// are those of the reference; a point with a number that is not finite gives NaN.
func TestAlwaysFinite(t *testing.T) {
	for _, name := range Conforming() {
		e, err := NewVariant(name, engine.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { alwaysFinite(t, e) }) })
		e.Close()
	}
}

func alwaysFinite(t *rapid.T, e engine.Engine) {
	value := rapid.OneOf(rapid.Float32Range(-2, 2), rapid.Float32Range(-3e38, 3e38),
		rapid.SampledFrom([]float32{0, 0, 1, 1, 1e-45, -1e-30, 1e9, 1e30}))
	place := rapid.OneOf(rapid.Float32Range(-10, 10), rapid.SampledFrom([]float32{0, 1, 1e-20, 1e15}))
	n, g, d := rapid.IntRange(1, 20).Draw(t, "n"), rapid.IntRange(1, 40).Draw(t, "g"), rapid.IntRange(1, 5).Draw(t, "d")
	m := rapid.IntRange(2, 3).Draw(t, "m")
	draw := func(rows, cols int, v *rapid.Generator[float32], name string) matrix.Matrix32 {
		return matrix.Matrix32{Rows: rows, Cols: cols, Data: rapid.SliceOfN(v, rows*cols, rows*cols).Draw(t, name)}
	}
	c := enginetest.Case{
		X: draw(n, d, value, "x"), Codebook: draw(g, d, value, "codebook"), Pos: draw(g, m, place, "positions"),
		P: embedsom.Params{K: rapid.IntRange(0, 45).Draw(t, "k"),
			Boost: rapid.Float32Range(1e-3, 50).Draw(t, "boost"), Adjust: rapid.Float32Range(0, 10).Draw(t, "adjust")},
	}
	y, err := enginetest.Embed(e, c, engine.Range{From: 0, To: n})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range y.Data {
		if v-v != 0 {
			t.Fatalf("point %d lands at %v", i/m, y.Row(i/m))
		}
	}
}
