package transform

import "blossom/model/data/dataset"

// Logicle is the scale of flow cytometry that is even around zero and logarithmic far from it (Parks, Roederer and
// Moore, Cytometry A 69, 2006), with the parameters of its update (Moore and Parks, Cytometry A 81, 2012): T, the value
// at the top; W, the width of the even part; M, the decades from the top to where a logarithmic scale would end; A,
// further decades below zero. A transformed value is 0 at zero and (M - W) ln 10 at the top, so that one unit is a
// factor of e far from zero, as it is of asinh; Gating-ML has zero at (A + W)/(M + A) and the top at 1.
const Logicle ID = "logicle"

func init() {
	Register(Op{
		ID: Logicle, Aliases: []string{"biexponential", "logicle-e"}, Title: "Logicle", Order: 4,
		Files: []string{"logicle-e"}, // there, "logicle" is LogicleDecades
		Help: "Even around zero and logarithmic far from it, for compensated cytometry: the even part is as wide as " +
			"the negative values of the column ask for.",
		Params: []Param{topParam(),
			widthParam("W: half of the even part, in decades. Raising it hides noise around zero. auto: so that the " +
				"5th percentile of the negative values lies at its lower end, 0 without any."),
			decadesParam(), belowParam(-1)},
		Wrong: func(p Params) string { return wrongEven("logicle", p, false) },
		Text:  func(Params) string { return "logicle" },
		Resolve: func(p Params, c *dataset.Column) Params {
			if p[scaleT] = topOf(p[scaleT], c); p[scaleW] == autoWidth {
				p[scaleW] = widthOf(p, c, 0)
			}
			return p
		},
		Curve:   func(p Params) Curve { return biexponential(p).curve() },
		Lengths: 1,
		Standard: func(p Params) Standard {
			return standardEven("logicle", p, (p[scaleA]+p[scaleW])/(p[scaleM]+p[scaleA]), numbersTWMA(p)...)
		},
	})
}
