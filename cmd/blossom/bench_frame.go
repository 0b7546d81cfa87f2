package main

import (
	"context"
	"fmt"
	"os"

	"blossom/gpu/bench"
	"blossom/model/work/engine"
	"blossom/render"
)

// frameHelp explains bench frame.
const frameHelp = `frame measures what a frame of the window takes until it is drawn, at 1280 x 800 pixels, without
a display: everything, the frame after codebook and positions have moved; landmarks, after all positions
have; one, while one landmark is dragged; som, while a map is trained; idle, when nothing has; and one
landmark dragged while t-SNE of all points forms in a second view, by so many units a frame. A frame keeps
to its budget: where not all points can follow in it, shown and fresh say how many do. --points measures one
size; without it as many of 50 thousand to 100 million as fit into memory.`

// benchFrame measures the frames of the window on every engine.
func (a *app) benchFrame(ctx context.Context, o benchOptions, asJSON bool) (rows []any, err error) {
	fo := bench.FrameOptions{Compute: engine.Options{Threads: o.threads, Device: o.device, GL: offscreen}, Say: o.say,
		Path: render.PathNamed(os.Getenv(render.PathVariable))}
	if o.points > 0 {
		fo.Sizes = []int{o.points}
	}
	switch o.engine {
	case "":
	case "gpu":
		fo.Engines = []string{}
		for _, r := range engine.Registered() {
			if ok, _, _ := r.Probe(fo.Compute); ok && r.Kind == engine.Card {
				fo.Engines = append(fo.Engines, r.Name)
			}
		}
	default:
		fo.Engines = []string{o.engine}
	}
	fo.Note = func(text string) { a.note("%s", text) }
	framed, err := bench.Frames(ctx, fo)
	for _, r := range framed {
		rows = append(rows, r)
	}
	if !asJSON && len(framed) > 0 {
		printFramed(a, framed)
	}
	return rows, err
}

func printFramed(a *app, rows []bench.Framed) {
	t := textTable{heads: []string{"frame", "engine", "path", "points", "p50 ms", "p99 ms", "max ms", "frames",
		"shown", "fresh", "units"}, words: 3}
	for _, r := range rows {
		units := ""
		if r.Units > 0 {
			units = digits(r.Units)
		}
		t.add(r.Stage, r.Engine, r.Variant, fmt.Sprint(r.N), fmt.Sprintf("%.3f", r.P50), fmt.Sprintf("%.3f", r.P99),
			fmt.Sprintf("%.3f", r.Max), fmt.Sprint(r.Frames), fmt.Sprint(r.Shown), fmt.Sprintf("%.0f %%", 100*r.Fresh),
			units)
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
	fmt.Fprintf(a.out, "16 columns, 16 x 16 landmarks, k 16; %s\n", rows[0].Drawing)
}
