package tsne

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Exponentials and logarithms are those of the library to some units of the last place, of it or of 1.
func TestExponentialsAndLogarithms(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 5000 {
		x := 1400*r.Float64() - 700
		if got, want := exponential(x), math.Exp(x); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("exp(%g) is %g, want %g", x, got, want)
		}
		for _, v := range []float64{math.Exp(x), 1 + 1e-3*x/700, 3e-308 * math.Exp(r.Float64()*30)} {
			if got, want := logarithm(v), math.Log(v); math.Abs(got-want) > 1e-15*max(1, math.Abs(want)) {
				t.Fatalf("ln(%g) is %g, want %g", v, got, want)
			}
		}
	}
}

func TestExponentialsBeyondNumbers(t *testing.T) {
	for x, want := range map[float64]float64{800: math.Inf(1), 1e300: math.Inf(1), -800: 0, -1e300: 0} {
		if got := exponential(x); got != want {
			t.Errorf("exp(%g) is %g", x, got)
		}
	}
	if got, want := exponential(-740), math.Exp(-740); math.Abs(got-want) > 1e-323 {
		t.Errorf("exp(-740) is %g, want %g", got, want)
	}
}

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
