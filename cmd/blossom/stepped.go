package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/maps/quality"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// steppedCommands are a command for each embedding that runs, with a flag for each of its parameters, but for those
// that have a command of their own.
func steppedCommands(a *app, own []*cobra.Command) (all []*cobra.Command) {
	for _, k := range embedding.Kinds() {
		taken := slices.ContainsFunc(own, func(c *cobra.Command) bool { return c.Name() == k.ID })
		if k.Way == embedding.Stepwise && k.Run.Basis != nil && !taken {
			all = append(all, steppedCommand(a, k))
		}
	}
	return all
}

// stepped is such a command at work.
type stepped struct {
	*app
	s      run.Settings
	t      run.Stepped
	out    string
	tables []*string // where those of the kind go, in its order
	json   bool
	from   jobFlags
}

func steppedCommand(a *app, k *embedding.Kind) *cobra.Command {
	o := &stepped{app: a, s: settings(), t: run.Stepped{Kind: k, Values: step.Values{}}}
	also := ""
	if k.Run.Into != nil {
		also = `

With --into REF --map Y new points are placed in a map that stays as it is: INPUT has the new points, REF those of the
map, Y their positions. Each is placed for itself.`
	}
	var clash func(string) error
	c := &cobra.Command{
		Use:   k.ID + " INPUT...|--session FILE -o OUT",
		Short: "Lay all points out by " + k.Title + ", or place new ones in such a map",
		Long: fmt.Sprintf(`Lays all points of INPUT out by %[1]s and writes their coordinates, a row for each row of
INPUT, as the extension of OUT says: .npy (n x dims float32), .csv, .tsv (header %[2]s1,%[2]s2); "-" is CSV on
standard output. Points with a missing or infinite value in a column of the map have no coordinates (NaN). The same
input, seed, engine and variant give the same bytes, whatever the number of threads.`, k.Title, k.ID) + also,
		Example: fmt.Sprintf(`  blossom %[1]s sample.fcs -o map.csv
  blossom %[1]s points.npy --scale=none --seed 1 --json -o map.npy
  blossom %[1]s points.npy --dims 3 -o map3.npy`, k.ID),
		RunE: func(c *cobra.Command, paths []string) error {
			if c.Flags().Changed("dims") && o.s.Dims == 0 {
				return run.Usage{Err: problem.New("", "use --dims 2 or --dims 3", "a map cannot have 0 dimensions")}
			}
			if err := clash(o.out); err != nil {
				return err
			}
			if o.from.session != "" || o.from.print {
				return o.job(c, paths)
			}
			return o.run(c, paths)
		},
	}
	outputFlag(c, &o.out, "`OUT` file: .npy, .csv, .tsv, or - for standard output")
	f := c.Flags()
	f.IntVar(&o.s.Dims, "dims", 0, "dimensions of the map, `2 or 3` (default 2)")
	for i := range k.Run.Params {
		o.param(f, &k.Run.Params[i])
	}
	if f.Lookup("start") == nil {
		f.StringVar(&o.t.Start, "start", "", "a `FILE` of positions where points begin")
	}
	if k.Run.Into != nil {
		f.StringVar(&o.t.Into, "into", "", "place INPUT in the map of the points in `REF`")
		f.StringVar(&o.t.Map, "map", "", "whose positions are in the file `Y`")
	}
	for _, t := range k.Run.Tables {
		o.tables = append(o.tables, f.String(t.ID, "", t.Help))
	}
	f.BoolVar(&o.t.Keep, "keep", false, "on Ctrl-C write the map as far as it has come")
	o.from.add(c)
	c.Args = o.from.args(besideSessionOf(k)...)
	inputFlags(f, &o.s)
	engineFlags(f, &o.s)
	clash = jsonFlag(c, &o.json)
	return c
}

// besideSessionOf are the flags of a kind that go with --session.
func besideSessionOf(k *embedding.Kind) []string {
	own := []string{"dims"}
	for _, p := range k.Run.Params {
		own = append(own, p.ID)
	}
	return own
}

