package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"blossom/gpu/bench/contest"
	"blossom/model/base/problem"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// embedOptions are what `bench embed` alone understands.
type embedOptions struct {
	data  string
	grid  string
	shape []string
	quick bool

	markdown bool
	from     string // a file of numbers to lay out
}

func (e *embedOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&e.data, "data", contest.Uniform,
		"points of embed: "+contest.Uniform+" (the worst case) or "+contest.Clustered+" (24 populations of 39 columns)")
	f.StringVar(&e.grid, "grid", "", "sizes of embed: `papers` for the 80 that the papers on GPU EmbedSOM measured")
	f.StringSliceVar(&e.shape, "shape", nil, "one size for embed: `columns,landmarks,k`; for cluster points x columns")
	f.BoolVar(&e.quick, "quick", false,
		"embed with a quarter of the points and few repetitions, select without ten million points, layout up to "+
			"1,000 landmarks")
	f.BoolVar(&e.markdown, "markdown", false, "the table of embed for a README; of many sizes a line each")
	f.StringVar(&e.from, "from", "",
		"lay the numbers of an earlier embed out, from the `file` that --out or --json made, and measure nothing")
}

// Time for the repetitions of one kernel on one size.
const (
	embedBudget = 4 * time.Second
	gridBudget  = 400 * time.Millisecond
	quickBudget = 200 * time.Millisecond
	gridRepeats = 10
)

// resolve makes the options of the measurement, for n points.
func (e embedOptions) resolve(o benchOptions, n int) (contest.Options, error) {
	b := contest.Options{Data: e.data, Repeats: o.repeats, Budget: embedBudget, Seed: 1}
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
		return b, run.Usage{Err: problem.New("", "use --grid papers, or leave it out", "there is no grid %q",
			e.grid)}
	case e.grid != "" && e.shape != nil:
		return b, run.Usage{Err: problem.New("", "leave one out", "--grid and --shape exclude each other")}
	case e.grid != "":
		b.Shapes, b.Prune = contest.Grid(n), true
		if b.Repeats == 0 {
			b.Repeats, b.Budget = gridRepeats, gridBudget
		}
	case e.shape != nil:
		var size [3]int
		wrong := len(e.shape) != len(size)
		for i, word := range e.shape[:min(len(size), len(e.shape))] {
			var err error
			if size[i], err = strconv.Atoi(word); err != nil || size[i] < 1 || size[i] > 1<<16 {
				wrong = true
			}
		}
		if wrong {
			return b, run.Usage{Err: problem.New("", "write columns,landmarks,k: --shape 16,256,16",
				"--shape %v is no size", e.shape)}
		}
		b.Shapes = []contest.Shape{{N: n, D: size[0], G: size[1], K: size[2]}}
	default:
		b.Shapes = contest.Shapes(n)
		if e.data == contest.Clustered {
			for i := range b.Shapes {
				b.Shapes[i].D = 39
			}
		}
	}
	list, err := contest.Contenders(o.engine, engine.Options{Device: o.device, GL: offscreen})
	if err != nil {
		return b, err
	}
	for _, c := range list {
		if r, _ := engine.Named(c.Engine); r.Kind == engine.Processor && c.Threads == 0 {
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

// inputs are the files that are read.
func (e embedOptions) inputs() []string {
	if e.from == "" {
		return nil
	}
	return []string{e.from}
}

// benchEmbed measures the engines. Sizes that were done before a failure or an interrupt are told.
func (a *app) benchEmbed(ctx context.Context, o benchOptions, points int, asJSON bool, n *numbers) (err error) {
	n.Sizes = &sizesDone{}
	tell := func(rows []contest.Row) { // of a size
		n.Sizes.Done++
		if !asJSON && !o.embed.markdown {
			o.clear()
			fmt.Fprint(a.out, "\n"+contest.Table(rows))
			a.out.Flush() // an error stays, and is told in the end
		}
		add(n, rows)
	}
	if o.embed.from != "" {
		measured, of, err := readRows(o.embed.from)
		if err != nil {
			return err
		}
		n.Sizes.Of = of
		for _, size := range contest.Sizes(measured) {
			tell(size)
		}
	} else {
		eo, wrong := o.embed.resolve(o, points)
		if wrong != nil {
			return wrong
		}
		n.Sizes.Of = len(eo.Shapes)
		err = measureEmbed(ctx, eo, tell)
	}
	if asJSON || len(n.embedded) == 0 {
		return err
	}
	o.clear()
	switch {
	case !o.embed.markdown:
	case n.Sizes.Done > manySizes:
		fmt.Fprint(a.out, "\n"+contest.Compact(n.embedded))
	default:
		fmt.Fprint(a.out, "\n"+contest.Markdown(n.embedded))
	}
	if max(n.Sizes.Done, n.Sizes.Of) > 1 {
		fmt.Fprint(a.out, "\n"+contest.MeansTable(n.Means, n.Sizes.Done, n.Sizes.Of))
	}
	return err
}

const (
	manySizes = 8                      // more than this are a line each in a README
	lastCall  = 500 * time.Millisecond // for the call under way to end after Ctrl-C; see leaveSoon
)

// measureEmbed tells the rows of every size as soon as it is done. After an interrupt it does not wait for
// long: a call of a slow kernel cannot be cut short, and what was measured is still to be told.
func measureEmbed(ctx context.Context, o contest.Options, tell func([]contest.Row)) error {
	sizes, told := make(chan []contest.Row), make(chan struct{})
	ended, left := make(chan error, 1), make(chan struct{})
	defer close(left)
	o.Each = func(rows []contest.Row) {
		select {
		case sizes <- rows:
			<-told // nothing else is done while the next size is measured
		case <-left:
		}
	}
	if report := o.Progress; report != nil {
		o.Progress = func(done, total int) {
			if ctx.Err() == nil {
				report(done, total)
			}
		}
	}
	go func() {
		_, err := contest.Embed(ctx, o)
		ended <- err
	}()
	stop, late := ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case rows := <-sizes:
			tell(rows)
			told <- struct{}{}
		case err := <-ended:
			return err
		case <-stop:
			stop, late = nil, time.After(lastCall)
		case <-late:
			return ctx.Err()
		}
	}
}

// readRows reads the numbers of an earlier run, and of how many sizes they were to be.
func readRows(path string) (rows []contest.Row, of int, err error) {
	const remedy = "name the file that `blossom bench embed --out` wrote"
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, problem.Wrap(err, path, remedy, "the numbers cannot be read (%v)", err)
	}
	var told struct {
		Rows  []contest.Row
		Sizes sizesDone
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return nil, 0, problem.Wrap(err, path, remedy, "these are no numbers of a bench (%v)", err)
	}
	told.Rows = slices.DeleteFunc(told.Rows, func(r contest.Row) bool { return r.Bench != "embed" })
	if len(told.Rows) == 0 {
		return nil, 0, problem.New(path, remedy, "there are no numbers of embed in it")
	}
	return told.Rows, told.Sizes.Of, nil
}
