package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"blossom/gpu/bench/table"
)

// Whole is a row of the measure whole: what a command has taken from file to file, and on what.
type Whole struct {
	table.Row
	taken
	Stages map[string]float64 `json:"seconds_by_stage,omitempty"`
	Recall float64            `json:"recall,omitempty"` // the share of neighbours that were found
}

// wholeLines are the commands, each a line with a place for the engine, and the most points that it is measured on.
var wholeLines = []struct {
	name, line string
	most       int
}{
	{"embed", "embed points.npy --engine %s -o map.npy", most},
	{"train som-batch", "train points.npy --som 20x20 --algorithm som-batch --engine %s -o map.json", most},
	{"cluster", "cluster points.npy --n-clusters 20 --engine %s -o labels.npy", 1_000_000},
	{"tsne, 1,000 units", "tsne points.npy --units 1000 --engine %s -o map.npy", most},
	{"umap", "umap points.npy --engine %s -o map.npy", most},
}

func init() {
	seconds := func(head string, of func(Whole) float64) table.Column {
		return table.Text(head, func(r Whole) string { return fmt.Sprintf("%.2f", of(r)) })
	}
	Register(Measure{Name: "whole", Title: "whole commands, from file to file",
		Help: `Runs commands on demo data of 30 columns, written as NPY first, each as a program of its own,
and says how long they took, from starting the program to its end, and the stages of which they tell. The file is
in the system's cache. Sizes are 100,000, a million and ten million points; single linkage is not measured beyond a
million.`,
		Flags: []Flag{deviceFlag, engineFlag(" (default: that which commands choose)"),
			pointsFlag(1000, most, "one size"), quickFlag("100,000 points alone"),
			{Name: "command", Default: []string(nil), Help: "commands: `a,b` (default: all)"}},
		Columns: []table.Column{
			table.Word("command", func(r Whole) string { return r.Variant }),
			table.Word("engine", func(r Whole) string { return r.Engine }),
			table.Size("points", func(r Whole) int { return r.N }),
			seconds("seconds", func(r Whole) float64 { return r.Wall }),
			seconds("of processors", func(r Whole) float64 { return r.CPU }),
			table.Text("MB", func(r Whole) string { return fmt.Sprintf("%.0f", float64(r.Peak)/1e6) }),
			table.Text("recall", func(r Whole) string {
				if r.Recall == 0 {
					return ""
				}
				return fmt.Sprintf("%.3f", r.Recall)
			}),
			table.Text("of it", func(r Whole) string { return stagesInWords(r.Stages) }),
		},
		Run: func(ctx context.Context, r *Run) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			sizes := r.points(100_000, 1_000_000, 10_000_000)
			if r.Bool("quick") {
				sizes = sizes[:1]
			}
			for _, n := range sizes {
				if err := whole(ctx, r, self, n); err != nil {
					return err
				}
			}
			return nil
		}})
}

// stagesInWords are the stages, the longest first.
func stagesInWords(stages map[string]float64) string {
	names := make([]string, 0, len(stages))
	for name := range stages {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(stages[b], stages[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %.2f", name, stages[name])
	}
	return strings.Join(names, ", ")
}

// whole measures the commands that are asked for on n points.
func whole(ctx context.Context, r *Run, program string, n int) error {
	dir, err := os.MkdirTemp("", "blossom-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r.Say("whole: making the file")
	if _, err := measured(ctx, program, dir, fmt.Sprintf("convert demo:cytometry:%d points.npy --values map --columns "+
		"4-33", n)); err != nil {
		return err
	}
	engine, device := cmp.Or(r.Text("engine"), "auto"), ""
	if all, _ := r.Values["device"].([]int); len(all) > 0 {
		device = " --device " + strings.ReplaceAll(strings.Trim(fmt.Sprint(all), "[]"), " ", ",")
	}
	wanted := r.List("command")
	for _, c := range wholeLines {
		name, _, _ := strings.Cut(strings.ReplaceAll(c.name, ",", ""), " ")
		if n > c.most || len(wanted) > 0 && !slices.Contains(wanted, name) {
			continue
		}
		r.Say(fmt.Sprintf("whole: %s of %d points", c.name, n))
		line := fmt.Sprintf(c.line, engine) + device + " --json"
		t, err := measured(ctx, program, dir, line)
		if err != nil {
			return err
		}
		row := Whole{Row: rowOf("whole", c.name, "all", n, 30, 0, []float64{t.Wall}), taken: t}
		if err := row.read(t.said); err != nil {
			return err
		}
		r.Add(row)
		r.Tell()
	}
	return nil
}

// read takes what a command tells of itself.
func (w *Whole) read(said []byte) error {
	var told struct {
		Engine, Device string
		Stages         map[string]float64 `json:"seconds_by_stage"`
		Recall         float64            `json:"recall"`
	}
	if err := json.Unmarshal(said, &told); err != nil {
		return err
	}
	w.Engine, w.Device, w.Stages, w.Recall = told.Engine, told.Device, told.Stages, told.Recall
	return nil
}
