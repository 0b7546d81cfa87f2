package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"blossom/cmd/blossom/internal/pipeline"
	"blossom/gpu"
	"blossom/gpu/bench"
	"blossom/model/problem"
)

// embedOptions are what `bench embed` alone understands.
type embedOptions struct {
	data  string
	grid  string
	shape []int
	quick bool

	markdown bool
	from     string // a file of numbers to lay out
}

func (e *embedOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&e.data, "data", bench.Uniform, "points of embed: "+bench.Uniform+" (the worst case) or "+bench.Clustered+" (24 populations of 39 columns)")
	f.StringVar(&e.grid, "grid", "", "sizes of embed: `papers` for the 80 that the papers on GPU EmbedSOM measured")
	f.IntSliceVar(&e.shape, "shape", nil, "one size for embed: `columns,landmarks,k`")
	f.BoolVar(&e.quick, "quick", false, "embed with a quarter of the points and few repetitions")
	f.BoolVar(&e.markdown, "markdown", false, "the table of embed for a README")
	f.StringVar(&e.from, "from", "", "lay the numbers of an earlier embed out, from the `file` that --out or --json made, and measure nothing")
}

// Time for the repetitions of one kernel on one size.
const (
	embedBudget = 4 * time.Second
	gridBudget  = 400 * time.Millisecond
	quickBudget = 200 * time.Millisecond
	gridRepeats = 10
)

// resolve makes the options of the measurement, for n points.
func (e embedOptions) resolve(o benchOptions, n int) (bench.Options, error) {
	b := bench.Options{Data: e.data, Repeats: o.repeats, Budget: embedBudget, Seed: 1}
	if o.repeats > 0 {
		b.Budget = 0 // as often as asked for
	}
	if e.quick {
		if o.points == 0 {
			n /= 4
		}
		if o.repeats == 0 {
			b.Repeats, b.Budget = 5, quickBudget
		}
	}
	switch {
	case e.grid != "" && e.grid != "papers":
		return b, pipeline.Usage{Err: problem.New("", "use --grid papers, or leave it out", "there is no grid %q", e.grid)}
	case e.grid != "" && e.shape != nil:
		return b, pipeline.Usage{Err: problem.New("", "leave one out", "--grid and --shape exclude each other")}
	case e.grid != "":
		b.Shapes, b.Prune = bench.Grid(n), true
		if b.Repeats == 0 {
			b.Repeats, b.Budget = gridRepeats, gridBudget
		}
	case e.shape != nil:
		if len(e.shape) != 3 || min(e.shape[0], e.shape[1], e.shape[2]) < 1 || e.shape[0] > 1<<16 || e.shape[1] > 1<<16 {
			return b, pipeline.Usage{Err: problem.New("", "write columns,landmarks,k: --shape 16,256,16", "--shape %v is no size", e.shape)}
		}
		b.Shapes = []bench.Shape{{N: n, D: e.shape[0], G: e.shape[1], K: e.shape[2]}}
	default:
		b.Shapes = bench.Shapes(n)
		if e.data == bench.Clustered {
			for i := range b.Shapes {
				b.Shapes[i].D = 39
			}
		}
	}
	list, err := bench.Contenders(o.engine, gpu.Options{Device: o.device, GL: offscreen})
	if err != nil {
		return b, err
	}
	for _, c := range list {
		if c.Engine == "cpu" && c.Threads == 0 {
			if o.threads == 1 {
				continue // it is there already
			}
			c.Threads = o.threads // in place of all cores
		}
		b.Contenders = append(b.Contenders, c)
	}
	if o.report != nil {
		b.Progress = func(done, total int) { o.report("embed", int64(done), int64(total)) }
	}
	return b, nil
}

// benchEmbed measures the engines and returns the rows, also those before a failure.
func (a *app) benchEmbed(ctx context.Context, o benchOptions, n int, asJSON bool) (rows []any, err error) {
	var measured []bench.Row
	if o.embed.from != "" {
		measured, err = readRows(o.embed.from)
	} else {
		eo, wrong := o.embed.resolve(o, n)
		if wrong != nil {
			return nil, wrong
		}
		measured, err = bench.Embed(ctx, eo)
	}
	sizes := map[bench.Shape]bool{}
	for _, r := range measured {
		rows = append(rows, r)
		sizes[bench.Shape{D: r.D, G: r.G, K: r.K}] = true
	}
	switch {
	case asJSON || len(measured) == 0:
		return rows, err
	case o.embed.markdown:
		fmt.Fprint(a.out, "\n"+bench.Markdown(measured))
	default:
		fmt.Fprint(a.out, "\n"+bench.Table(measured))
	}
	if len(sizes) > 1 {
		fmt.Fprint(a.out, "\n"+bench.MeansTable(bench.Means(measured)))
	}
	return rows, err
}

// readRows reads the numbers of an earlier run.
func readRows(path string) ([]bench.Row, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, problem.Wrap(err, path, "name the file that `blossom bench embed --out` wrote", "the numbers cannot be read (%v)", err)
	}
	var told struct{ Rows []bench.Row }
	if err := json.Unmarshal(text, &told); err != nil {
		return nil, problem.Wrap(err, path, "name the file that `blossom bench embed --out` wrote", "these are no numbers of a bench (%v)", err)
	}
	told.Rows = slices.DeleteFunc(told.Rows, func(r bench.Row) bool { return r.Bench != "embed" })
	if len(told.Rows) == 0 {
		return nil, problem.New(path, "name the file that `blossom bench embed --out` wrote", "there are no numbers of embed in it")
	}
	return told.Rows, nil
}

// means sums up the rows of embed.
func means(rows []any) []bench.Mean {
	var embedded []bench.Row
	for _, r := range rows {
		if e, ok := r.(bench.Row); ok && e.Bench == "embed" {
			embedded = append(embedded, e)
		}
	}
	return bench.Means(embedded)
}
