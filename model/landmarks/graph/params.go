package graph

import (
	"cmp"
	"slices"

	"blossom/model/base/step"
)

// Neighbours is the parameter of kinds that join a landmark to those nearest to it.
var Neighbours = step.Param{ID: "k", Title: "Neighbours", Min: 1, Max: 64, Default: 3, Integer: true,
	Help: "How many of the nearest landmarks each is joined to. Raising it joins more, and lets layouts hold more of " +
		"them together."}

// union returns the pairs of two lists, sorted, each once.
func union(a, b [][2]int32) [][2]int32 {
	out := make([][2]int32, 0, len(a)+len(b))
	out = append(append(out, a...), b...)
	slices.SortFunc(out, func(x, y [2]int32) int { return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1])) })
	return slices.Compact(out)
}
