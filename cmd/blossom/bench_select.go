package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"blossom/gpu/bench"
)

// selectHelp explains bench select.
const selectHelp = `

select measures how long selecting points takes, of a million and, where there is memory for them, of ten
million; --quick leaves those out, --points measures one size. pick: the points in a rectangle, in a lasso
of 200 vertices and of 100,000. hover: the point under the mouse among all points, and with an index; build:
making that index, once for a map. d is the dimensions of the map. Ratios compare with testing one point
after the other against all of the lasso, over fewer points.`

// benchSelect measures selecting points.
func (a *app) benchSelect(ctx context.Context, o benchOptions, asJSON bool) (rows []any, err error) {
	sizes := bench.SelectSizes(o.embed.quick)
	if o.points > 0 {
		sizes = []int{o.points}
	}
	selected, err := bench.Select(ctx, sizes, o.say)
	for _, r := range selected {
		rows = append(rows, r)
	}
	if !asJSON && len(selected) > 0 {
		printSelected(a, selected)
	}
	return rows, err
}

func printSelected(a *app, rows []bench.Selected) {
	t := textTable{heads: []string{"select", "stage", "points", "d", "ms", "ns/point", "p05", "p95", "ratio"}, words: 2}
	for _, r := range rows {
		ratio := ""
		if r.Baseline != "" {
			ratio = digits(r.Ratio) + "x"
		}
		t.add(r.Variant, r.Stage, fmt.Sprint(r.N), fmt.Sprint(r.D), digits(r.Total),
			digits(r.Median), digits(r.P05), digits(r.P95), ratio)
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
	fmt.Fprintln(a.out, "ratio: to one point after the other on one core")
}

// digits writes a measure with three digits that matter, and all of those before the point: 1090, not 1.09e+03.
func digits(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
