package bench

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

func init() {
	Register(Measure{Name: "embed", Title: "neighbours and projection of every engine and kernel that works here",
		Help: `Measures these stages: neighbours, for a codebook that has just moved; project, the
positions after that; total, both; drag, the positions when all landmarks of the map have moved; one, the
positions while one landmark is dragged, from the second frame on. Variants of the processor are compared with
the project's own plain scalar one; engines of a graphics card with the papers' best: the fastest published
neighbour kernel and the fastest published projection, found in the same run on the same card. Times of a card
are by its own clock. --grid papers counts k as the papers do, as the neighbours found, so that EmbedSOM's k is
one less. There, published kernels that are far from the best of their stage are measured once, and not while
landmarks are dragged.`,
		Flags: []Flag{deviceFlag,
			engineFlag(", and gpu is those of graphics cards that work (default: all that work here)"),
			pointsFlag(1, most, "size of the data (default: 1048576)"),
			quickFlag("a quarter of the points and few repetitions"),
			{Name: "data", Default: contest.Uniform, Help: contest.Uniform + " points (the worst case) or " +
				contest.Clustered + " ones (24 populations of 39 columns)"},
			{Name: "from", Default: "", Reads: true,
				Help: "lay the numbers of an earlier run out, from the `file` that --out or " +
					"--json made, and measure nothing"},
			{Name: "grid", Default: "", Help: "`papers` for the 80 sizes that the papers on GPU EmbedSOM measured"},
			{Name: "repeats", Default: 0, Help: "how often each stage is measured (default: 7, 20 on a graphics card)"},
			{Name: "shape", Default: []string(nil), Help: "one size: `columns,landmarks,k`"}},
		Columns: contest.Columns,
		Head:    func(rows []any) string { return contest.Head(rows[0].(contest.Row)) },
		End:     embedEnd, Run: embed})
}

// Time for the repetitions of one kernel on one size.
const (
	embedBudget = 4 * time.Second
	gridBudget  = 400 * time.Millisecond
	quickBudget = 200 * time.Millisecond
	gridRepeats = 10
)

// embed measures the engines, or lays numbers of an earlier run out.
func embed(ctx context.Context, r *Run) error {
	r.Sizes = &Sizes{}
	var all []contest.Row
	tell := func(rows []contest.Row) { // tells the rows of a size
		r.Sizes.Done++
		all = append(all, rows...)
		r.Means = contest.Means(all)
		for _, row := range rows {
			r.Add(row)
		}
		r.Tell()
	}
	if from := r.Text("from"); from != "" {
		rows, of, err := embedRows(from)
		if err != nil {
			return err
		}
		r.Sizes.Of = of
		for _, size := range contest.Sizes(rows) {
			tell(size)
		}
		return nil
	}
	o, err := embedOptions(r)
	if err != nil {
		return err
	}
	r.Sizes.Of, o.Each = len(o.Shapes), tell
	_, err = contest.Embed(ctx, o)
	return err
}

// embedOptions makes the options of the contest.
func embedOptions(r *Run) (contest.Options, error) {
	o := contest.Options{Data: r.Text("data"), Repeats: r.Int("repeats"), Budget: embedBudget, Seed: 1,
		Progress: func(done, total int) { r.Progress("embed", int64(done), int64(total)) }}
	if o.Repeats > 0 {
		o.Budget = 0 // as often as asked for
	}
	n := r.points(1 << 20)[0]
	if r.Bool("quick") {
		if r.Int("points") == 0 {
			n /= 4
		}
		if o.Repeats == 0 {
			o.Repeats, o.Budget = 5, quickBudget
		}
	}
	grid, shape := r.Text("grid"), r.List("shape")
	switch {
	case grid != "" && grid != "papers":
		return o, usage("use --grid papers, or leave it out", "there is no grid %q", grid)
	case grid != "" && shape != nil:
		return o, usage("leave one out", "--grid and --shape exclude each other")
	case grid != "":
		o.Shapes, o.Prune = contest.Grid(n), true
		if o.Repeats == 0 {
			o.Repeats, o.Budget = gridRepeats, gridBudget
		}
	case shape != nil:
		size, err := embedShape(shape)
		if err != nil {
			return o, err
		}
		size.N = n
		o.Shapes = []contest.Shape{size}
	default:
		o.Shapes = contest.Shapes(n)
		for i := range o.Shapes {
			if o.Data == contest.Clustered {
				o.Shapes[i].D = 39
			}
		}
	}
	for _, s := range o.Shapes {
		if err := fits(8*int64(s.N)*int64(s.D+1), "%d points of %d columns", s.N, s.D); err != nil {
			return o, err
		}
	}
	list, err := contest.Contenders(r.Text("engine"), engine.Options{Device: r.Compute().Device, GL: r.GL})
	for _, c := range list {
		if k, _ := engine.Named(c.Engine); k.Kind == engine.Processor && c.Threads == 0 {
			if r.Int("threads") == 1 {
				continue // it is there already
			}
			c.Threads = r.Int("threads") // in place of all cores
		}
		o.Contenders = append(o.Contenders, c)
	}
	return o, err
}

// embedShape reads columns, landmarks and k.
func embedShape(words []string) (s contest.Shape, err error) {
	into := []*int{&s.D, &s.G, &s.K}
	wrong := len(words) != len(into)
	for i, word := range words[:min(len(into), len(words))] {
		if *into[i], err = strconv.Atoi(word); err != nil || *into[i] < 1 || *into[i] > 1<<16 {
			wrong = true
		}
	}
	if wrong {
		return s, usage("write columns,landmarks,k: --shape 16,256,16", "--shape %v is no size", words)
	}
	return s, nil
}

// embedRows reads the numbers of an earlier run, and of how many sizes they were to be.
func embedRows(path string) (rows []contest.Row, of int, err error) {
	const remedy = "name the file that `blossom bench embed --out` wrote"
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, problem.Wrap(err, path, remedy, "the numbers cannot be read (%v)", err)
	}
	var told struct {
		Rows  []contest.Row
		Sizes Sizes
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

// embedEnd is the means over the sizes, and for a README the table of all.
func embedEnd(all Numbers, readme bool) (text string) {
	if readme {
		text = contest.Readme(rowsOf[contest.Row](all.Rows)).Markdown()
	}
	if len(all.Means) == 0 || max(all.Sizes.Done, all.Sizes.Of) < 2 {
		return text
	}
	head, means := contest.MeansTable(all.Means, all.Sizes.Done, all.Sizes.Of)
	if text != "" {
		text += "\n"
	}
	if readme {
		return text + head + "\n\n" + means.Markdown()
	}
	return text + head + "\n" + means.Text()
}
