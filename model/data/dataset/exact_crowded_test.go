package dataset

import (
	"math/rand/v2"
	"testing"
)

// A group of close values far from zero is held as float64, whatever lies beside it; ordinary columns are not.
func TestGroupsFarFromZeroAreHeldExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, f func(i int) float64) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(f(i))
		}
		return out
	}
	normal := rng.NormFloat64
	half := func(i int, far float64) float64 { return float64(i%2) * far }
	for name, c := range map[string]struct {
		values []float32
		want   bool
	}{
		"two groups, one at 1e8": {draw(400, func(i int) float64 { return normal() + half(i, 1e8) }), true},
		"two groups, one at 1e6": {draw(400, func(i int) float64 { return normal() + half(i, 1e6) }), true},
		"two groups at 1e8, 2e8": {draw(400, func(i int) float64 { return 1e8 + normal() + half(i, 1e8) }), true},
		"a twentieth far away":   {draw(4000, func(i int) float64 { return normal() + float64(i%20/19)*1e7 }), true},
		"normal":                 {draw(5000, func(int) float64 { return normal() }), false},
		"uniform, very many":     {draw(300_000, func(int) float64 { return rng.Float64() }), false},
		"fluorescence":           {draw(20_000, func(int) float64 { return rng.ExpFloat64() * 5000 }), false},
		"saturated":              {draw(5000, func(int) float64 { return min(9999, rng.ExpFloat64()*4000) }), false},
		"temperatures":           {draw(5000, func(int) float64 { return 36 + float64(rng.IntN(40))/10 }), false},
		"two groups nearby":      {draw(5000, func(i int) float64 { return normal() + half(i, 30) }), false},
		"zeros and few others":   {draw(5000, func(i int) float64 { return float64(i%50/49) * rng.Float64() }), false},
		"one outlier":            {append(draw(5000, func(int) float64 { return normal() }), 1e30), false},
		"one value":              {draw(500, func(int) float64 { return 0.1 }), false},
		"none":                   {nil, false},
	} {
		if got := crowded(c.values); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
