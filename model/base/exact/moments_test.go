package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Moments are those of math/big, whatever the values, in any order and any tree of parts.
func TestMomentsAreThoseOfBigNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 2))
	for name, of := range mixtures {
		for range 20 {
			n := 2 + r.IntN(3000)
			x, sum, squares := draw(r, n, of)
			count := new(big.Float).SetPrec(2000).SetInt64(int64(n))
			mean, _ := new(big.Float).SetPrec(2000).Quo(sum, count).Float64()
			over := new(big.Float).SetPrec(2000).Mul(squares, count)
			over.Sub(over, new(big.Float).SetPrec(2000).Mul(sum, sum))
			over.Quo(over, new(big.Float).SetPrec(2000).Mul(count, big.NewFloat(float64(n-1))))
			variance, _ := over.Float64()
			with := append([]float32{}, x...)
			for range 5 {
				with = append(with, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)))
			}
			var first Moments
			for try := range 4 {
				var m Moments
				for from := 0; from < len(with); {
					to := min(len(with), from+1+r.IntN(len(with)))
					var part Moments
					part.Add(with[from:to])
					m.Merge(&part)
					from = to
				}
				if m.N != int64(n) || m.Mean() != mean || m.Deviation() != math.Sqrt(variance) {
					t.Fatalf("%s: %d values, mean %g, deviation %g; want %d, %g, %g", name, m.N, m.Mean(),
						m.Deviation(), n, mean, math.Sqrt(variance))
				}
				if try == 0 {
					first = m
				} else if m != first {
					t.Fatalf("%s: other moments of another order", name)
				}
				r.Shuffle(len(with), func(i, j int) { with[i], with[j] = with[j], with[i] })
			}
		}
	}
	var none, same Moments
	same.Add([]float32{0.1, 0.1, 0.1, float32(math.NaN())})
	if none.Mean() != 0 || none.Deviation() != 0 || same.Mean() != float64(float32(0.1)) || same.Deviation() != 0 {
		t.Errorf("%g %g %g %g", none.Mean(), none.Deviation(), same.Mean(), same.Deviation())
	}
}

func BenchmarkMoments(b *testing.B) {
	x := make([]float32, 1<<16)
	for i := range x {
		x[i] = float32(max(0, rand.NormFloat64()*300))
	}
	b.SetBytes(int64(4 * len(x)))
	for b.Loop() {
		var m Moments
		m.Add(x)
	}
}
