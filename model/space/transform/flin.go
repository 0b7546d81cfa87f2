package transform

import (
	"fmt"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// Flin is the straight scale of Gating-ML 2.0: (x + A) / (T + A), 1 at the top T.
const Flin ID = "flin"

func init() {
	Register(Op{
		ID: Flin, Title: "Linear to 1", Order: 9,
		Help: "(x + A) / (T + A), as Gating-ML writes a straight scale: 0 at -A, 1 at the top.",
		Params: []Param{topParam(),
			{Param: step.Param{ID: "below", Title: "Below zero", Max: 1e30,
				Help: "A: the scale begins at -A."}, Typed: true}},
		Wrong: func(p Params) string {
			if why := wrongTop("flin", p[0], 1); why != "" {
				return why
			}
			if !(p[1] >= 0 && (p[0] == 0 && p[1] <= 1e30 || p[1] <= p[0])) {
				return fmt.Sprintf("the beginning A of flin must be 0 <= A <= T, it is %g", p[1])
			}
			return ""
		},
		Resolve: func(p Params, c *dataset.Column) Params {
			p[0] = max(topOf(p[0], c), p[1])
			return p
		},
		Curve: func(p Params) Curve {
			t, a := p[0], p[1]
			return Curve{
				Forward: func(x float64) float64 { return (x + a) / (t + a) },
				Inverse: func(y float64) float64 { return y*(t+a) - a },
				Block: func(v []float32) {
					for i, x := range v {
						v[i] = float32((float64(x) + a) / (t + a))
					}
				},
			}
		},
		Lengths: 2,
		Standard: func(p Params) Standard {
			return Standard{Name: "flin", Numbers: []Number{{"T", p[0]}, {"A", p[1]}}, Lengths: 2,
				Place: func(y float64) float64 { return y }}
		},
	})
}
