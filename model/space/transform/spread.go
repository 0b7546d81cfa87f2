package transform

import (
	"math"
	"slices"

	"blossom/model/data/dataset"
)

// Spread says how the values of a column are spread over the colours of a palette.
type Spread string

const (
	SpreadMap      Spread = ""         // as the transform of the column spreads them in the map
	SpreadLinear   Spread = "linear"   // as they are in the file
	SpreadLog      Spread = "log"      // log10; values at or below zero count as the smallest above it
	SpreadAsinh    Spread = "asinh"    // even around zero, logarithmic far from it
	SpreadQuantile Spread = "quantile" // by rank: each colour has the same number of points
)

// Spreads are all of them, that of the map first.
var Spreads = []Spread{SpreadMap, SpreadLinear, SpreadLog, SpreadAsinh, SpreadQuantile}

// Known says whether there is such a spread.
func (s Spread) Known() bool { return slices.Contains(Spreads, s) }

// Column is the setting by which a column becomes numbers to be coloured, where t is that of the map. Ranks are made
// of the values themselves. The cofactor of asinh is that of the map's transform where this is an asinh, else the
// median of the values without their signs, zeros left out, which parts the even half from the logarithmic one.
func (s Spread) Column(c *dataset.Column, t Column) Column {
	switch s {
	case SpreadLinear:
		return Column{Op: None, Weight: 1, Use: t.Use}
	case SpreadQuantile:
		if c.Exact != nil { // float32 would make ties of values that differ
			return t
		}
		return Column{Op: None, Weight: 1, Use: t.Use}
	case SpreadLog:
		return Column{Op: Log, Weight: 1, Use: t.Use}
	case SpreadAsinh:
		if t.Op == Asinh {
			return t
		}
		return Column{Op: Asinh, Params: Params{cofactor(c.Values)}, Weight: 1, Use: t.Use}
	}
	return t
}

// cofactorSample bounds the values that the cofactor of a column is taken from.
const cofactorSample = 20_000

// cofactor is the median of the absolute values that are finite and not 0, with two digits; 1 where there are none.
func cofactor(values []float32) float64 {
	step := max(1, (len(values)+cofactorSample-1)/cofactorSample)
	var list []float64
	for i := 0; i < len(values); i += step {
		if x := math.Abs(float64(values[i])); x > 0 && x-x == 0 {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return 1
	}
	slices.Sort(list)
	x := list[len(list)/2]
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	if rounded := math.Round(x/unit) * unit; rounded >= 1e-30 && rounded <= 1e30 {
		return rounded
	}
	return min(max(x, 1e-30), 1e30)
}
