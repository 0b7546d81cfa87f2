package tsne

import (
	"math"
	"testing"
)

// The field that is interpolated is that of all pairs, as near as the tree's and nearer, wherever a point may be.
func TestFrozenField(t *testing.T) {
	y := make([]float64, 2*4000)
	Jitter(y, 1, 1, 15)
	for i := range 300 {
		copy(y[2*i:2*i+2], y[:2]) // on a spot
	}
	for i := range 500 { // a dense group, far away
		y[2*(i+300)] = 1e5 + y[2*(i+300)]/30
	}
	f := &frozenField{tree: newMeanTree(y, 2)}
	var seen seenTile
	var got, want []float64
	var offPhi, most float64
	for i := range 100 {
		at := [3]float64{y[80*i] + 0.3, y[80*i+1] - 0.1}
		r, phi := pairs(y, 2, 0, 4000, at)
		g, p, ok := f.at(at, &seen)
		if !ok {
			t.Fatalf("the lattice does not reach %v", at)
		}
		want, got = append(want, r[0]/phi, r[1]/phi), append(got, g[0]/p, g[1]/p)
		offPhi, most = max(offPhi, math.Abs(p/phi-1)), max(most, math.Hypot(g[0]/p-r[0]/phi, g[1]/p-r[1]/phi))
	}
	if off := apart(got, want); off > 0.004 || offPhi > 0.003 || most > 0.01 {
		t.Errorf("the force is off by %g, by %g at most, phi by %g", off, most, offPhi)
	}
	if _, _, ok := f.at([3]float64{1e9, 0}, &seen); ok {
		t.Error("a place beyond all maps is on the lattice")
	}
	if _, _, ok := f.at([3]float64{math.NaN(), 0}, &seen); ok {
		t.Error("no place is on the lattice")
	}
	sum := 0.0
	for i := range 11 { // they reproduce polynomials
		x := float64(i) / 10
		sum = 0
		for k, w := range taps(x) {
			sum += w * math.Pow(float64(k-2), 5)
		}
		if math.Abs(sum-math.Pow(x, 5)) > 1e-12 {
			t.Errorf("x^5 is %g at %g", sum, x)
		}
	}
}
