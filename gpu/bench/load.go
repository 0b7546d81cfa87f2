package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"blossom/gpu/bench/table"
	"blossom/model/data/demo"
	"blossom/model/data/format"
)

// Loaded is a row of the measure load, with the rate in the unit that files are talked about in.
type Loaded struct {
	table.Row
	Bytes  int64   `json:"bytes"`
	MBPerS float64 `json:"mb_per_s"`
}

// rate is MB a second where a point takes so many ns.
func (l Loaded) rate(ns float64) string {
	return fmt.Sprintf("%.0f", float64(l.Bytes)/1e6/(ns*float64(l.N)/1e9))
}

func init() {
	Register(Measure{Name: "load", Title: "reading generated files",
		Help: `Times reading a file of each format that can be written, of the simulated blood sample, from
a warm cache, on all cores. The files lie in a folder below the system's for temporary ones while it runs.`,
		Flags: []Flag{pointsFlag(1, most, "size of the data (default: 1048576)")},
		Columns: []table.Column{
			table.Word("load", func(r Loaded) string { return r.Variant }),
			table.Size("points", func(r Loaded) int { return r.N }),
			table.Size("columns", func(r Loaded) int { return r.D }),
			table.Text("MB", func(r Loaded) string { return fmt.Sprintf("%.1f", float64(r.Bytes)/1e6) }),
			table.Text("MB/s", func(r Loaded) string { return r.rate(r.Median) }),
			table.Text("p05", func(r Loaded) string { return r.rate(r.P95) }),
			table.Text("p95", func(r Loaded) string { return r.rate(r.P05) }),
			table.Value("ns/point", func(r Loaded) float64 { return r.Median }),
		},
		Run: func(ctx context.Context, r *Run) error {
			dir, err := os.MkdirTemp("", "blossom-bench-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			return load(ctx, r, dir, r.points(1 << 20)[0])
		}})
}

func load(ctx context.Context, r *Run, dir string, n int) error {
	if err := fits(200*int64(n), "%d points", n); err != nil {
		return err
	}
	ds, err := demo.Generate(ctx, "cytometry", n, 1)
	if err != nil {
		return err
	}
	for _, ext := range []string{".fcs", ".csv", ".npy"} {
		r.Say("load " + ext)
		path := filepath.Join(dir, "blood"+ext)
		if err := format.Save(ctx, path, ds, nil); err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		seconds, err := sample(func() error {
			back, err := format.Open(ctx, path, format.Options{})
			if err == nil && back.Points != n {
				err = fmt.Errorf("%s: %d of %d points came back", path, back.Points, n)
			}
			return err
		})
		if err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		row := rowOf("load", ext[1:], "read", n, len(ds.Columns), 0, seconds)
		r.Add(Loaded{Row: row, Bytes: info.Size(), MBPerS: row.Rate * float64(info.Size()) / float64(n) / 1e6})
	}
	return nil
}
