package transform

import "math"

// asinh is several times faster than math.Asinh, and good to 1e-13 relative.
func asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0.02: // the series; the logarithm would lose digits
		q := x * x
		return x * (1 - q*(1.0/6-q*(3.0/40-q*(5.0/112-q*35.0/1152))))
	case a > 1e150: // a*a would overflow
		return math.Copysign(math.Log(a)+math.Ln2, x)
	}
	return math.Copysign(math.Log(a+math.Sqrt(a*a+1)), x)
}

// expm1 is e^x - 1, several times faster than math.Expm1 where that gains next to nothing.
func expm1(x float64) float64 {
	if math.Abs(x) < 0.4 {
		return math.Expm1(x)
	}
	return math.Exp(x) - 1
}

// descend returns the root of a rising convex function by Newton's method from a place at or above it. From there
// every step falls and none passes the root, until rounding ends it.
func descend(x float64, f func(x float64) (y, slope float64)) float64 {
	for {
		y, slope := f(x)
		next := x - y/slope
		if !(x-next > 1e-8*math.Abs(x)) { // a further step would be about the square of this one
			return min(x, next)
		}
		x = next
	}
}

// smallestPositive returns the smallest positive finite value of v, 1 if there is none.
func smallestPositive(v []float32) float64 {
	low := float32(math.Inf(1))
	for _, x := range v {
		if x > 0 && x < low {
			low = x
		}
	}
	if low > math.MaxFloat32 {
		return 1
	}
	return float64(low)
}
