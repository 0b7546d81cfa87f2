package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/gpu/bench"
	"blossom/model/base/problem"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// benches are the tables that can be measured, in the order in which all of them run.
var benches = []string{"cluster", "embed", "follow", "frame", "layout", "load", "select", "train", "tsne"}

type benchOptions struct {
	points  int
	threads int
	repeats int
	out     string // a file for the numbers, beside the table
	engine  string // "" for all that work here
	device  int
	beside  []int // cards
	embed   embedOptions
	report  run.Report
	inputs  []string // of train and cluster

	algorithms []string // of cluster
	clear      func()   // takes the progress away before something is printed
}

// say shows what is being measured.
func (o *benchOptions) say(what string) {
	if o.report != nil {
		o.report(what, 0, 0)
	}
}

func benchCommand(a *app) *cobra.Command {
	asJSON := false
	o := benchOptions{}
	c := &cobra.Command{
		Use:   "bench [NAME [INPUT...]]",
		Short: "Measure how fast this machine is: " + strings.Join(benches, ", "),
		Long: `Measures the tables of docs/measured.md on this machine: cluster (single linkage), embed (neighbours
and projection of every engine and kernel that works here), follow (t-SNE of a sample that the
other points follow), frame (frames of the window), layout (steps of
each layout of landmarks), load (reading generated files), select (points in a lasso, and under the mouse),
train (one epoch of each training) and tsne (units of each method of t-SNE). Without a name all of
them. Close other programs first: every figure is a median, and p05 and p95 say how much it varied.

embed measures these stages: neighbours, for a codebook that has just moved; project, the positions
after that; total, both; drag, the positions when all landmarks of the map have moved; one, the positions
while one landmark is dragged, from the second frame on. Variants of the processor are compared with the
project's own plain scalar one; engines of a graphics card with the papers' best: the fastest published
neighbour kernel and the fastest published projection, found in the same run on the same card. Times of a
card are by its own clock. --grid papers counts k as the papers do, as the neighbours found, so that
EmbedSOM's k is one less. There, published kernels that are far from the best of their stage are measured
once, and not while landmarks are dragged. Every size is printed, and written to the --out file, as soon as
it is done, so that Ctrl-C loses the size under way alone; --json and --markdown print when all is done, or
what there is at Ctrl-C.

` + clusterHelp + followHelp + frameHelp + layoutHelp + selectHelp + trainHelp + tsneHelp + mapsHelp,
		ValidArgs: benches,
		Args:      args(0, -1),
		RunE: func(c *cobra.Command, names []string) error {
			if len(names) == 0 {
				names = benches
			} else if !slices.Contains(benches, names[0]) {
				return run.Usage{Err: problem.New("", "use one of "+strings.Join(benches, ", "),
					"there is no bench %q", names[0])}
			}
			if len(names) > 1 {
				if names[0] != "train" && names[0] != "cluster" {
					return run.Usage{Err: problem.New("", "leave it out, or use bench train or cluster INPUT...",
						"bench %s takes no input: %q", names[0], names[1])}
				}
				names, o.inputs = names[:1], names[1:]
			}
			if len(names) == 1 {
				if err := benchFlags(c, names[0]); err != nil {
					return err
				}
			}
			if o.points < 0 || o.points > 1<<28 || o.threads < 0 || o.repeats < 0 {
				return run.Usage{Err: problem.New("", "leave them out for the defaults",
					"--points %d --threads %d --repeats %d is not possible", o.points, o.threads, o.repeats)}
			}
			if o.out == "-" {
				o.out, asJSON = "", true
			}
			if o.out != "" {
				if err := checkOutput(o.out, nil, append(o.embed.inputs(), o.inputs...)...); err != nil {
					return err
				}
			}
			if err := run.CheckDevices(o.engine, o.device, o.beside); err != nil {
				return err
			}
			report, end := a.progress()
			defer end()
			o.report, o.clear = report, end
			return a.bench(c.Context(), names, o, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the numbers for programs")
	c.Flags().StringVarP(&o.out, "out", "o", "",
		"write the numbers for programs to this `file` too, beside the table, anew after every size of embed")
	c.Flags().IntVar(&o.points, "points", 0, "size of the data (default: 1048576 for embed and load, 65536 for train, "+
		"one million and ten for select, 100 to 4096 landmarks for layout)")
	c.Flags().IntVar(&o.threads, "threads", 0, "threads of the parallel row of embed (default: all)")
	c.Flags().IntVar(&o.repeats, "repeats", 0,
		"how often embed measures each stage (default: 7, 20 on a graphics card)")
	c.Flags().StringVar(&o.engine, "engine", "",
		"measure "+problem.OneOf(engine.Names()[1:]...)+
			" only, or gpu: those of graphics cards that work (default: all that work here)")
	c.Flags().StringSliceVar(&o.algorithms, "algorithm", nil, "algorithms of cluster: `a,b` (default: all)")
	devicesFlag(c.Flags(), &o.device, &o.beside)
	o.embed.flags(c.Flags())
	return c
}

// benchOf is what flags that are not of all benches belong to; --threads is of every command.
var benchOf = map[string][]string{
	"algorithm": {"cluster"},
	"data":      {"embed"},
	"device":    {"cluster", "embed", "follow", "frame", "train", "tsne"},
	"engine":    {"cluster", "embed", "follow", "frame", "train", "tsne"},
	"from":      {"embed"},
	"grid":      {"embed"},
	"markdown":  {"embed"},
	"quick":     {"cluster", "embed", "follow", "layout", "select", "tsne"},
	"repeats":   {"embed", "train", "tsne"},
	"shape":     {"cluster", "embed"},
}

// benchFlags refuses flags that a bench would not heed, as a Usage error.
func benchFlags(c *cobra.Command, name string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if of, some := benchOf[f.Name]; some && !slices.Contains(of, name) && err == nil {
			err = run.Usage{Err: problem.New("", "leave it out", "bench %s has no --%s, which is of bench %s", name,
				f.Name, problem.OneOf(of...))}
		}
	})
	return err
}

func (a *app) bench(ctx context.Context, names []string, o benchOptions, asJSON bool) error {
	n := numbers{Machine: machine{CPU: cpuName(), Cores: runtime.NumCPU()}, Rows: []any{}, out: o.out}
	if d := probeCUDA(); d.Available {
		n.Machine.GPU = strings.Join(d.Devices, ", ")
	}
	if !asJSON {
		fmt.Fprintf(a.out, "%s, %d cores", n.Machine.CPU, n.Machine.Cores)
		if n.Machine.GPU != "" {
			fmt.Fprint(a.out, ", "+n.Machine.GPU)
		}
		fmt.Fprintln(a.out)
	}
	var failed error // what was measured before is told all the same
	for _, name := range names {
		if failed = a.measure(ctx, name, o, asJSON, &n); failed != nil {
			break
		}
	}
	if failed != nil && len(n.Rows) == 0 {
		return failed
	}
	if n.unsaved != nil || n.once() {
		n.unsaved = n.save()
	}
	if asJSON {
		if err := a.printJSON(n); err != nil {
			return err
		}
	}
	return cmp.Or(failed, n.unsaved)
}

// measure runs one bench, prints its table unless JSON is wanted, and adds its rows to the numbers.
func (a *app) measure(ctx context.Context, name string, o benchOptions, asJSON bool, n *numbers) error {
	size := func(usual int) int {
		if o.points > 0 {
			return o.points
		}
		return usual
	}
	switch name {
	case "cluster":
		rows, err := a.benchCluster(ctx, o, asJSON)
		add(n, rows)
		return err
	case "embed":
		return a.benchEmbed(ctx, o, size(1<<20), asJSON, n)
	case "follow":
		rows, err := a.benchFollow(ctx, o, asJSON)
		add(n, rows)
		return err
	case "frame":
		rows, err := a.benchFrame(ctx, o, asJSON)
		add(n, rows)
		return err
	case "layout":
		rows, err := a.benchLayout(ctx, o, asJSON)
		add(n, rows)
		return err
	case "load":
		loaded, err := bench.Load(ctx, size(1<<20), o.say)
		if err != nil {
			return err
		}
		if !asJSON {
			printLoaded(a, loaded)
		}
		add(n, loaded)
	case "select":
		rows, err := a.benchSelect(ctx, o, asJSON)
		add(n, rows)
		return err
	case "train":
		rows, err := a.benchTrain(ctx, o, size(1<<16), asJSON)
		add(n, rows)
		return err
	case "tsne":
		rows, err := a.benchTSNE(ctx, o, asJSON)
		add(n, rows)
		return err
	}
	return nil
}

func printLoaded(a *app, rows []bench.Loaded) {
	t := textTable{heads: []string{"load", "points", "columns", "MB", "MB/s", "p05", "p95", "ns/point"}, words: 1}
	for _, r := range rows {
		mb := float64(r.Bytes) / 1e6
		rate := func(ns float64) string { return fmt.Sprintf("%.0f", mb/(ns*float64(r.N)/1e9)) }
		t.add(r.Variant, fmt.Sprint(r.N), fmt.Sprint(r.D), fmt.Sprintf("%.1f", mb), rate(r.Median), rate(r.P95),
			rate(r.P05),
			fmt.Sprintf("%.1f", r.Median))
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
}
