// Package bench times reading and training for `blossom bench`; package gpu/bench times the engines.
package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/model/base/matrix"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
)

// repetitions is how often each thing is timed, after one run that warms the caches.
const repetitions = 7

// row makes a row of a bench that compares nothing. Times are seconds for all n points, ascending.
func row(name, variant, stage string, n, d, g int, seconds []float64) contest.Row {
	at := func(q float64) float64 { return seconds[int(q*float64(len(seconds)-1)+0.5)] * 1e9 / float64(n) }
	return contest.Row{Bench: name, Variant: variant, N: n, D: d, G: g, Stage: stage,
		Median: at(0.5), Rate: 1e9 / at(0.5), P05: at(0.05), P95: at(0.95), Best: at(0)}
}

// Loaded is a row of the reading bench, with the rate in the unit that files are talked about in.
type Loaded struct {
	contest.Row
	Bytes  int64   `json:"bytes"`
	MBPerS float64 `json:"mb_per_s"`
}

// Load times reading generated files of each format that can be written, from a warm cache, on all
// cores. They lie in a folder below the system's for temporary files while it runs.
func Load(ctx context.Context, n int, say func(string)) ([]Loaded, error) {
	dir, err := os.MkdirTemp("", "blossom-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ds, err := demo.Generate(ctx, "cytometry", n, 1)
	if err != nil {
		return nil, err
	}
	var rows []Loaded
	for _, ext := range []string{".fcs", ".csv", ".npy"} {
		say("load " + ext)
		path := filepath.Join(dir, "blood"+ext)
		if err := format.Save(ctx, path, ds, nil); err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		seconds, err := sample(func() error {
			back, err := format.Open(ctx, path, format.Options{})
			if err == nil && back.Points != n {
				err = fmt.Errorf("%s: %d of %d points came back", path, back.Points, n)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		r := row("load", ext[1:], "read", n, len(ds.Columns), 0, seconds)
		rows = append(rows, Loaded{Row: r, Bytes: info.Size(),
			MBPerS: r.Rate * float64(info.Size()) / float64(n) / 1e6})
	}
	return rows, nil
}

// Train times one epoch of every training on the simulated blood sample with a grid of side x side.
func Train(ctx context.Context, n, side int, say func(string)) ([]contest.Row, error) {
	ds, err := demo.Generate(ctx, "cytometry", n, 1)
	if err != nil {
		return nil, err
	}
	table, err := transform.Build(ctx, ds, transform.Default(ds), nil, nil)
	if err != nil {
		return nil, err
	}
	start, err := landmark.StartGrid(ctx, table.X, landmark.Shape{Cols: side, Rows: side, Layers: 1}, landmark.Rect, 1)
	if err != nil {
		return nil, err
	}
	var rows []contest.Row
	for _, a := range train.All() {
		say("train " + a.ID)
		seconds, err := sample(func() error { return epoch(ctx, a, table.X, start) })
		if err != nil {
			return nil, err
		}
		rows = append(rows, row("train", a.ID, "epoch", n, table.X.Cols, start.Len(), seconds))
	}
	return rows, nil
}

// epoch visits as many points as there are.
func epoch(ctx context.Context, a train.Algorithm, x matrix.Matrix32, start *landmark.Set) error {
	t, err := a.New(train.Input{X: x, Codebook: start.Codebook, Pos: start.Pos, Seed: 1},
		train.Suggest(a.ID, x.Rows, start.Pos))
	if err != nil {
		return err
	}
	_, err = t.Step(ctx, x.Rows)
	return err
}

// sample runs f once to warm up and then some times more, and returns the seconds of those, sorted.
func sample(f func() error) ([]float64, error) {
	var seconds []float64
	for i := range repetitions + 1 {
		start := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		if i > 0 {
			seconds = append(seconds, time.Since(start).Seconds())
		}
	}
	slices.Sort(seconds)
	return seconds, nil
}
