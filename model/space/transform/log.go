package transform

import (
	"fmt"
	"math"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// Log is log10(max(x, floor)); the floor is the smallest positive value of the column by default. +Inf stays
// +Inf, and -Inf is not a small value but an invalid one and stays -Inf.
const Log ID = "log"

func init() {
	Register(Op{
		ID: Log, Aliases: []string{"log10"}, Title: "Log", Order: 5,
		Help: "log10, for counts; values at or below zero count as the smallest above it.",
		Params: []Param{{Param: step.Param{ID: "floor", Title: "Floor", Min: 0, Max: 1e30,
			Help: "Values below it count as this one. auto: the smallest value above zero."}, Typed: true, Auto: true}},
		Wrong: func(p Params) string {
			if !(p[0] >= 0) || p[0]-p[0] != 0 {
				return fmt.Sprintf("the floor of log must be above 0, it is %g", p[0])
			}
			return ""
		},
		Text: func(Params) string { return "log10" },
		Resolve: func(p Params, c *dataset.Column) Params {
			if p[0] == 0 {
				p[0] = smallestPositive(c.Values)
			}
			return p
		},
		Curve: func(p Params) Curve {
			floor := p[0]
			forward := func(x float64) float64 {
				if math.IsInf(x, -1) {
					return x
				}
				return math.Log10(math.Max(x, floor)) // Max keeps NaN
			}
			return Curve{
				Forward: forward,
				Inverse: func(y float64) float64 { return math.Max(math.Pow(10, y), floor) },
				Block: func(v []float32) {
					for i, x := range v {
						v[i] = float32(forward(float64(x)))
					}
				},
			}
		},
		Standard: func(Params) Standard { // flog(x) is log10(x / T) / M + 1, without a floor
			return Logarithms(1, 1, func(y float64) float64 { return y + 1 })
		},
	})
}
