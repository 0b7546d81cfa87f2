package ui

import (
	"math"

	"blossom/model/base/step"
	"blossom/model/space/transform"
)

func init() {
	if !oneFile {
		return
	}
	transform.Register(transform.Op{ID: "cbrt", Title: "Cube root", Order: 90, Help: "Cube roots, times a gain.",
		Params: []transform.Param{{Param: step.Param{ID: "gain", Title: "Gain", Min: 0.1, Max: 10, Default: 1,
			Help: "Times so much."}}},
		Wrong: func(p transform.Params) string {
			if !(p[0] > 0) {
				return "the gain of cbrt must be positive"
			}
			return ""
		},
		Curve: func(p transform.Params) transform.Curve {
			return transform.Curve{Forward: func(x float64) float64 { return p[0] * math.Cbrt(x) },
				Inverse: func(y float64) float64 { return math.Pow(y/p[0], 3) }}
		}})
}
