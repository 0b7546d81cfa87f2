package transform

import (
	"math"

	"blossom/model/data/dataset"
)

// Hyperlog is the scale of Bagwell (Cytometry A 64, 2005) as Gating-ML 2.0 has it: the sum of an exponential and a
// straight line. Its parameters and its unit in the map are those of Logicle.
const Hyperlog ID = "hyperlog"

// A column without negative values has an even part all the same: its width is above 0.
const (
	hyperlogWidth = 0.5
	hyperlogLeast = 0.01
)

func init() {
	Register(Op{
		ID: Hyperlog, Title: "Hyperlog", Order: 6,
		Help: "Even around zero and logarithmic far from it, like logicle, with a straight part that never ends.",
		Params: []Param{topParam(),
			widthParam("W: half of the even part, in decades. Raising it hides noise around zero. auto: so that the " +
				"5th percentile of the negative values lies at its lower end, 0.5 without any."),
			decadesParam(), belowParam(-1)},
		Wrong: func(p Params) string { return wrongEven("hyperlog", p, true) },
		Text:  func(Params) string { return "hyperlog" },
		Resolve: func(p Params, c *dataset.Column) Params {
			if p[scaleT] = topOf(p[scaleT], c); p[scaleW] == autoWidth {
				p[scaleW] = max(hyperlogLeast, widthOf(p, c, hyperlogWidth))
			}
			return p
		},
		Curve:   func(p Params) Curve { return hyperlog(p).curve() },
		Lengths: 1,
		Standard: func(p Params) Standard {
			return standardEven("hyperlog", p, (p[scaleA]+p[scaleW])/(p[scaleM]+p[scaleA]), numbersTWMA(p)...)
		},
	})
}

// hyperlog is, in natural logarithms u from zero, x(u) = p (e^u - 1 + k u) with k = e^(W ln 10) / (W ln 10), p being
// such that x((M - W) ln 10) = T: the function of Gating-ML, a e^(by) + C a y - F a, written from its zero.
func hyperlog(p Params) even {
	w := p[scaleW] * math.Ln10
	k := math.Exp(w) / w
	return evenTo(p[scaleT], (p[scaleM]-p[scaleW])*math.Ln10, func(u float64) (x, slope float64) {
		up := expm1(u)
		return up + k*u, up + 1 + k
	})
}
