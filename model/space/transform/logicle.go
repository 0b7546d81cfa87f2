package transform

import (
	"fmt"
	"math"
	"slices"

	"blossom/model/base/step"
)

// Logicle is the scale of flow cytometry that is even around zero and logarithmic far from it (Parks, Roederer and
// Moore, Cytometry A 69, 2006), with the parameters of its update (Moore and Parks, Cytometry A 81, 2012): T, the value
// at the top; W, the width of the even part; M, the decades from the top to where a logarithmic scale would end; A,
// further decades below zero. A transformed value is in decades, M + A at the top and A + W at zero, as flowCore has
// it; Gating-ML has it divided by M + A.
const Logicle ID = "logicle"

// Where a column has no negative values it is taken for one of this width; and one that comes from the column is never
// 0, which would ask for it again.
const (
	logicleWidth  = 0.5
	logicleLeast  = 0.001
	logicleSample = 100_000 // values that the width is taken from, at most about
)

// The numbers of logicle among its Params.
const (
	logicleT = iota
	logicleW
	logicleM
	logicleA
)

func init() {
	Register(Op{
		ID: Logicle, Aliases: []string{"biexponential"}, Title: "Logicle", Order: 4,
		Help: "Even around zero and logarithmic far from it, for compensated cytometry: the even part is as wide as " +
			"the negative values of the column ask for.",
		Params: []Param{
			{Param: step.Param{ID: "top", Title: "Top", Max: 1e30, Help: "T: the value at the top of the scale. " +
				"auto: the largest of the column."}, Typed: true, Auto: true},
			{Param: step.Param{ID: "width", Title: "Width", Max: 2, Help: "W: half of the even part, in decades. " +
				"Raising it hides noise around zero. auto: so that the 5th percentile of the negative values lies " +
				"at its lower end, 0.5 without any."}, Auto: true},
			{Param: step.Param{ID: "decades", Title: "Decades", Min: 2, Max: 8, Default: 4.5,
				Help: "M: how many decades a logarithmic scale of this length would have."}, Seldom: true},
			{Param: step.Param{ID: "below", Title: "Below zero", Min: -1, Max: 4,
				Help: "A: further decades below zero. It moves all values by as much."}, Seldom: true},
		},
		Wrong:    logicleWrong,
		Text:     func(Params) string { return "logicle" },
		Resolve:  logicleResolve,
		Curve:    logicleCurve,
		Standard: logicleStandard,
	})
}

// logicleWrong holds numbers to T > 0, 0 < M, 0 <= W <= M/2 and -W <= A <= M - 2W; T and W may be 0, for those of the
// column.
func logicleWrong(p Params) string {
	t, w, m, a := p[logicleT], p[logicleW], p[logicleM], p[logicleA]
	least := -w
	if w == 0 {
		least = -m / 2
	}
	switch {
	case t != 0 && !(t >= 1e-30 && t <= 1e30):
		return fmt.Sprintf("the top of logicle must be above 0, it is %g", t)
	case !(m >= 0.1 && m <= 20):
		return fmt.Sprintf("the decades of logicle must be between 0.1 and 20, they are %g", m)
	case !(w >= 0 && w <= m/2):
		return fmt.Sprintf("the width of logicle must be between 0 and half of its %g decades, it is %g", m, w)
	case !(a >= least && a <= m-2*w):
		return fmt.Sprintf("the decades of logicle below zero must be between %g and %g, they are %g", least, m-2*w, a)
	}
	return ""
}

// logicleResolve takes the top and the width from a column: its largest value, and the width at whose lower end a
// twentieth of its negative values lie further out, W = (M - log10(T / |r|)) / 2.
func logicleResolve(p Params, values []float32) Params {
	if p[logicleT] == 0 {
		for _, x := range values {
			if x <= math.MaxFloat32 {
				p[logicleT] = max(p[logicleT], float64(x))
			}
		}
		if p[logicleT] = min(p[logicleT], 1e30); p[logicleT] < 1e-30 {
			p[logicleT] = 1
		}
	}
	if p[logicleW] != 0 {
		return p
	}
	w := logicleWidth
	if r := farNegative(values); r < 0 {
		w = (p[logicleM] - math.Log10(p[logicleT]/-r)) / 2
	}
	least := max(logicleLeast, -p[logicleA])
	p[logicleW] = max(least, min(w, p[logicleM]/2, (p[logicleM]-p[logicleA])/2))
	return p
}

// farNegative returns the 5th percentile of the negative values, 0 if there are none.
func farNegative(values []float32) float64 {
	var below []float32
	for i, every := 0, len(values)/logicleSample+1; i < len(values); i += every {
		if x := values[i]; x < 0 && x >= -math.MaxFloat32 {
			below = append(below, x)
		}
	}
	if len(below) == 0 {
		return 0
	}
	slices.Sort(below)
	return float64(below[(len(below)-1)/20])
}

// logicleCurve is the scale in decades v from zero. With the growth b per decade = ln 10 and that of the other
// exponential r b, the biexponential whose second derivative is 0 at zero is
//
//	x(v) = p (10^v - 1 - (10^(-r v) - 1) / r²),  ln r = -W ln 10 (1 + r) / 2,
//
// p being such that x(M - W) = T; negative values are those of -v. A only says where zero lies.
func logicleCurve(params Params) Curve {
	w, m := params[logicleW], params[logicleM]
	zero := w + params[logicleA]
	r := logicleRatio(w)
	unscaled := func(v float64) (x, slope float64) { // at v >= 0, in units of p
		up, down := expm1(v*math.Ln10), expm1(-r*v*math.Ln10)
		return up - down/(r*r), math.Ln10 * (up + 1 + (down+1)/r)
	}
	top, _ := unscaled(m - w)
	p := params[logicleT] / top
	_, slope := unscaled(0)
	return Curve{
		Forward: func(x float64) float64 {
			if x-x != 0 {
				return x
			}
			size := math.Abs(x) / p
			if size > 1e150 { // one of both exponentials is left, which would overflow
				return zero + math.Copysign(math.Log10(math.Abs(x))-math.Log10(p), x)
			}
			// x(v) is convex, so that its tangent at zero reaches size behind v; so does 10^v - 1, which it exceeds.
			v := descend(min(size/slope, math.Log1p(size)/math.Ln10), func(v float64) (float64, float64) {
				y, slope := unscaled(v)
				return y - size, slope
			})
			return zero + math.Copysign(v, x)
		},
		Inverse: func(y float64) float64 {
			x, _ := unscaled(math.Abs(y - zero))
			return math.Copysign(p*x, y-zero)
		},
	}
}

// expm1 is e^x - 1, several times faster than math.Expm1 where that gains next to nothing.
func expm1(x float64) float64 {
	if math.Abs(x) < 0.4 {
		return math.Expm1(x)
	}
	return math.Exp(x) - 1
}

// logicleRatio solves ln r = -W ln 10 (1 + r) / 2 for r in (0, 1].
func logicleRatio(w float64) float64 {
	k := w * math.Ln10 / 2
	return math.Exp(descend(0, func(s float64) (float64, float64) {
		e := math.Exp(s)
		return s + k*(1+e), 1 + k*e
	}))
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

// logicleStandard is the scale in Gating-ML, where it has the same parameters and goes from 0 to 1.
func logicleStandard(p Params) Standard {
	length := p[logicleM] + p[logicleA]
	return Standard{
		Name: "logicle",
		Numbers: []Number{{"T", p[logicleT]}, {"W", p[logicleW]}, {"M", p[logicleM]},
			{"A", p[logicleA]}},
		Place: func(y float64) float64 { return y / length },
	}
}
