package transform

import (
	"fmt"
	"math"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// Flog is the logarithm by the parameters of Gating-ML 2.0: T, the value at the top, and M, the decades of the scale.
// In the map it is the natural logarithm of x / (T 10^-M), so that one unit means the same as of asinh. Values at or
// below zero count as the floor, the smallest positive value of the column by default; in a gate of Gating-ML they lie
// below everything.
const Flog ID = "flog"

func init() {
	Register(Op{
		ID: Flog, Title: "Log by decades", Order: 8,
		Help: "The logarithm as Gating-ML writes it, M decades up to T; values at or below zero count as the " +
			"smallest " +
			"above it.",
		Params: []Param{topParam(), decadesParam(),
			{Param: step.Param{ID: "floor", Title: "Floor", Max: 1e30,
				Help: "Values below it count as this one. auto: the smallest value above zero."}, Typed: true,
				Auto: true}},
		Wrong: func(p Params) string {
			if why := wrongTop("flog", p[0], p[1]); why != "" {
				return why
			}
			if !(p[2] >= 0) || p[2]-p[2] != 0 {
				return fmt.Sprintf("the floor of flog must be above 0, it is %g", p[2])
			}
			return ""
		},
		Text: func(Params) string { return "log" },
		Resolve: func(p Params, c *dataset.Column) Params {
			if p[0] = topOf(p[0], c); p[2] == 0 {
				p[2] = smallestPositive(c.Values)
			}
			return p
		},
		Curve: func(p Params) Curve {
			shift, floor := p[1]*math.Ln10-math.Log(p[0]), p[2]
			forward := func(x float64) float64 {
				if math.IsInf(x, -1) {
					return x
				}
				return math.Log(math.Max(x, floor)) + shift // Max keeps NaN
			}
			return Curve{
				Forward: forward,
				Inverse: func(y float64) float64 { return math.Max(math.Exp(y-shift), floor) },
				Block: func(v []float32) {
					for i, x := range v {
						v[i] = float32(forward(float64(x)))
					}
				},
			}
		},
		Lengths: 1,
		Standard: func(p Params) Standard {
			s := Logarithms(p[0], p[1], func(u float64) float64 { return u / (p[1] * math.Ln10) })
			s.Gate = func(x float64) float64 {
				if x <= 0 {
					return math.Inf(-1)
				}
				return math.Log10(x/p[0])/p[1] + 1
			}
			return s
		},
	})
}
