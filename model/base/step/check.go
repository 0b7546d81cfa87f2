package step

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"blossom/model/base/problem"
)

// CheckValues says which of the values of parameters is unknown or cannot be. It reads them in one order.
func CheckValues(params []Param, v Values) error {
	for _, id := range slices.Sorted(maps.Keys(v)) {
		at := slices.IndexFunc(params, func(p Param) bool { return p.ID == id })
		if at < 0 {
			var known []string
			for i := range params {
				known = append(known, params[i].ID)
			}
			return problem.New("", "use "+problem.OneOf(known...), "it has no parameter %.60q", id)
		}
		p, x := params[at], v[id]
		if len(p.Choices) > 0 {
			p.Min, p.Max, p.Integer = 0, float64(len(p.Choices)-1), true
		}
		switch {
		case math.IsNaN(x) || p.Clamp(x) != x:
			return problem.New("", fmt.Sprintf("use %g to %g", p.Min, p.Max), "%s %g is not possible", id, x)
		case p.Integer && x != math.Trunc(x):
			return problem.New("", "use a whole number", "%s %g is not possible", id, x)
		}
	}
	return nil
}
