package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"blossom/gpu/bench"
	"blossom/model/work/engine"
)

// mapsHelp explains bench tsne on a card.
const mapsHelp = ` With --engine cuda
maps of 70,000 points in clusters, one million and ten (2D only) form, --quick the first. Affinities of more than
200,000 points are those of groups: there is no time to look for neighbours. Ratios are to the best of the published
sww, and repulsion is compared with float64 at 1,000 points.`

// benchMaps measures t-SNE of many points on a card.
func (a *app) benchMaps(ctx context.Context, o benchOptions, asJSON bool) (rows []any, err error) {
	m := bench.MapOptions{Engine: o.engine, Compute: engine.Options{Threads: o.threads, Device: o.device,
		GL: offscreen}, Points: []int{70_000, 1_000_000, 10_000_000}, Units: 750, Say: o.say}
	if o.embed.quick {
		m.Points = m.Points[:1]
	}
	if o.points > 0 {
		m.Points = []int{o.points}
	}
	if o.repeats > 0 {
		m.Units = o.repeats
	}
	m.Told = func(mapped []bench.Mapped) {
		if !asJSON {
			o.clear()
			printMapped(a, mapped)
		}
	}
	mapped, err := bench.Maps(ctx, m)
	for _, r := range mapped {
		rows = append(rows, r)
	}
	return rows, err
}

func printMapped(a *app, rows []bench.Mapped) {
	t := textTable{heads: []string{"t-SNE", "points", "map", "ms/unit", "p05", "p95", "ratio", "error %", "extent",
		"KL", "whole s"}, words: 1}
	for _, r := range rows {
		if r.Failed != "" {
			t.add(r.Variant, fmt.Sprint(r.N), fmt.Sprintf("%dD", r.Dims), r.Failed)
			continue
		}
		ms := func(ns float64) string { return digits(ns * float64(r.N) / 1e6) }
		ratio, whole := "", ""
		if r.Baseline != "" {
			ratio = digits(r.Ratio) + "x"
		}
		if r.Units > 0 {
			whole = digits(r.Whole)
		}
		t.add(r.Variant, fmt.Sprint(r.N), fmt.Sprintf("%dD", r.Dims), digits(r.Unit), ms(r.P05), ms(r.P95), ratio,
			digits(100*r.Error), digits(r.Extent), digits(r.KL), whole)
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
	for _, r := range rows {
		if len(r.Steps) == 0 {
			continue
		}
		fmt.Fprintf(a.out, "%s:", r.Variant)
		for _, name := range slices.SortedFunc(maps.Keys(r.Steps), func(x, y string) int {
			if r.Steps[x] > r.Steps[y] {
				return -1
			}
			return 1
		}) {
			fmt.Fprintf(a.out, "  %s %s", name, digits(r.Steps[name]))
		}
		fmt.Fprintln(a.out, " ms")
	}
}
