package glcompute

import (
	"strconv"
	"strings"
)

// written writes out what a kernel repeats for each of its registers: lines between #each name and #end
// come counts[name] times, with the number in place of $name. GLSL itself has but arrays for that, which
// some drivers keep in memory.
func written(source string, counts map[string]int) string {
	var b strings.Builder
	repeat(&b, strings.SplitAfter(source, "\n"), counts)
	return b.String()
}

func repeat(b *strings.Builder, lines []string, counts map[string]int) {
	for i := 0; i < len(lines); i++ {
		name, found := strings.CutPrefix(lines[i], "#each ")
		if !found {
			b.WriteString(lines[i])
			continue
		}
		name = strings.TrimSpace(name)
		end := i + 1
		for depth := 1; ; end++ {
			if strings.HasPrefix(lines[end], "#each ") {
				depth++
			} else if strings.HasPrefix(lines[end], "#end") && !strings.HasPrefix(lines[end], "#endif") {
				if depth--; depth == 0 {
					break
				}
			}
		}
		body := strings.Join(lines[i+1:end], "")
		for n := range counts[name] {
			repeat(b, strings.SplitAfter(strings.ReplaceAll(body, "$"+name, strconv.Itoa(n)), "\n"), counts)
		}
		i = end
	}
}
