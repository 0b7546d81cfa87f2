package bench

import (
	"context"
	"math"
	"testing"

	_ "blossom/gpu/cpu"
)

// Every method gives a row of each map and number of threads, with numbers that can be.
func TestUnits(t *testing.T) {
	rows := told[Unit](t, Values{"engine": "cpu"}, func(ctx context.Context, r *Run) error {
		return unitsOf(ctx, r, []unitsShape{{200, 5}}, false)
	})
	if len(rows) != 10 { // exact, tree and field in 2D, exact and tree in 3D; one thread and all
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r.Bench != "tsne" || r.Engine != "cpu" || r.N != 200 || r.D != 5 || !(r.Least > 0 && r.Least <= r.Ms) ||
			!(r.Repulsion < 0.2) || !(r.Z < 0.02) || !(r.KL > 0 && r.KL < 2) || len(r.Steps) < 3 || r.Sklearn != 0 ||
			(r.Plain > 0) != (r.Threads == 1) {
			t.Errorf("%+v", r)
		}
	}
}

// A plain walk that opens every node is all pairs.
func TestPlainWalk(t *testing.T) {
	y := []float64{0, 0, 1, 0, 0, 2, 5, 5, 5, 5}
	w := walker{y: y, dims: 2}
	w.grow([]int32{0, 1, 2, 3, 4}, 0)
	w.at(y[:2])
	if want := 1 + 1./2 + 1./5 + 2./51; math.Abs(w.sum[3]-want) > 1e-12 {
		t.Errorf("the sum of w is %g, want %g", w.sum[3], want)
	}
}
