package train

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactly is exp(-q) by its series, with more digits than float64 has.
func exactly(q float64) *big.Float {
	const digits = 200
	sum, term := big.NewFloat(1).SetPrec(digits), big.NewFloat(1).SetPrec(digits)
	for n := 1; n < 150; n++ {
		term.Mul(term, big.NewFloat(q).SetPrec(digits))
		term.Quo(term, big.NewFloat(float64(n)).SetPrec(digits))
		sum.Add(sum, term)
	}
	return sum.Quo(big.NewFloat(1).SetPrec(digits), sum)
}

// The neighbourhood is right to the last digits, also where its argument is near a multiple of ln 2 / 2.
func TestTheNeighbourhoodIsAnExponential(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	at := []float64{0, 0x1p-1074, 1e-300, 1e-17, 1, math.Nextafter(Reach, 0)}
	for k := range 58 {
		half := float64(k) * math.Ln2 / 2
		at = append(at, half, math.Nextafter(half, 0), math.Nextafter(half, 99))
	}
	for range 3000 {
		at = append(at, Reach*r.Float64())
	}
	for _, q := range at {
		if q < 0 || q >= Reach {
			continue
		}
		want := exactly(q)
		off := new(big.Float).Sub(want, big.NewFloat(decline(q)))
		share, _ := off.Quo(off, want).Float64()
		if math.Abs(share) > 0x1p-51 {
			t.Errorf("exp(-%v) is %v, off by %g", q, decline(q), share)
		}
	}
}

func BenchmarkDecline(b *testing.B) {
	s := 0.0
	for i := 0; b.Loop(); i++ {
		s += decline(float64(i&1023) * (19.0 / 1024))
	}
	b.ReportMetric(s, "sum")
}
