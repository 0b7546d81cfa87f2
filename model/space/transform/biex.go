package transform

import (
	"fmt"
	"math"
	"sort"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// Biex is the scale of FlowJo 10 that it calls biexponential: a table of 4,097 places, straight between them, that
// ends at its ends. In the map a place k is (k - z) ln 10 D / 4097 with z that of zero, so that one unit is a factor of
// e at the top, as it is of asinh. Its maths is written from the formulas of its table; FlowJo's exported tables are
// met to 5e-6.
const Biex ID = "biex"

// The numbers of biex, and the places of its table.
const (
	biexWidth = iota
	biexNegative
	biexPositive
	biexTop
	biexPlaces = 4096
)

func init() {
	Register(Op{
		ID: Biex, Title: "FlowJo biex", Order: 10,
		Help: "The biexponential scale of FlowJo 10, with its numbers. Values beyond its ends count as these.",
		Params: []Param{
			{Param: step.Param{ID: "width", Title: "Width", Min: -1000, Max: -1, Default: -10,
				Help: "FlowJo's width basis, -1 to -1000: how far the even part reaches below zero."}, Typed: true},
			{Param: step.Param{ID: "negative", Title: "Negative decades", Max: 3,
				Help: "Further decades below zero."}},
			{Param: step.Param{ID: "positive", Title: "Positive decades", Min: 2, Max: 8, Default: 4.42,
				Help: "Decades above zero."}},
			topParam(),
		},
		Wrong: func(p Params) string {
			switch {
			case !(p[biexWidth] <= -1 && p[biexWidth] >= -1e6):
				return fmt.Sprintf("the width of biex must be -1000000 <= WIDTH <= -1, it is %g", p[biexWidth])
			case !(math.Abs(p[biexNegative]) <= 20): // FlowJo has some below 0, which count as 0
				return fmt.Sprintf("the negative decades of biex must be -20 <= NEG <= 20, they are %g",
					p[biexNegative])
			case !(p[biexPositive] >= 1 && p[biexPositive] <= 20):
				return fmt.Sprintf("the positive decades of biex must be 1 <= POS <= 20, they are %g", p[biexPositive])
			case math.Log10(-p[biexWidth])/2 > p[biexPositive]-0.5:
				return fmt.Sprintf("the width of biex leaves nothing of its %g positive decades, it is %g",
					p[biexPositive], p[biexWidth])
			}
			return wrongTop("biex", p[biexTop], 1)
		},
		Text: func(Params) string { return "biex" },
		Resolve: func(p Params, c *dataset.Column) Params {
			p[biexTop] = topOf(p[biexTop], c)
			return p
		},
		Curve: func(p Params) Curve {
			x, zero, decades := biexTable(p)
			unit := decades * math.Ln10 / (biexPlaces + 1)
			return Curve{
				Forward: func(v float64) float64 {
					if v-v != 0 {
						return v
					}
					return (biexPlace(x, v) - float64(zero)) * unit
				},
				Inverse: func(y float64) float64 {
					if y-y != 0 {
						return y
					}
					k := min(max(y/unit+float64(zero), 0), biexPlaces)
					i := min(int(k), biexPlaces-1)
					return x[i] + (x[i+1]-x[i])*(k-float64(i))
				},
			}
		},
	})
}

// biexPlace is the place of a value in a table of rising values.
func biexPlace(x []float64, v float64) float64 {
	i := sort.SearchFloat64s(x, v)
	switch {
	case i == 0:
		return 0
	case i == len(x):
		return float64(len(x) - 1)
	}
	return float64(i-1) + (v-x[i-1])/(x[i]-x[i-1])
}

// biexTable returns the value at each place, the place of zero, and the decades above it that the table is made with.
func biexTable(p Params) (x []float64, zero int, decades float64) {
	v := math.Log10(-p[biexWidth])
	decades = p[biexPositive] - v/2
	extra := max(p[biexNegative], 0) + v/2
	zero = int(min(math.Floor(extra*biexPlaces/(extra+decades)), biexPlaces/2))
	if zero > 0 {
		decades = extra * biexPlaces / float64(zero)
	}
	w, b := v/(2*decades), decades*math.Ln10
	k := w * b / 2
	n := b * math.Exp(descend(0, func(s float64) (float64, float64) { // 2 ln(n/b) + w (b+n) = 0
		e := math.Exp(s)
		return s + k*(1+e), 1 + k*e
	}))
	at := func(k int) float64 {
		share := float64(k) / (biexPlaces + 1)
		return math.Exp(b*share-b) - math.Exp((b+n)*(w+extra/decades)-n*share-b)
	}
	x = make([]float64, biexPlaces+1)
	for k := zero; k <= biexPlaces; k++ {
		x[k] = p[biexTop] * (at(k) - at(zero))
	}
	for k := range zero {
		x[k] = -x[2*zero-k]
	}
	return x, zero, decades
}
