package embedding

import (
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/maps/umap"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// unfolding is a device of which only is known how many points epochs move in a second.
type unfolding struct {
	umap.Plain
	pace float64
}

func (p unfolding) Pace(int) float64 { return p.pace }

// A map of very many points is made of as many as the engine lays out in ten seconds; of all where it lays out all; of
// a small sample where it lays out less, or nothing.
func TestUMAPTakesAsManyPointsAsTheEngineLaysOut(t *testing.T) {
	const second = 20 // epochs that a point is moved in a second, of 200 in ten
	run := ByID("umap").Run
	for _, c := range []struct {
		points int
		pace   float64
		want   float64
	}{
		{50_000, 1, 0}, {200_000, 1e12, 0}, {3_000_000, 0, 50_000}, {3_000_000, 40_000 * second, 50_000},
		{3_000_000, 110_000 * second, 100_000}, {3_000_000, 700_000 * second, 500_000}, {3_000_000, 1e12, 1_000_000},
		{300_000, 320_000 * second, 0}, {900_000, 1e12, 0},
	} {
		in := Inputs{Table: &transform.Table{X: matrix.Matrix32{Rows: c.points, Cols: 2}},
			Caps: engine.Caps{UMAP: unfolding{pace: c.pace}}}
		if got := run.Values(in, UMAP(2), run.Size(in, UMAP(2))).Get(umapPoints); got != c.want {
			t.Errorf("%d points at a pace of %g: a map of %g, want %g", c.points, c.pace, got, c.want)
		}
	}
	in := Inputs{Table: &transform.Table{X: matrix.Matrix32{Rows: 3_000_000, Cols: 30}}}
	if got := run.Values(in, UMAP(2), run.Size(in, UMAP(2))).Get(umapPoints); got != umapSample {
		t.Errorf("without an engine that makes such maps one of %g points", got)
	}
}
