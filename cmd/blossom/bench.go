package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"blossom/cmd/blossom/internal/cuda"
	"blossom/cmd/blossom/internal/measure"
	"blossom/cmd/blossom/internal/pipeline"
	"blossom/model/problem"
)

// benches are the tables that can be measured, in the order in which all of them run.
var benches = []string{"embed", "load", "train"}

type benchOptions struct {
	points  int
	threads int
	say     func(string)
}

func benchCommand(a *app) *cobra.Command {
	asJSON := false
	o := benchOptions{}
	c := &cobra.Command{
		Use:   "bench [NAME]",
		Short: "Measure how fast this machine is: " + strings.Join(benches, ", "),
		Long: `Measures the tables of the README on this machine: embed (neighbours and projection of each engine,
against the project's own plain scalar variant), load (reading generated files) and train (one epoch of
each training). Without a name all of them. Close other programs first: every figure is a median, and
p05 and p95 say how much it varied.`,
		ValidArgs: benches,
		Args:      args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, names []string) error {
			if len(names) == 0 {
				names = benches
			} else if !slices.Contains(benches, names[0]) {
				return pipeline.Usage{Err: problem.New("", "use one of "+strings.Join(benches, ", "), "there is no bench %q", names[0])}
			}
			if o.points < 0 || o.points > 1<<28 {
				return pipeline.Usage{Err: problem.New("", "use 0 for the default", "--points %d is not possible", o.points)}
			}
			o.say = func(what string) {
				if report, _ := a.progress(); report != nil {
					report(what, 0, 0)
				}
			}
			return a.bench(c.Context(), names, o, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the numbers for programs")
	c.Flags().IntVar(&o.points, "points", 0, "size of the data (default: 1048576 for embed and load, 65536 for train)")
	c.Flags().IntVar(&o.threads, "threads", 0, "processor threads to use (default: one, and all)")
	return c
}

// machine says what the numbers were measured on.
type machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	GPU   string `json:"gpu"`
}

func (a *app) bench(ctx context.Context, names []string, o benchOptions, asJSON bool) error {
	m := machine{CPU: cpuName(), Cores: runtime.NumCPU()}
	if d := cuda.Probe(); d.Available {
		m.GPU = strings.Join(d.Devices, ", ")
	}
	if !asJSON {
		fmt.Fprintf(a.out, "%s, %d cores", m.CPU, m.Cores)
		if m.GPU != "" {
			fmt.Fprint(a.out, ", "+m.GPU)
		}
		fmt.Fprintln(a.out)
	}
	rows := []any{}
	for _, name := range names {
		measured, err := a.measure(ctx, name, o, asJSON)
		if err != nil {
			return err
		}
		rows = append(rows, measured...)
	}
	if asJSON {
		return a.printJSON(map[string]any{"machine": m, "rows": rows})
	}
	return nil
}

// measure runs one bench, prints its table unless JSON is wanted, and returns its rows.
func (a *app) measure(ctx context.Context, name string, o benchOptions, asJSON bool) (rows []any, err error) {
	size := func(usual int) int {
		if o.points > 0 {
			return o.points
		}
		return usual
	}
	switch name {
	case "load":
		loaded, err := measure.Load(ctx, size(1<<20), o.say)
		if err != nil {
			return nil, err
		}
		for _, r := range loaded {
			rows = append(rows, r)
		}
		if !asJSON {
			printLoaded(a, loaded)
		}
	case "train":
		trained, err := measure.Train(ctx, size(1<<16), 20, o.say)
		if err != nil {
			return nil, err
		}
		for _, r := range trained {
			rows = append(rows, r)
		}
		if !asJSON {
			printTrained(a, trained)
		}
	}
	return rows, nil
}

func printLoaded(a *app, rows []measure.Loaded) {
	t := textTable{heads: []string{"load", "points", "columns", "MB", "MB/s", "p05", "p95", "ns/point"}, words: 1}
	for _, r := range rows {
		mb := float64(r.Bytes) / 1e6
		rate := func(ns float64) string { return fmt.Sprintf("%.0f", mb/(ns*float64(r.N)/1e9)) }
		t.add(r.Variant, fmt.Sprint(r.N), fmt.Sprint(r.D), fmt.Sprintf("%.1f", mb), rate(r.NsPerPoint), rate(r.P95), rate(r.P05),
			fmt.Sprintf("%.1f", r.NsPerPoint))
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
}

func printTrained(a *app, rows []measure.Row) {
	t := textTable{heads: []string{"train", "points", "d", "landmarks", "points/s", "ns/point", "p05", "p95"}, words: 1}
	for _, r := range rows {
		t.add(r.Variant, fmt.Sprint(r.N), fmt.Sprint(r.D), fmt.Sprint(r.G), fmt.Sprintf("%.0f", r.PointsPerS),
			fmt.Sprintf("%.0f", r.NsPerPoint), fmt.Sprintf("%.0f", r.P05), fmt.Sprintf("%.0f", r.P95))
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
}
