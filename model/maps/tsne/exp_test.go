package tsne

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Weights are those of the library to some units of the last place, from 1 to nothing, and so are their sums.
func TestWeightsAreExponentials(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 3000 {
		d := []float64{0, r.Float64(), 700 * r.Float64(), math.Exp(20*r.Float64() - 10)}
		w, b := make([]float64, len(d)), math.Exp(4*r.Float64()-2)
		s, sd, sdd := weigh(d, b, w)
		var ws, wd, wdd float64
		for i, v := range d {
			want := math.Exp(-b * v)
			if b*v > 706 {
				want = 0
			}
			ws, wd, wdd = ws+want, wd+want*v, wdd+want*v*v
			if math.Abs(w[i]-want) > 1e-15*want {
				t.Fatalf("exp(-%g) is %g, want %g", b*v, w[i], want)
			}
		}
		if math.Abs(s-ws) > 1e-14*ws || math.Abs(sd-wd) > 1e-14*wd || math.Abs(sdd-wdd) > 1e-14*wdd {
			t.Fatalf("sums %g %g %g, want %g %g %g", s, sd, sdd, ws, wd, wdd)
		}
	}
}
