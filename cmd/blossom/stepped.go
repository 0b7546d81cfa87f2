package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// layingOut is a command that lays all points out by an embedding that runs, or places new ones in such a map.
type layingOut struct {
	computing
	kind   *embedding.Kind
	values step.Values // parameters that were said
	own    job.Want    // the wish that a command makes of its own flags; nil: positions with the values
	out    string
	dims   int
	beside job.Beside
	start  string    // a file of positions
	into   string    // points in whose
	places string    // map new ones are placed
	tables []*string // where those of the kind go, in its order
	parts  parting
}

// steppedCommands are a command for each embedding that runs, with a flag for each of its parameters, but for those
// that have a command of their own.
func steppedCommands(a *app, own []*cobra.Command) (all []*cobra.Command) {
	for _, k := range job.Running() {
		taken := slices.ContainsFunc(own, func(c *cobra.Command) bool { return c.Name() == k.ID })
		if k.Run.Basis != nil && !taken {
			all = append(all, steppedCommand(a, k))
		}
	}
	return all
}

func steppedCommand(a *app, k *embedding.Kind) *cobra.Command {
	o := &layingOut{computing: computing{app: a, s: settings()}, kind: k, values: step.Values{}}
	also := ""
	if k.Run.Into != nil {
		also = `

With --into REF --map Y new points are placed in a map that stays as it is: INPUT has the new points, REF those of the
map, Y their positions. Each is placed for itself.

With OUT/, a folder, INPUT may be more rows than memory holds: a sample of them (--shown) is laid out, and each input is
a part of its own, whose rows are placed in that map. --runner says what makes the parts; see docs/scale.md.`
	}
	c := &cobra.Command{
		Use:   k.ID + " INPUT...|--session FILE -o OUT",
		Short: "Lay all points out by " + k.Title + ", or place new ones in such a map",
		Long: fmt.Sprintf(`Lays all points of INPUT out by %[1]s and writes their coordinates, a row for each row of
INPUT, as the extension of OUT says: .npy (n x dims float32), .csv, .tsv (header %[2]s1,%[2]s2) or another of
%[3]s, texts also as .csv.gz; "-" is CSV on standard output. Points with a missing or infinite value in a column
of the map have no coordinates (NaN). The same input, seed, engine and variant give the same bytes, whatever the number
of threads.`,
			k.Title, k.ID, strings.Join(format.Extensions(), " ")) + also,
		Example: fmt.Sprintf(`  blossom %[1]s sample.fcs -o map.csv
  blossom %[1]s points.npy --scale=none --seed 1 --json -o map.npy
  blossom %[1]s points.npy --dims 3 -o map3.npy`, k.ID),
		RunE: o.run,
	}
	f := c.Flags()
	for i := range k.Run.Params {
		o.param(f, &k.Run.Params[i])
	}
	if f.Lookup("start") == nil {
		f.StringVar(&o.start, "start", "", "a `FILE` of positions where points begin")
	}
	for _, t := range k.Run.Tables {
		o.tables = append(o.tables, f.String(t.ID, "", t.Help))
	}
	o.flags(c)
	return c
}

// flags are those of every such command.
func (o *layingOut) flags(c *cobra.Command) {
	f := c.Flags()
	outputFlag(c, &o.out, "`OUT` file: "+strings.Join(format.Extensions(), ", ")+", or - for standard output")
	f.IntVar(&o.dims, "dims", 0, "dimensions of the map, `2 or 3` (default 2)")
	if o.kind.Run.Into != nil {
		f.StringVar(&o.into, "into", "", "place INPUT in the map of the points in `REF`")
		f.StringVar(&o.places, "map", "", "whose positions are in the file `Y`")
		o.parts.placedFlags(f)
	}
	besideFlags(f, &o.beside)
	f.BoolVar(&o.keep, "keep", false, "on Ctrl-C write the map as far as it has come")
	o.computing.flags(c)
	inputFlags(f, &o.s)
	engineFlags(f, &o.s.Machine)
	own := []string{"dims", "keep"}
	if o.own == nil {
		for _, p := range o.kind.Run.Params {
			own = append(own, p.ID)
		}
	}
	c.Args = o.from.args(own...)
}

// run makes the map, or places points.
func (o *layingOut) run(c *cobra.Command, inputs []string) error {
	if err := o.check(c.Flags()); err != nil {
		return err
	}
	inParts, err := o.inParts(c.Flags())
	if err != nil {
		return err
	}
	if inParts {
		return o.placeInParts(c.Context(), inputs)
	}
	if err := folder(c.Flags(), &o.out); err != nil {
		return err
	}
	want, made := o.want()
	var w *job.Work
	if o.into != "" {
		w, err = o.place(c.Context(), inputs, want.(*job.Placed))
	} else {
		w, err = o.computed(c.Context(), o.out, inputs, func(report run.Report) (*job.Job, error) {
			j, err := o.job(c.Context(), &o.s, inputs, report)
			if err == nil {
				j.Want(want)
			}
			return j, err
		}, want)
	}
	if w == nil {
		return err
	}
	if failed := o.tell(w, made()); failed != nil {
		return failed
	}
	return err
}

