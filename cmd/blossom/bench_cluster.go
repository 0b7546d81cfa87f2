package main

import (
	"context"
	"fmt"

	"blossom/gpu/bench"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// clusterHelp explains bench cluster.
const clusterHelp = `

cluster measures single linkage: every algorithm (--algorithm a,b: some) on generated points, --shape NxD for one size
(60000x784b for bytes), cluster INPUT... on those of files and demos, as the map takes them; --quick leaves out those
above 10,000 points. Ratios compare with cuslink, the published system; wrong heights are the ranks at which its tree,
weighed exactly, has another weight than the exact one. SciPy's linkage runs beside them up to 20,000 points where a
Python with SciPy is found (BLOSSOM_SCIPY names one).`

// benchCluster measures single linkage.
func (a *app) benchCluster(ctx context.Context, o benchOptions, asJSON bool) (rows []any, err error) {
	shapes := bench.ClusterShapes(o.embed.quick)
	if o.points > 0 {
		shapes = []bench.ClusterShape{{N: o.points, D: 39}}
	}
	if len(o.embed.shape) > 0 {
		shapes = nil
		for _, text := range o.embed.shape {
			s, err := bench.ParseClusterShape(text)
			if err != nil {
				return nil, run.Usage{Err: err}
			}
			shapes = append(shapes, s)
		}
	}
	if len(o.inputs) > 0 && len(o.embed.shape) == 0 && o.points == 0 {
		shapes = nil
	}
	for _, input := range o.inputs {
		shapes = append(shapes, bench.ClusterShape{Input: input})
	}
	done, err := bench.Clusters(ctx, shapes, o.algorithms, engine.Options{Threads: o.threads, Device: o.device,
		Beside: o.beside}, o.engine, o.say)
	for _, r := range done {
		rows = append(rows, r)
	}
	if !asJSON && len(done) > 0 {
		printClusters(a, done)
	}
	return rows, err
}

func printClusters(a *app, rows []bench.Clustered) {
	stages := []string{"load", "points", "arrange", "tree", "pass", "linkage"}
	t := textTable{heads: append(append([]string{"cluster", "engine", "points", "columns", "s", "CPU s"}, stages...),
		"ratio", "wrong heights", "wrong edges", "largest ratio"), words: 2}
	for _, r := range rows {
		if r.Failed != "" {
			t.add(r.Variant, "", fmt.Sprint(r.N), fmt.Sprint(r.D), r.Failed)
			continue
		}
		cells := []string{r.Variant, r.Engine, fmt.Sprint(r.N), fmt.Sprint(r.D), digits(r.Seconds), digits(r.CPU)}
		for _, stage := range stages {
			text := ""
			if s, did := r.Stages[stage]; did {
				text = digits(s)
			}
			cells = append(cells, text)
		}
		wrong := []string{"", "", "", ""}
		if r.Baseline != "" {
			wrong[0] = digits(r.Ratio) + "x"
		}
		if w := r.Wrong; w != nil {
			wrong[1], wrong[2], wrong[3] = fmt.Sprint(w.Heights), fmt.Sprint(w.Edges), fmt.Sprintf("%.4g", w.Ratio)
		}
		cells = append(cells, wrong...)
		t.add(cells...)
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
	fmt.Fprintln(a.out, "ratio: to cuslink, as published; CPU s: of all cores; load to linkage: s of a stage")
}
