package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"blossom/gpu/bench"
	"blossom/model/work/engine"
)

// tsneHelp explains bench tsne.
const tsneHelp = `

tsne measures a unit of each method of t-SNE, in a map of 750 units, in 2D and 3D: points in the shape of
scikit-learn's digits, 20,000 and 70,000 x 30 in clusters; --quick leaves out the largest, --points measures one
size of 30 columns. It tells the time of each kernel, how far repulsion and Z are off float64, and how many times as
fast it is, on one core, as a plain walk of a quadtree and as scikit-learn's gradient, where there is a Python with it.`

// benchTSNE measures units of t-SNE.
func (a *app) benchTSNE(ctx context.Context, o benchOptions, asJSON bool) (rows []any, err error) {
	if isCard(o.engine) {
		return a.benchMaps(ctx, o, asJSON)
	}
	shapes := bench.UnitsShapes(o.embed.quick)
	if o.points > 0 {
		shapes = []bench.UnitsShape{{N: o.points, D: 30}}
	}
	timed, why, err := bench.Units(ctx, shapes, o.engine, engine.Options{Device: o.device, Threads: o.threads,
		GL: offscreen}, true, o.say)
	for _, r := range timed {
		rows = append(rows, r)
	}
	if !asJSON && len(timed) > 0 {
		printUnits(a, timed, why)
	}
	return rows, err
}

// isCard says whether an engine of this name computes on a graphics card.
func isCard(name string) bool {
	return slices.ContainsFunc(engine.Registered(), func(r engine.Registration) bool {
		return r.Name == name && r.Kind == engine.Card
	})
}

func printUnits(a *app, rows []bench.Unit, why string) {
	t := textTable{heads: []string{"tsne", "engine", "points", "d", "map", "threads", "ms/unit", "least",
		"repulsion off", "Z off", "KL", "x plain walk", "x scikit-learn", "kernels, ms"}, words: 2}
	times := func(v float64) string {
		if v == 0 {
			return ""
		}
		return digits(v) + "x"
	}
	for _, r := range rows {
		var steps []string
		for _, name := range slices.Sorted(maps.Keys(r.Steps)) {
			steps = append(steps, name+" "+digits(r.Steps[name]))
		}
		threads := "all"
		if r.Threads > 0 {
			threads = fmt.Sprint(r.Threads)
		}
		t.add(r.Variant, r.Engine, fmt.Sprint(r.N), fmt.Sprint(r.D), fmt.Sprintf("%dD", r.Dims), threads, digits(r.Ms),
			digits(r.Least), fmt.Sprintf("%.2g", r.Repulsion), fmt.Sprintf("%.2g", r.Z), fmt.Sprintf("%.3f", r.KL),
			times(r.Plain), times(r.Sklearn), strings.Join(steps, ", "))
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
	if why != "" {
		fmt.Fprintln(a.out, "not compared with scikit-learn: "+why)
	}
}
