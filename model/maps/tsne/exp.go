package tsne

import "math"

// A 64th of ln 2 in two parts: the first has so few bits that its multiples are exact.
const (
	ln2High = 0x1.62e42fefp-7
	ln2Low  = math.Ln2/64 - ln2High
)

// roots are powers of two in steps of a 64th.
var roots = rootsOfTwo()

func rootsOfTwo() (out [64]float64) {
	for i := range out {
		out[i] = math.Exp2(float64(i) / 64)
	}
	return out
}

// weigh returns the sums of w, w d and w d^2 for w = exp(-b d), d >= 0, which it writes to w: by a table and a
// polynomial of degree 5, to 3 units of the last place; below 1e-307 it is 0.
func weigh(distances []float64, b float64, w []float64) (s, sd, sdd float64) {
	w = w[:len(distances)]
	for i, d := range distances {
		x := b * d
		if x > 706 {
			w[i] = 0
			continue
		}
		k := int(x*(64/math.Ln2) + 0.5)
		r := float64(k)*ln2High - x + float64(k)*ln2Low // -x = r - k ln2/64
		p := 1 + r*(1+r*(1.0/2+r*(1.0/6+r*(1.0/24+r*(1.0/120)))))
		e := roots[-k&63] * p * math.Float64frombits(uint64(1023-(k+63)>>6)<<52)
		w[i] = e
		s += e
		sd += e * d
		sdd += e * d * d
	}
	return s, sd, sdd
}
