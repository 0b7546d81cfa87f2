package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"blossom/model/data/dataset"
)

// uniqueNames changes names that occur before, "x" to "x (2)", and says so in a warning; an empty name
// becomes the default one for its place. The slice is changed in place.
func uniqueNames(names []string) (warnings []string) {
	seen := make(map[string]bool, len(names))
	count := make(map[string]int)
	for i, name := range names {
		if name == "" {
			name = dataset.DefaultName(i)
		}
		given := name
		for n := count[given] + 2; seen[name]; n++ {
			name = fmt.Sprintf("%s (%d)", given, n)
			count[given] = n - 1
		}
		seen[name] = true
		names[i] = name
	}
	if len(count) > 0 {
		repeated := make([]string, 0, 3)
		for _, name := range names {
			if _, ok := count[name]; ok && len(repeated) < 3 {
				repeated = append(repeated, fmt.Sprintf("%q", name))
			}
		}
		more := ""
		if len(count) > len(repeated) {
			more = " and others"
		}
		warnings = append(warnings, fmt.Sprintf("several columns are named %s%s: the later ones got a number",
			strings.Join(repeated, ", "), more))
	}
	return warnings
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// shortLabel is the beginning of a long label, for a sentence.
func shortLabel(s string) string {
	const most = 40
	if r := []rune(s); len(s) > most && len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
