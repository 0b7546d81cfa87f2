package tsne

import "math"

// Exponentials here have the same bits on every processor and on cards (gpu/cuda/kernels/join.cu has the same):
// products are rounded before they are added to something.

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

// Roots are powers of two in steps of a 64th, as Conditional takes them: for devices that do the same.
func Roots() [64]float64 { return roots }

// weigh returns the sums of w, w d and w d^2 for w = exp(-b d), d >= 0, which it writes to w: by a table and a
// polynomial of degree 5, to 3 units of the last place; below 1e-307 it is 0.
func weigh(distances []float64, b float64, w []float64) (s, sd, sdd float64) {
	w = w[:len(distances)]
	for i, d := range distances {
		x := float64(b * d)
		if x > 706 {
			w[i] = 0
			continue
		}
		k := int(float64(x*(64/math.Ln2)) + 0.5)
		r := float64(float64(k)*ln2High) - x + float64(float64(k)*ln2Low) // -x = r - k ln2/64
		e := float64(roots[-k&63] * power(r) * math.Float64frombits(uint64(1023-(k+63)>>6)<<52))
		w[i] = e
		s += e
		e = float64(e * d)
		sd += e
		sdd += float64(e * d)
	}
	return s, sd, sdd
}

// power is exp(r) for r of no more than a 128th of ln 2.
func power(r float64) float64 {
	p := 1.0/24 + float64(r*(1.0/120))
	p = 1.0/6 + float64(r*p)
	p = 1.0/2 + float64(r*p)
	p = 1 + float64(r*p)
	return 1 + float64(r*p)
}

// exponential is exp(x), to 3 units of the last place.
func exponential(x float64) float64 {
	switch {
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	k := math.Floor(float64(x*(64/math.Ln2)) + 0.5)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	return math.Ldexp(roots[int(k)&63]*power(r), int(k)>>6)
}

// logarithm is ln(x), x > 0, to 3 units of the last place of it or of 1: k ln 2 + 2 artanh((m-1) / (m+1)).
func logarithm(x float64) float64 {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := (m - 1) / (m + 1)
	z, p := s*s, 1.0/23
	for _, c := range [...]float64{1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7,
		1.0 / 5, 1.0 / 3, 1} {
		p = float64(p*z) + c
	}
	return float64(float64(k)*math.Ln2) + float64(2*s*p)
}
