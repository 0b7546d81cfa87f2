package umap

import "math"

// Kernel is 1/(1 + A x^(2B)), how near points at distance x on the map count as.
type Kernel struct{ A, B float64 }

// At how many places, up to how many spreads, a kernel is fitted, and in how many steps at most.
const (
	fitPlaces  = 300
	fitSpreads = 3
	fitRounds  = 200
	leastB     = 0.05
)

// Fit finds the kernel that is nearest to 1 up to the least distance and to exp(-(x - least) / spread) beyond it, by
// least squares: steps after Gauss and Newton, damped after Levenberg and Marquardt.
func Fit(least, spread float64) Kernel {
	la, b, damp := 0.3, 0.9, 1e-3
	// In units of the spread, in which a is spread^2b times as large, all spreads are alike.
	least /= spread
	sum, g, h := misfit(least, la, b)
	for range fitRounds {
		p, q := h[0]*(1+damp), h[2]*(1+damp)
		det := p*q - h[1]*h[1]
		da, db := (q*g[0]-h[1]*g[1])/det, (p*g[1]-h[1]*g[0])/det
		next, ng, nh := misfit(least, la-da, max(leastB, b-db))
		if next < sum {
			la, b = la-da, max(leastB, b-db)
			sum, g, h, damp = next, ng, nh, damp/3
			if math.Abs(da)+math.Abs(db) < 1e-12 {
				break
			}
		} else if damp *= 4; damp > 1e12 {
			break
		}
	}
	return Kernel{math.Exp(la) * math.Pow(spread, -2*b), b}
}

// misfit is the sum of squares, half its gradient by ln a and b, and the sums of products of the derivatives.
func misfit(least, la, b float64) (sum float64, g [2]float64, h [3]float64) {
	for i := range fitPlaces {
		x := fitSpreads * float64(i) / (fitPlaces - 1)
		want := 1.0
		if x >= least {
			want = math.Exp(least - x)
		}
		if x == 0 {
			sum += (1 - want) * (1 - want) // whatever a and b are
			continue
		}
		p := math.Exp(la) * math.Pow(x, 2*b)
		f := 1 / (1 + p)
		off := f - want
		ja, jb := -f*f*p, -f*f*p*2*math.Log(x)
		sum += off * off
		g[0] += ja * off
		g[1] += jb * off
		h[0] += ja * ja
		h[1] += ja * jb
		h[2] += jb * jb
	}
	return sum, g, h
}

// How near a point counts as on the spot of another, squared, and the bound of a force along an axis.
const (
	nearest = 1e-3
	clip    = 4
)

// Draw is the factor of r in the force of an edge at a squared distance; 0 where there is no direction.
func (k Kernel) Draw(s float64) float64 {
	if !(s > 0) {
		return 0
	}
	p := k.power(s)
	return -2 * k.B * p / s / (1 + p)
}

// Push is the factor of r in the force of a point drawn at random.
func (k Kernel) Push(s float64) float64 {
	return 2 * k.B / ((nearest + s) * (1 + k.power(s)))
}

// power is A s^B.
func (k Kernel) power(s float64) float64 { return k.A * math.Exp(k.B*math.Log(s)) }

// Clip bounds a force along an axis.
func Clip(v float64) float64 { return max(-clip, min(clip, v)) }
