package transform

import (
	"math"
	"sync"
)

// even is a scale that is even around zero and logarithmic far from it, in natural logarithms u from zero: values at
// u >= 0 are size(u) times p, those below zero mirror them. In the map one unit of each such scale is a factor of e far
// from zero, as it is of asinh.
type even struct {
	p, t float64 // value of one unit of size; the value at the top
	// size returns the size at u >= 0 and its slope. It is convex, exceeds e^u - 1 and comes close to it far out.
	size func(u float64) (x, slope float64)
}

// evenTo is the even scale of a size whose value at u = top is t.
func evenTo(t, top float64, size func(u float64) (x, slope float64)) even {
	x, _ := size(top)
	return even{t / x, t, size}
}

// forward returns the place of a value; what is no finite number stays what it is.
func (e even) forward(x float64) float64 {
	if x-x != 0 {
		return x
	}
	size := math.Abs(x) / e.p
	if size > 1e150 { // one exponential is left, which would overflow
		return math.Copysign(math.Log(math.Abs(x))-math.Log(e.p), x)
	}
	// The tangent at zero reaches size behind u; so does e^u - 1, which size exceeds.
	_, slope := e.size(0)
	u := descend(min(size/slope, math.Log1p(size)), func(u float64) (float64, float64) {
		y, slope := e.size(u)
		return y - size, slope
	})
	return math.Copysign(u, x)
}

// inverse returns the value at a place.
func (e even) inverse(u float64) float64 {
	if u-u != 0 {
		return u
	}
	x, _ := e.size(math.Abs(u))
	return math.Copysign(e.p*x, u)
}

// curve is the scale with a fast way for many values.
func (e even) curve() Curve {
	fast := sync.OnceValue(e.pieces)
	return Curve{Forward: e.forward, Inverse: e.inverse, Block: func(v []float32) {
		f := fast()
		for i, x := range v {
			v[i] = float32(f.at(float64(x)))
		}
	}}
}

// pieces is an even scale as cubic pieces over asinh(x slope), slope being its own at zero: there it is all but
// straight, so that few of them are within 3e-13.
type pieces struct {
	even
	slope float64 // du/dx at zero
	each  float64 // pieces of a unit of asinh
	knots []knot
}

// knot is the place at the beginning of a piece, and its slope over the length of the piece.
type knot struct{ u, slope float64 }

const (
	pieceCount = 2048
	pieceReach = 2     // they reach to this many times the top; beyond, a value is worked out exactly
	pieceError = 1e-10 // numbers of which pieces are further away are worked out exactly
)

// pieces cuts the scale up.
func (e even) pieces() *pieces {
	_, s := e.size(0)
	f := &pieces{even: e, slope: 1 / (e.p * s), knots: make([]knot, pieceCount+1)}
	f.each = pieceCount / asinh(pieceReach*e.t*f.slope)
	for i := range f.knots {
		at := float64(i) / f.each
		x := math.Sinh(at) / f.slope
		u := e.forward(x)
		_, rise := e.size(u)
		f.knots[i] = knot{u, math.Cosh(at) / f.slope / (e.p * rise) / f.each}
	}
	for i := range pieceCount { // in the middle a piece is the furthest away
		x := math.Sinh((float64(i)+0.5)/f.each) / f.slope
		if want := e.forward(x); math.Abs(f.at(x)-want) > pieceError*max(1, want) {
			f.each = math.Inf(1) // all values are worked out exactly
			break
		}
	}
	return f
}

// at is the place of a value.
func (f *pieces) at(x float64) float64 {
	s := asinh(math.Abs(x)*f.slope) * f.each
	if !(s < pieceCount) { // NaN too
		return f.forward(x)
	}
	i := int(s)
	a, b, t := f.knots[i], f.knots[i+1], s-float64(i)
	rise := b.u - a.u
	u := a.u + t*(a.slope+t*(3*rise-2*a.slope-b.slope+t*(a.slope+b.slope-2*rise)))
	return math.Copysign(u, x)
}
