package embedsom

import (
	"math"
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
)

// adverse counts, of points whose two nearest landmarks are equally near and whose others are much further, those that
// are off by more than a thousandth of the map from the same formula in 300 bits. Distances are prescribed: the point
// is the origin, and each landmark lies on an axis of its own.
func adverse(t *testing.T, boost float64, points int) (off int, worst float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, 22))
	for range points {
		k := []int{3, 4, 6, 10, 16, 30, 64}[rng.IntN(7)]
		g := k + 2
		code, pos, x := matrix.New(g, g), matrix.New(g, 2), matrix.New(1, g)
		far := 1 + 4*rng.Float64()
		for i := range g {
			d := far * (1 + 0.3*rng.Float64()*rng.Float64())
			switch {
			case i < 2:
				d = 1 + 1e-3*rng.Float64()
			case i == 2:
				d = 1 + (far-1)*(0.8+0.2*rng.Float64())
			}
			code.Row(i)[i] = float32(d)
			pos.Row(i)[0], pos.Row(i)[1] = float32(10*rng.Float64()), float32(10*rng.Float64())
		}
		p := Params{K: k, Boost: float32(boost), Adjust: 0.2}
		got, err := Embed(t.Context(), x, code, pos, p)
		if err != nil {
			t.Fatal(err)
		}
		want := inManyBits(x.Row(0), code, pos, p)
		e := max(math.Abs(float64(got.Data[0])-want[0]), math.Abs(float64(got.Data[1])-want[1])) / 10
		if worst = max(worst, e); e > 1e-3 {
			off++
		}
	}
	return off, worst
}

// Nothing jumps up to the highest boost that is offered, even where points are made to.
func TestNoJumpsOfAdversePoints(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	for _, b := range []float64{14, 17, MaxBoost} {
		if off, worst := adverse(t, b, 250); off > 0 {
			t.Errorf("boost %g: %d points jump, by up to %.2g of the map", b, off, worst)
		}
	}
}