// check refuses flags that would say nothing.
func (o *layingOut) check(f *pflag.FlagSet) error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	if f.Changed("dims") && o.dims != 2 && o.dims != 3 {
		return wrong("use --dims 2 or --dims 3", "a map has 2 or 3 dimensions, not %d", o.dims)
	}
	if (o.into == "") != (o.places == "") {
		return wrong("give both: the reference's points, and its map", "--into and --map belong together")
	}
	if o.into == "" {
		return nil
	}
	idle := []string{"dims", "start", "keep"}
	for _, t := range o.kind.Run.Tables {
		idle = append(idle, t.ID)
	}
	return idleFlags(f, "new points are placed as the map has it: --into", idle...)
}

// idleFlags refuses flags that say nothing, and says why.
func idleFlags(f *pflag.FlagSet, why string, names ...string) error {
	for _, name := range names {
		if f.Changed(name) {
			return run.Usage{Err: problem.New("", "leave it out", "--%s says nothing here: %s", name, why)}
		}
	}
	return nil
}

// want is what the flags want, and made what has come of it.
func (o *layingOut) want() (want job.Want, made func() *job.PointsMap) {
	r := embedding.Recipe{Kind: o.kind.ID, Dims: max(2, o.dims)}
	if o.into != "" {
		p := &job.Placed{Of: r, Map: o.places, Compensation: o.s.Space.Compensation, Output: o.out,
			Beside: o.beside}
		return p, func() *job.PointsMap { return p.Made }
	}
	if t, own := o.own.(*job.TSNE); own && o.from.session == "" {
		t.Output, t.Dims, t.Keep = o.out, o.dims, o.keep
		t.Measure, t.Beside = o.json, o.beside
		return t, func() *job.PointsMap { return t.Made }
	}
	p := &job.Positions{Of: r, Output: o.out, Rows: o.from.session == "", StartFile: o.start, Keep: o.keep,
		Beside: o.beside, Measure: o.json}
	for i, t := range o.kind.Run.Tables {
		if path := *o.tables[i]; path != "" {
			p.Tables = append(p.Tables, job.Table{ID: t.ID, Output: path})
		}
	}
	return p, func() *job.PointsMap { return p.Made }
}

// job makes the job of some points, with the parameters of the run.
func (o *layingOut) job(ctx context.Context, s *run.Flags, inputs []string, report run.Report) (*job.Job, error) {
	if !o.from.print {
		engine.Start(s.Machine.Engine, s.Machine.GPU)
	}
	j, err := o.from.job(ctx, s, inputs, report, (*job.Job).ForPoints)
	if err != nil || o.own != nil && o.from.session == "" {
		return j, err
	}
	return j, j.Values(embedding.Recipe{Kind: o.kind.ID, Dims: max(2, o.dims)}, o.values)
}

// place places the inputs in the map of others.
func (o *layingOut) place(ctx context.Context, inputs []string, p *job.Placed) (*job.Work, error) {
	p.Points = []job.File{{Path: inputs[0]}} // until they are read
	return o.computed(ctx, o.out, inputs, func(report run.Report) (*job.Job, error) {
		reference := o.s
		in := &reference.Input
		in.More, in.Join, in.MaxPoints = nil, nil, 0 // these flags are about the new points
		j, err := o.job(ctx, &reference, []string{o.into}, report)
		if err != nil {
			return nil, err
		}
		others, err := job.Open(ctx, &o.s, inputs, o.from.hash, report)
		if err != nil {
			return nil, err
		}
		j.Place(p, others)
		return j, nil
	}, p)
}

// param makes a flag of a parameter. A choice of where points begin may be a file, too.
func (o *layingOut) param(f *pflag.FlagSet, p *step.Param) {
	help, _, _ := strings.Cut(p.Help, ". ") // the first sentence
	help = strings.ToLower(help[:1]) + strings.TrimSuffix(help[1:], ".")
	if len(p.Choices) > 0 {
		names := problem.OneOf(p.Choices...)
		if p.ID == "start" {
			names += ", or a file of positions, which keep their size"
		}
		help += ": " + names
	}
	f.Var(&paramFlag{o, p}, p.ID, help)
}

// paramFlag is a parameter as a flag.
type paramFlag struct {
	o *layingOut
	p *step.Param
}

func (v *paramFlag) Type() string {
	if len(v.p.Choices) > 0 {
		return "name"
	}
	return "number"
}

func (v *paramFlag) String() string {
	if v.p == nil {
		return ""
	}
	x := v.o.values.Get(*v.p)
	switch {
	case len(v.p.Choices) > 0:
		return v.p.Choices[int(x)]
	case x == 0 && v.p.Zero != "":
		return v.p.Zero
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func (v *paramFlag) Set(text string) error {
	p := v.p
	if i := slices.Index(p.Choices, text); i >= 0 {
		v.o.values[p.ID] = float64(i)
		return nil
	}
	if len(p.Choices) > 0 {
		if p.ID == "start" && strings.ContainsAny(text, `./\`) {
			v.o.start = text
			return nil
		}
		return fmt.Errorf("%q is none of %s", text, problem.OneOf(p.Choices...))
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case p.Zero != "" && text == p.Zero:
		x = 0
	case err != nil || math.IsNaN(x):
		return fmt.Errorf("%q is not a number", text)
	case p.Integer && x != math.Trunc(x):
		return fmt.Errorf("%q is not a whole number", text)
	case p.Clamp(x) != x:
		return fmt.Errorf("%g is not from %g to %g", x, p.Min, p.Max)
	}
	v.o.values[p.ID] = x
	return nil
}