// param makes a flag of a parameter. A choice of where points begin may be a file, too.
func (o *stepped) param(f *pflag.FlagSet, p *step.Param) {
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
	o *stepped
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
	x := v.o.t.Values.Get(*v.p)
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
		v.o.t.Values[p.ID] = float64(i)
		return nil
	}
	if len(p.Choices) > 0 {
		if p.ID == "start" && strings.ContainsAny(text, `./\`) {
			v.o.t.Start = text
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
	v.o.t.Values[p.ID] = x
	return nil
}

func (o *stepped) run(c *cobra.Command, paths []string) error {
	o.s.More = paths[1:]
	if err := o.t.Check(&o.s); err != nil {
		return err
	}
	limitThreads(o.s.Threads)
	if err := o.check(c.Flags(), paths); err != nil {
		return err
	}
	if o.t.Keep {
		unhurried.Store(true) // what there is is written first
		defer unhurried.Store(false)
	}
	report, end := o.progress()
	defer end()
	m, stopped := o.t.Run(c.Context(), &o.s, paths[0], o.json, report)
	if m == nil {
		if o.t.Keep && errors.Is(stopped, context.Canceled) {
			end()
			o.note("there was no map yet that could be kept: its points were still being prepared")
		}
		return stopped
	}
	ctx := context.WithoutCancel(c.Context())
	if stopped == nil {
		ctx = c.Context()
	}
	if err := o.save(ctx, m, report); err != nil {
		return err
	}
	end()
	if err := o.tell(paths[0], m); err != nil {
		return err
	}
	return stopped
}

// job makes the map of a session, or prints a job.
func (o *stepped) job(c *cobra.Command, paths []string) error {
	o.s.More = paths[min(1, len(paths)):]
	if err := o.t.Check(&o.s); err != nil {
		return err
	}
	limitThreads(o.s.Threads)
	if err := o.from.checkOutput(o.out, knownTable, o.s.Files(paths...)...); err != nil {
		return err
	}
	unsaid := []string{"into", "map", "start", "keep"}
	for _, t := range o.t.Kind.Run.Tables {
		unsaid = append(unsaid, t.ID)
	}
	for _, name := range unsaid {
		if f := c.Flags().Lookup(name); f != nil && f.Changed && (name != "start" || o.t.Start != "") {
			return run.Usage{Err: problem.New("", "leave one of them out", "--%s cannot be said in a job", name)}
		}
	}
	return o.positions(c.Context(), &o.from, &o.s, paths, o.t.Kind, o.t.Values, o.out, o.from.session == "", o.json)
}

// check refuses outputs that cannot be written, and flags that would say nothing.
func (o *stepped) check(f *pflag.FlagSet, paths []string) error {
	inputs := append(o.s.Files(paths...), o.t.Files()...)
	if err := checkOutput(o.out, knownTable, inputs...); err != nil {
		return err
	}
	inputs = append(inputs, o.out)
	for i, t := range o.t.Kind.Run.Tables {
		path := *o.tables[i]
		if path == "" {
			continue
		}
		if path != "-" && filepath.Clean(path) == filepath.Clean(o.out) {
			return run.Usage{Err: problem.New(path, "give each a file of its own", "two outputs have one name")}
		}
		if err := checkOutput(path, knownTable, inputs...); err != nil {
			return err
		}
		if path == "-" && (o.out == "-" || o.json) {
			return run.Usage{Err: problem.New("", "write one of them to a file", "two want standard output")}
		}
		inputs = append(inputs, path)
		o.t.Tables = append(o.t.Tables, t.ID)
	}
	if o.t.Into == "" {
		return nil
	}
	for _, name := range append([]string{"dims", "start", "keep"}, o.t.Tables...) {
		if f.Changed(name) {
			return run.Usage{Err: problem.New("", "leave it out",
				"--%s says nothing here: new points are placed as the map has it: --into", name)}
		}
	}
	return nil
}

// save writes the tables beside the map, and then the map: it is not left alone where one of them fails.
func (o *stepped) save(ctx context.Context, m *run.SteppedMap, report run.Report) error {
	ds, err := export.Coordinates(ctx, m.Title, m.Pos, m.Dims, nil)
	if err != nil {
		return err
	}
	ds.Metadata = map[string]string{export.EngineKey: engine.FullName(m.Engine, m.Variant)}
	for i, t := range o.t.Kind.Run.Tables {
		columns, wanted := m.Tables[t.ID]
		if !wanted {
			continue
		}
		ds, err := dataset.FromColumns(ctx, t.ID, columns)
		if err != nil {
			return err
		}
		if err := format.Save(ctx, *o.tables[i], ds, nil); err != nil {
			return err
		}
	}
	return o.saveTable(ctx, o.out, ds, report)
}

// steppedSummary is what the command says of its work with --json.
type steppedSummary struct {
	summary
	Quality     *keptNeighbours   `json:"quality,omitempty"`
	Units       *int              `json:"units"`
	Interrupted bool              `json:"interrupted,omitempty"`
	Stages      map[string]number `json:"seconds_by_stage"`
}

// keptNeighbours is what a map keeps of them.
type keptNeighbours struct {
	RNX             number `json:"r_nx"`
	RNXError        number `json:"r_nx_error"`
	K               int    `json:"r_nx_k"`
	Queries         int    `json:"r_nx_points"`
	Trustworthiness number `json:"trustworthiness"`
	TrustedK        int    `json:"trustworthiness_k"` // of continuity too
	Continuity      number `json:"continuity"`
}

// tell says what there is to know.
func (o *stepped) tell(input string, m *run.SteppedMap) error {
	notes := withFormat(o.out, m.Notes)
	if !o.json {
		o.notes(notes)
		return nil
	}
	p, out := m.Points, steppedSummary{Interrupted: m.Interrupted, Stages: map[string]number{}}
	out.summary = summary{Input: input, Output: o.out, Points: p.Data.Points, Total: p.Data.Total,
		Invalid: p.Table.Invalid, Dims: m.Dims, Engine: m.Engine, Variant: m.Variant, Device: m.Device, Seed: o.s.Seed,
		Notes: append([]string{}, notes...), Reading: asked(p.Data.Reading)}
	out.summary.of(p)
	if len(o.s.More) > 0 {
		out.Inputs = append([]string{input}, o.s.More...)
	}
	if !m.Placed {
		out.Units = &m.Units
	}
	if q := m.Quality; q != nil && q.Queries > 0 {
		out.Quality = &keptNeighbours{number(q.RNX), number(q.Error), q.K, q.Queries, number(q.Trustworthiness),
			quality.Trusted, number(q.Continuity)}
	}
	for _, stage := range m.Stages {
		out.Stages[strings.ReplaceAll(stage.Name, " ", "_")] += number(stage.Seconds)
	}
	out.Seconds = time.Since(o.started).Seconds()
	return o.printJSON(out)
}
