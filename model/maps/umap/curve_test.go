package umap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The memberships of a point's neighbours add up to log2 of the size of its neighbourhood.
func TestMembershipsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, k := range []int{3, 10, 15, 60} {
		d := make([]float64, k-1)
		for range 50 {
			for j := range d {
				d[j] = 5 + r.ExpFloat64()
			}
			slices.Sort(d)
			h, sum, last := Around(d, 1), 0.0, 1.0
			for _, v := range d {
				mu := h.Member(v)
				if mu > last || mu < 0 {
					t.Fatalf("%v have %+v", d, h)
				}
				sum, last = sum+mu, mu
			}
			if h.Member(d[0]) != 1 || math.Abs(sum-math.Log2(float64(k))) > 2e-5 {
				t.Fatalf("memberships in a neighbourhood of %d add up to %g", k, sum)
			}
		}
	}
}

// Forces are the slopes of the cross entropy.
func TestForcesAreSlopes(t *testing.T) {
	k := Fit(0.1, 1)
	w := func(d float64) float64 { return 1 / (1 + k.A*math.Pow(d, 2*k.B)) }
	for _, d := range []float64{0.3, 1, 2.5, 7} {
		const h = 1e-6
		draw := (math.Log(w(d+h)) - math.Log(w(d-h))) / (2 * h) // derivative of -(-ln w)
		if got := k.Draw(d*d) * d; math.Abs(got-draw) > 1e-6 {
			t.Errorf("at %g: drawn by %g, want %g", d, got, draw)
		}
		push := (math.Log(1-w(d+h)) - math.Log(1-w(d-h))) / (2 * h)
		if got := k.Push(d*d) * d; math.Abs(got/push-1) > 1.1*nearest/(d*d) {
			t.Errorf("at %g: pushed by %g, want %g", d, got, push)
		}
	}
}

// Neighbourhoods do not depend on the unit of the columns: as far as numbers go, members belong as much.
func TestNeighbourhoodsDoNotDependOnTheUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	for range 200 {
		d := make([]float64, 2+r.IntN(30))
		for i := range d {
			d[i] = math.Abs(r.NormFloat64()) + 0.1
		}
		slices.Sort(d)
		own := Around(d, 1)
		for _, unit := range []float64{1e-300, 1e-30, 1e-21, 1e21, 3e37, 1e300} {
			scaled := make([]float64, len(d))
			for i := range d {
				scaled[i] = unit * d[i]
			}
			h := Around(scaled, unit)
			for i := range d {
				if a, b := own.Member(d[i]), h.Member(scaled[i]); math.Abs(a-b) > 2e-5 {
					t.Fatalf("of %d in units of %g, member %d belongs by %g, not by %g", len(d), unit, i, b, a)
				}
			}
		}
	}
}
