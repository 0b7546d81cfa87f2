package bench

import (
	"maps"
	"slices"
	"strings"

	"blossom/gpu/bench/table"
)

// stepsOf are times of steps in words, the longest first.
func stepsOf(ms map[string]float64) string {
	var words []string
	for _, name := range slices.SortedFunc(maps.Keys(ms), func(a, b string) int {
		switch {
		case ms[a] > ms[b]:
			return -1
		case ms[a] < ms[b]:
			return 1
		}
		return strings.Compare(a, b)
	}) {
		words = append(words, name+" "+table.Number(ms[name]))
	}
	return strings.Join(words, ", ")
}
