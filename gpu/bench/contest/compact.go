package contest

import (
	"fmt"
	"strings"
)

// Compact lays the rows of many sizes out as a table for a README, a line per size: milliseconds of stage
// total for all points, and how many times faster than the baseline. Where published kernels were measured
// the columns are the papers' best, with the kernels it is made of, and each engine as it chooses its own
// kernels; else every variant. An empty cell was not measured.
func Compact(rows []Row) string {
	sizes := Sizes(rows)
	columns := compactColumns(rows)
	heads := []string{"d, g, k"}
	for _, c := range columns {
		heads = append(heads, c.name+", ms")
		if c.compared {
			heads = append(heads, "ratio")
		}
	}
	var b strings.Builder
	cells(&b, heads)
	cells(&b, strings.Fields(strings.Repeat("--- ", len(heads))))
	for _, size := range sizes {
		line := []string{fmt.Sprintf("%d, %d, %d%s", size[0].D, size[0].G, size[0].K, of(size[0].Data))}
		for _, c := range columns {
			ms, ratio := c.cells(size)
			line = append(line, ms)
			if c.compared {
				line = append(line, ratio)
			}
		}
		cells(&b, line)
	}
	return b.String()
}

// column is a variant of an engine, or with an empty engine the papers' best.
type column struct {
	engine, variant string
	name            string
	compared        bool // with a baseline, at some size
}

const papersBest = "papers' best"

func isPapers(r Row) bool { return strings.HasPrefix(r.Variant, Papers) }

// chosen says whether the engine chose its kernels by itself: it is then named by what it runs on.
func chosen(r Row) bool { return r.Variant == r.Device }

func compactColumns(rows []Row) (list []column) {
	papers := false
	for _, r := range rows {
		papers = papers || isPapers(r)
	}
	index := map[[2]string]int{}
	for _, r := range rows {
		c := column{engine: r.Engine, variant: r.Variant, name: title(r)}
		switch {
		case r.Failed == "" && r.Stage != total || papers && !isPapers(r) && !chosen(r):
			continue // of a variant that failed there is a row of another stage
		case isPapers(r):
			c = column{name: papersBest}
		case papers:
			c.name = r.Engine
		}
		key := [2]string{c.engine, c.variant}
		if _, known := index[key]; !known {
			index[key] = len(list)
			list = append(list, c)
		}
		i := index[key]
		list[i].compared = list[i].compared || r.Baseline != ""
	}
	for i, c := range list { // the papers first
		if c.engine == "" {
			copy(list[1:i+1], list[:i])
			list[0] = c
			break
		}
	}
	return list
}

// cells are a column's time and ratio at a size.
func (c column) cells(size []Row) (ms, ratio string) {
	n := 0 // slow variants take a share of the points
	for _, r := range size {
		n = max(n, r.N)
	}
	for _, r := range size {
		switch {
		case c.engine == "" && !isPapers(r) || c.engine != "" && (r.Engine != c.engine || r.Variant != c.variant):
			continue
		case r.Failed != "":
			return "failed", ""
		case r.Stage == total:
			ms = number(r.Median * float64(n) / 1e6)
			if c.engine == "" {
				ms += " (" + strings.TrimPrefix(r.Variant, Papers) + ")"
			}
			return ms, ratioOf(r)
		}
	}
	return "", ""
}
