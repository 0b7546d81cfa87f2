package transform

import (
	"fmt"
	"math"

	"blossom/model/base/step"
)

// Linear is factor*x + offset.
const Linear ID = "linear"

func init() {
	Register(Op{
		ID: Linear, Title: "Linear", Order: 2,
		Help: "a·x + b, to calibrate.",
		Params: []Param{
			{Param: step.Param{ID: "factor", Title: "Factor", Min: -1e9, Max: 1e9, Default: 1, Help: "a in a·x + b"},
				Typed: true},
			{Param: step.Param{ID: "offset", Title: "Offset", Min: -1e12, Max: 1e12, Help: "b in a·x + b"},
				Typed: true},
		},
		Wrong: func(p Params) string {
			a, b := p[0], p[1]
			switch {
			case a-a != 0 || b-b != 0:
				return fmt.Sprintf("linear needs finite numbers, it has %g and %g", a, b)
			case a == 0:
				return "linear with factor 0 makes the column constant"
			}
			return ""
		},
		Text: func(p Params) string {
			text := "linear"
			switch a := math.Abs(p[0]); {
			case p[0] == 1:
			case a < 1:
				text += fmt.Sprintf("/%.4g", 1/p[0])
			default:
				text += fmt.Sprintf("·%.4g", p[0])
			}
			if p[1] != 0 {
				text += fmt.Sprintf("%+.4g", p[1])
			}
			return text
		},
		Curve: func(p Params) Curve {
			a, b := p[0], p[1]
			return Curve{
				Forward: func(x float64) float64 { return a*x + b },
				Inverse: func(y float64) float64 { return (y - b) / a },
				Block: func(v []float32) {
					for i, x := range v {
						v[i] = float32(a*float64(x) + b)
					}
				},
			}
		},
		Standard: func(p Params) Standard { // a line that is straight on it is so in raw values
			return Standard{Place: func(y float64) float64 { return (y - p[1]) / p[0] }}
		},
	})
}
