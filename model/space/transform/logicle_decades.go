package transform

import (
	"math"
	"slices"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// LogicleDecades is what logicle was before one unit of it meant the same as of asinh: in decades, M + A at the top and
// A + W at zero. Its top is the largest value of the column by itself, its width 0.5 where there are no negative
// values, and 0 stands for a width of the column. Sessions, gates, jobs and landmarks of that day are on it: files call
// it by its old name, so that they keep their meaning and earlier versions read them.
const LogicleDecades ID = "logicle-decades"

const (
	decadesWidth  = 0.5
	decadesLeast  = 0.001
	decadesSample = 100_000 // values that the width is taken from, at most about
)

func init() {
	Register(Op{
		ID: LogicleDecades, Title: "Logicle in decades", Order: 40, Former: true,
		Files: []string{"logicle", "biexponential"},
		Help:  "Logicle as sessions of earlier versions have it: in decades, where others count in factors of e.",
		Params: []Param{
			{Param: step.Param{ID: "top", Title: "Top", Max: 1e30, Help: "T: the value at the top of the scale. " +
				"auto: the largest of the column."}, Typed: true, Auto: true},
			{Param: step.Param{ID: "width", Title: "Width", Max: 2, Help: "W: half of the even part, in decades. " +
				"auto: so that the 5th percentile of the negative values lies at its lower end, 0.5 without any."},
				Auto: true},
			decadesParam(),
			{Param: step.Param{ID: "below", Title: "Below zero", Min: -1, Max: 4,
				Help: "A: further decades below zero. It moves all values by as much."}, Seldom: true},
		},
		Wrong: func(p Params) string {
			if p[scaleW] == 0 {
				p[scaleW] = autoWidth
			}
			return wrongEven("logicle", p, false)
		},
		Text:    func(Params) string { return "logicle" },
		Resolve: decadesResolve,
		Curve: func(p Params) Curve {
			e, zero := biexponential(p), p[scaleW]+p[scaleA]
			return Curve{
				Forward: func(x float64) float64 {
					if x-x != 0 {
						return x
					}
					return zero + e.forward(x)/math.Ln10
				},
				Inverse: func(y float64) float64 { return e.inverse((y - zero) * math.Ln10) },
			}
		},
		Standard: func(p Params) Standard {
			length := p[scaleM] + p[scaleA]
			return Standard{Name: "logicle", Numbers: numbersTWMA(p), Lengths: 1,
				Place: func(y float64) float64 { return y / length }}
		},
	})
}

func decadesResolve(p Params, c *dataset.Column) Params {
	if p[scaleT] == 0 {
		for _, x := range c.Values {
			if x <= math.MaxFloat32 {
				p[scaleT] = max(p[scaleT], float64(x))
			}
		}
		if p[scaleT] = min(p[scaleT], 1e30); p[scaleT] < 1e-30 {
			p[scaleT] = 1
		}
	}
	if p[scaleW] != 0 {
		return p
	}
	w := decadesWidth
	if r := decadesNegative(c.Values); r < 0 {
		w = (p[scaleM] - math.Log10(p[scaleT]/-r)) / 2
	}
	least := max(decadesLeast, -p[scaleA])
	p[scaleW] = max(least, min(w, p[scaleM]/2, (p[scaleM]-p[scaleA])/2))
	return p
}

// decadesNegative returns the 5th percentile of the negative values, 0 if there are none.
func decadesNegative(values []float32) float64 {
	var below []float32
	for i, every := 0, len(values)/decadesSample+1; i < len(values); i += every {
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
