package main

import (
	"context"
	"fmt"

	"blossom/gpu/bench"
)

// layoutHelp explains bench layout.
const layoutHelp = `

layout measures steps of each layout, over landmarks of a simulated blood sample, flat and in space: 100, 400,
1,000, 2,000 and 4,096 of them; --quick leaves out those above 1,000, --points measures one number. start: what
is made before the first step. Ratios compare with one plain sum over all pairs on one core in float64, which
is the least that a step without any care would do.`

// benchLayout measures layouts of landmarks.
func (a *app) benchLayout(ctx context.Context, o benchOptions, asJSON bool) (rows []any, err error) {
	sizes := bench.LayoutSizes(o.embed.quick)
	if o.points > 0 {
		sizes = []int{o.points}
	}
	laid, err := bench.Layouts(ctx, sizes, o.say)
	for _, r := range laid {
		rows = append(rows, r)
	}
	if !asJSON && len(laid) > 0 {
		printLayouts(a, laid)
	}
	return rows, err
}

func printLayouts(a *app, rows []bench.Laid) {
	t := textTable{heads: []string{"layout", "landmarks", "map", "steps/s", "ms/step", "p05", "p95", "start ms",
		"ratio"}, words: 1}
	for _, r := range rows {
		ms := func(ns float64) string { return digits(ns * float64(r.G) / 1e6) }
		ratio := ""
		if r.Baseline != "" {
			ratio = digits(r.Ratio) + "x"
		}
		t.add(r.Variant, fmt.Sprint(r.G), fmt.Sprintf("%dD", r.Dims), digits(r.Steps), ms(r.Median), ms(r.P05),
			ms(r.P95), digits(r.Start), ratio)
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
	fmt.Fprintln(a.out, "ratio: to one plain sum over all pairs on one core; pca is done in one step")
}
