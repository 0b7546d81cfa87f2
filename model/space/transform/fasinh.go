package transform

import (
	"fmt"
	"math"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// Fasinh is asinh by the parameters of Gating-ML 2.0: T, the value at the top; M, the decades of the scale; A, further
// decades below zero. It is asinh of the cofactor T / sinh(M ln 10), in the map too.
const Fasinh ID = "fasinh"

func init() {
	Register(Op{
		ID: Fasinh, Title: "Asinh by decades", Order: 7,
		Help: "asinh as Gating-ML writes it: its cofactor is T / sinh(M ln 10).",
		Params: []Param{topParam(), decadesParam(),
			{Param: step.Param{ID: "below", Title: "Below zero", Max: 4,
				Help: "A: further decades below zero, of the scale that gates are exported on. The map does not " +
					"change."},
				Seldom: true}},
		Wrong: func(p Params) string {
			t, m, a := p[0], p[1], p[2]
			if why := wrongTop("fasinh", t, m); why != "" {
				return why
			}
			if !(a >= 0 && a <= m) {
				return fmt.Sprintf("the decades A of fasinh below zero must be 0 <= A <= %g, they are %g", m, a)
			}
			return ""
		},
		Text: func(p Params) string { return fmt.Sprintf("asinh/%.4g", p[0]/math.Sinh(p[1]*math.Ln10)) },
		Resolve: func(p Params, c *dataset.Column) Params {
			p[0] = topOf(p[0], c)
			return p
		},
		Curve: func(p Params) Curve {
			a := math.Sinh(p[1]*math.Ln10) / p[0]
			return Curve{
				Forward: func(x float64) float64 { return asinh(x * a) },
				Inverse: func(y float64) float64 { return math.Sinh(y) / a },
				Block: func(v []float32) {
					for i, x := range v {
						v[i] = float32(asinh(float64(x) * a))
					}
				},
			}
		},
		Lengths: 1,
		Standard: func(p Params) Standard {
			length := (p[1] + p[2]) * math.Ln10
			return Standard{Name: "fasinh", Lengths: 1,
				Numbers: []Number{{"T", p[0]}, {"M", p[1]}, {"A", p[2]}},
				Place:   func(u float64) float64 { return (u + p[2]*math.Ln10) / length }}
		},
	})
}
