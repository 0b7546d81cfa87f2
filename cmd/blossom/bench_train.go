package main

import (
	"context"
	"fmt"

	"blossom/gpu/bench"
	"blossom/gpu/bench/contest"
	"blossom/model/work/engine"
)

// trainHelp explains bench train.
const trainHelp = `

train INPUT... trains the map that each input begins with, as the window does, and tells its quantization
and topographic error beside those of a batch SOM of 130 epochs at the same last sigma, which takes a while:
--repeats 1 leaves that out. Inputs are data files and demos: demo:cytometry:100000. --engine says which engine.`

// benchTrain measures one epoch of each training, or the quality of what each of the inputs begins with.
func (a *app) benchTrain(ctx context.Context, o benchOptions, points int, asJSON bool) (rows []any, err error) {
	if len(o.inputs) == 0 {
		trained, err := bench.Train(ctx, points, 20, o.say)
		if err != nil {
			return nil, err
		}
		if !asJSON {
			printTrained(a, trained)
		}
		for _, r := range trained {
			rows = append(rows, r)
		}
		return rows, nil
	}
	most := bench.ConvergedPoints
	if o.repeats == 1 {
		most = 0
	}
	name := o.engine
	if name == "" {
		name = engine.Auto
	}
	var all []bench.Quality
	for _, input := range o.inputs {
		var q bench.Quality
		q, err = bench.TrainQuality(ctx, input, name, engine.Options{Device: o.device, Threads: o.threads,
			GL: offscreen}, most, o.say)
		if err != nil { // what was measured before is told all the same
			break
		}
		all, rows = append(all, q), append(rows, q)
	}
	if !asJSON && len(all) > 0 {
		printQuality(a, all)
	}
	return rows, err
}

func printQuality(a *app, rows []bench.Quality) {
	t := textTable{heads: []string{"input", "training", "engine", "points", "d", "landmarks", "s", "quantization",
		"batch SOM", "ratio", "topographic", "batch SOM"}, words: 3}
	for _, r := range rows {
		batch, ratio, order := "", "", ""
		if r.Batch > 0 {
			batch, ratio = fmt.Sprintf("%.4g", r.Batch), fmt.Sprintf("%.3f", r.Ratio)
			order = fmt.Sprintf("%.3f", r.BatchTopographic)
		}
		t.add(r.Input, r.Variant, r.Engine, fmt.Sprint(r.N), fmt.Sprint(r.D), fmt.Sprint(r.G),
			fmt.Sprintf("%.2f", r.Seconds), fmt.Sprintf("%.4g", r.Quantization), batch, ratio,
			fmt.Sprintf("%.3f", r.Topographic), order)
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
}

func printTrained(a *app, rows []contest.Row) {
	t := textTable{heads: []string{"train", "points", "d", "landmarks", "points/s", "ns/point", "p05", "p95"}, words: 1}
	for _, r := range rows {
		t.add(r.Variant, fmt.Sprint(r.N), fmt.Sprint(r.D), fmt.Sprint(r.G), fmt.Sprintf("%.0f", r.Rate),
			fmt.Sprintf("%.0f", r.Median), fmt.Sprintf("%.0f", r.P05), fmt.Sprintf("%.0f", r.P95))
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
}
