package transform

import (
	"fmt"
	"math"

	"blossom/model/base/step"
)

// Asinh is asinh(x / cofactor).
const Asinh ID = "asinh"

func init() {
	Register(Op{
		ID: Asinh, Aliases: []string{"arcsinh"}, Title: "Asinh", Order: 3,
		Help: "asinh(x / cofactor), for cytometry: even around zero, logarithmic far from it.",
		Params: []Param{{Param: step.Param{ID: "cofactor", Title: "Cofactor", Min: 0.1, Max: 10000,
			Default: FluorescenceCofactor, Log: true,
			Help: "asinh(x / cofactor): values below the cofactor are shown evenly, those above on a log scale. " +
				"Raising it hides noise around zero. 150 suits fluorescence, 5 mass cytometry."}}},
		Wrong: func(p Params) string {
			if !(p[0] >= 1e-30 && p[0] <= 1e30) {
				return fmt.Sprintf("the cofactor of asinh must be above 0, it is %g", p[0])
			}
			return ""
		},
		Text: func(p Params) string { return fmt.Sprintf("asinh/%g", p[0]) },
		Curve: func(p Params) Curve {
			a := 1 / p[0]
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
		// fasinh(x) is asinh(x sinh(M ln 10) / T) / (M ln 10), for A = 0: M is how many decades it shows, on which
		// what is compared on it does not depend.
		Standard: func(p Params) Standard {
			const decades = 4.5
			return Standard{
				Name:    "fasinh",
				Lengths: 1,
				Numbers: []Number{{"T", p[0] * math.Sinh(decades*math.Ln10)}, {"M", decades}, {"A", 0}},
				Place:   func(y float64) float64 { return y / (decades * math.Ln10) },
			}
		},
	})
}
