package embedding

import (
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/maps/tsne"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// paced is a device of which only is known how many points it moves in a second.
type paced struct {
	tsne.Plain
	pace float64
}

func (p paced) Traits(int) tsne.Traits { return tsne.Traits{Pace: p.pace} }

// A map of very many points is made of as many as the engine lays out in ten seconds, a round number; of all where it
// lays out all; of a small sample where nobody knows. What is chosen goes before.
func TestTSNETakesAsManyPointsAsTheEngineLaysOut(t *testing.T) {
	const second = 100 // units that a point is moved in a second, of 1000 in ten
	run := ByID("tsne").Run
	for _, c := range []struct {
		points int
		pace   float64
		want   float64
	}{
		{50_000, 1, 0}, {100_000, 1e12, 0}, {3_000_000, 0, 20_000}, {3_000_000, 30_000 * second, 20_000},
		{3_000_000, 60_000 * second, 50_000}, {3_000_000, 110_000 * second, 100_000},
		{3_000_000, 700_000 * second, 500_000}, {3_000_000, 1e12, 1_000_000}, {120_000, 130_000 * second, 0},
		{120_000, 110_000 * second, 100_000}, {900_000, 1e12, 0},
	} {
		in := Inputs{Table: &transform.Table{X: matrix.Matrix32{Rows: c.points, Cols: 2}},
			Caps: engine.Caps{TSNE: paced{pace: c.pace}}}
		if got := run.Values(in, TSNE(2), run.Size(in, TSNE(2))).Get(tsnePoints); got != c.want {
			t.Errorf("%d points at a pace of %g: a map of %g, want %g", c.points, c.pace, got, c.want)
		}
		if got := run.Values(in, TSNE(2), step.Values{"points": 700}).Get(tsnePoints); got != 700 {
			t.Errorf("700 points were chosen, and %g are taken", got)
		}
	}
	in := Inputs{Table: &transform.Table{X: matrix.Matrix32{Rows: 3_000_000, Cols: 30}}, Memory: 400e6,
		Caps: engine.Caps{TSNE: paced{pace: 1e12}}}
	v := run.Values(in, TSNE(2), run.Size(in, TSNE(2)))
	if err := run.Check(in, TSNE(2), v); err != nil || v.Get(tsnePoints) < 50_000 {
		t.Errorf("in 400 MB a map of %g points: %v", v.Get(tsnePoints), err)
	}
}
