package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// parting is a command that makes something of many files in parts, or goes on with it.
type parting struct {
	runner string
	format string // parts have it
	mixed  bool
	skip   bool
	stall  time.Duration
	shown  int // rows of the sample that a window shows
	most   int // rows of a part
	args   []string
	noWait bool // jobs go on by themselves

	without string // the remedy where a flag of parts means nothing
}

// runnerFlags are those of every command that places parts.
func (p *parting) runnerFlags(f *pflag.FlagSet) {
	f.StringVar(&p.runner, "runner", "", "make parts, one of each input, by "+problem.OneOf(scale.Runners()...))
	f.BoolVar(&p.skip, "skip-bad", false, "finish without the parts that cannot be made; the manifest lists them")
	f.DurationVar(&p.stall, "stall", 10*time.Minute, "with a scheduler: give up when no part was made for so long")
	f.StringArrayVar(&p.args, "runner-args", nil,
		"one more argument for the runner: of sbatch, or of Beam: `--partition=long`; as often as needed")
	f.BoolVar(&p.noWait, "no-wait", false,
		"with slurm: end when tasks are submitted; a job that waits for them goes on with this command")
	f.AddFlag(&pflag.Flag{Name: "slurm-args", Usage: "the same as --runner-args", DefValue: "[]",
		Value: f.Lookup("runner-args").Value})
}

// partFlags are all of them.
var partFlags = []string{"runner", "skip-bad", "stall", "runner-args", "slurm-args", "no-wait", "part-format",
	"part-rows", "shown", "mixed"}

// flags are runnerFlags and those of a new plan of coordinates.
func (p *parting) flags(f *pflag.FlagSet) {
	p.labelFlags(f)
	f.IntVar(&p.shown, "shown", scale.MostShown, "rows of the sample that blossom OUT/ shows in the window; 0: none")
}

// labelFlags are runnerFlags and those of a new plan.
func (p *parting) labelFlags(f *pflag.FlagSet) {
	p.runnerFlags(f)
	f.StringVar(&p.format, "part-format", "npy", "format of the parts: "+strings.Join(format.Extensions(), ", "))
	f.IntVar(&p.most, "part-rows", 10_000_000,
		"rows that a part has at most: files with more are several, if their rows are read alone; 0: a file is one")
	f.BoolVar(&p.mixed, "mixed", false,
		"machines may have other processors or engines, whose parts differ in their last digits")
}

// wanted says whether a command works in parts: a runner is named, or the output is a folder and nothing else makes it
// one.
func (p *parting) wanted(f *pflag.FlagSet, out string) bool {
	split := f.Lookup("split")
	return p.runner != "" || export.IsFolder(out) && !(split != nil && split.Changed) || p.mixed || p.skip ||
		f.Changed("part-format") || f.Changed("part-rows")
}

// options are what runners need of a command.
func (p *parting) options(a *app, o job.Options) (*scale.Options, error) {
	self, err := os.Getenv("BLOSSOM_SELF"), error(nil) // where the program lies elsewhere on the nodes
	if self == "" {
		self, err = os.Executable()
	}
	if err != nil {
		self = os.Args[0]
	}
	say := a.note
	if r, _, err := scale.RunnerOf(p.word()); err == nil && r.Later {
		say = func(format string, args ...any) {
			a.out.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), "\n") + "\n")
		}
	}
	out := &scale.Options{Options: o, Skip: p.skip, Stall: p.stall, Args: p.args, Self: self, Say: say}
	if p.noWait {
		folder, err := os.Getwd()
		if err != nil {
			return nil, problem.Wrap(err, "", "leave --no-wait out", "the folder that it is started in is unknown: %v",
				err)
		}
		out.Next = &scale.Next{Args: os.Args[1:], Folder: folder}
	}
	if report := o.Report; report != nil {
		out.Progress = func(done, total int64) { report("parts", done, total) }
		out.Options.Report = nil // a part's own stages would hide how many there are
	}
	return out, nil
}

// check refuses what no runner can do.
func (p *parting) check() error {
	if p.most < 0 {
		return run.Usage{Err: problem.New("", "give a number of rows, or 0", "--part-rows %d is none", p.most)}
	}
	if p.stall <= 0 {
		return run.Usage{Err: problem.New("", "give a time: --stall 10m", "--stall %v is no time to wait", p.stall)}
	}
	return nil
}

// ignored refuses what is of parts where one file is written: flags that would do nothing, and folders of parts, whose
// rows no file is made of.
func (p *parting) ignored(f *pflag.FlagSet, paths []string) error {
	for _, path := range paths {
		if of, err := (&asking{paths: []string{path}}).finished(); of != nil || err != nil {
			return run.Usage{Err: problem.New(path, "write a folder: -o out/, or name its sample: "+
				scale.SampleIn(path), "is a folder of parts, of whose rows one file is not made")}
		}
	}
	for _, name := range []string{"shown", "stall", "runner-args", "slurm-args", "no-wait"} {
		if f.Changed(name) {
			return run.Usage{Err: problem.New("", "write parts to a folder: -o out/, or leave it out",
				"--%s is of parts, and one file is written", name)}
		}
	}
	return nil
}

func (p *parting) word() string {
	if p.runner == "" {
		return scale.Local
	}
	return p.runner
}

// checked is the runner that is asked for, if it can be used.
func (p *parting) checked(o *scale.Options) (scale.Runner, string, error) {
	if err := p.check(); err != nil {
		return scale.Runner{}, "", err
	}
	r, kind, err := scale.RunnerOf(p.word())
	if err == nil && p.noWait && r.Chain == nil {
		err = run.Usage{Err: problem.New("", "use --runner slurm, or leave it out",
			"--no-wait: nothing goes on after --runner %s by itself", p.word())}
	}
	if err == nil && r.Lacks != nil {
		err = r.Lacks(kind, o)
	}
	return r, kind, err
}

// make makes the plan of what is wanted of files, or of the rows of a finished folder, and its parts.
func (p *parting) make(ctx context.Context, o *computing, f *pflag.FlagSet, a asking) error {
	switch {
	case o.from.print:
		return run.Usage{Err: problem.New("", "write one file, or leave it out", "--print-job does not go with parts")}
	case a.out == "" || a.out == "-":
		return run.Usage{Err: problem.New("", "name a folder: -o out/", "parts are written to a folder")}
	}
	if err := o.s.Check(); err != nil {
		return err
	}
	of, err := a.finished()
	if err != nil {
		return err
	}
	p.like(of, f)
	return p.planned(ctx, o, a.out, func(ext string, report run.Report) (*scale.Plan, error) {
		w := scale.Wish{Flags: &o.s, Want: a.want, Paths: a.paths, Of: of, Folder: filepath.Clean(a.out), Output: ext,
			Mixed: p.mixed, Shown: p.shown, Most: p.most, Program: signature()}
		if err := a.states(ctx, o, &w, report); err != nil {
			return nil, err
		}
		return scale.Prepare(ctx, w, report)
	})
}

// planned makes the parts, of files with an extension, that plan plans in the folder out, once these can be made.
func (p *parting) planned(ctx context.Context, o *computing, out string,
	plan func(ext string, report run.Report) (*scale.Plan, error)) error {
	ext := "." + strings.TrimPrefix(p.format, ".")
	if err := format.Writable("x" + ext); err != nil {
		return run.Usage{Err: err}
	}
	limitThreads(o.s.Machine.GPU.Threads)
	report, end := o.progress()
	defer end()
	options, err := p.options(o.app, o.options(report))
	if err != nil {
		return err
	}
	if _, _, err := p.checked(options); err != nil {
		return err
	}
	if err := checkFolder(out); err != nil {
		return err
	}
	made, err := plan(ext, report)
	if err != nil {
		return err
	}
	m, err := p.run(ctx, made, options, report)
	end()
	if err != nil || m == nil || !o.json {
		return err
	}
	return o.printJSON(m)
}

// run makes what is missing of a plan, and finishes it. There is no manifest of what is made later, and of what goes on
// by itself.
func (p *parting) run(ctx context.Context, plan *scale.Plan, o *scale.Options, report run.Report) (m *scale.Manifest,
	err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // so many rows go by that garbage as large again is not waited for
	r, kind, err := p.checked(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = goesOn(plan, err) }()
	if o.Beside = scale.Held(plan.Folder()); o.Beside {
		o.Say("%s: something is at work on it already, beside which this goes on; blossom status %s says how far it is",
			plan.Folder(), plan.Folder())
	}
	if !r.Later {
		inner, release := plan.Hold(ctx)
		defer release()
		defer func() { err = scale.Stopped(inner, err) }()
		ctx = inner
	}
	flaws, _ := scale.Damaged(ctx, plan, false, nil) // where the manifest cannot be read it is made anew
	if err := p.lay(ctx, plan, o, report); err != nil {
		if errors.Is(err, scale.ErrLater) {
			err = nil
		}
		return nil, err
	}
	todo, err := plan.Missing(ctx, true, report.Stage("checking"))
	if err != nil {
		return nil, err
	}
	if len(todo) > 0 { // Missing has read the same files, whose sums are known
		flaws, _ = scale.Damaged(ctx, plan, true, nil)
	}
	if again := o.Next == nil || scale.Round(plan.Sum()) <= scale.MostRounds; len(todo) > 0 && again || r.Later {
		if err := plan.Note(scale.Placed{Runner: p.word(), Args: p.args}); err != nil {
			return nil, err
		}
		if o.Next != nil {
			return nil, r.Chain(ctx, plan, todo, o)
		}
		if err := r.Run(ctx, plan, kind, todo, o); err != nil || r.Later {
			return nil, err
		}
	}
	m, err = plan.Finish(ctx, p.skip, report.Stage("finishing"))
	if err == nil && len(todo) == 0 {
		sayWhole(ctx, plan, m, flaws, o)
	} else if err == nil {
		sayMended(plan, m, len(todo), flaws, o)
		sayOfParts(plan, m, o)
	}
	return m, err
}

// places says whether the parts of a plan are places of the rows on a map.
func places(plan *scale.Plan) bool {
	what := plan.Jobs[0].Wanted[0].What()
	return what == (&job.Embedding{}).What() || what == (&job.Placed{}).What()
}

// goesOn says of a disk that is full that what is done is kept, and how to go on.
func goesOn(plan *scale.Plan, err error) error {
	if err == nil || !plain.Full(err) {
		return err
	}
	is := problem.As(err)
	return problem.Wrap(err, is.File, "free some space, and go on with what is done: blossom resume "+plan.Folder(),
		"%s", is.What)
}

// lay makes the map that the parts of a plan are placed in, where it makes one: its sample by the runner, then the map
// here.
func (p *parting) lay(ctx context.Context, plan *scale.Plan, o *scale.Options, report run.Report) error {
	here := o.Options
	here.Report = report
	l := &scale.Layout{Of: plan, Options: here}
	l.Make = func(sample *scale.Plan) error {
		if err := plan.Note(scale.Placed{Runner: p.word(), Args: p.args}); err != nil {
			return err
		}
		of := *o
		if of.Progress = nil; report != nil {
			of.Progress = func(done, total int64) { report("sample", done, total) }
		}
		m, err := p.run(ctx, sample, &of, report)
		if err == nil && m == nil {
			if err = scale.ErrLater; o.Next == nil {
				o.Say("# the sample. When it is done: blossom resume %s, with the same runner, for what comes next.",
					plan.Folder())
			}
		}
		return err
	}
	return l.Lay(ctx)
}

func partCommand(a *app) *cobra.Command {
	o, shard := &computing{app: a, s: settings()}, ""
	c := &cobra.Command{
		Use:   "part PLAN --shard I/N|auto",
		Short: "Make a part of a plan: what schedulers run",
		Long: `Makes one part of PLAN, the plan.json or the folder that blossom embed -o FOLDER/ has made, and writes
its receipt. A part that is there and whole is left as it is; it may be made twice, also at once, with the same bytes.
"auto" takes the number from the scheduler: Slurm, Grid Engine, LSF, PBS, Kubernetes, AWS Batch, MPI.`,
		Example: `  blossom part out/plan.json --shard 3/16
  srun blossom part out/ --shard auto`,
		Args: args(1, 1),
		RunE: func(c *cobra.Command, paths []string) error {
			plan, err := scale.Open(paths[0])
			if err != nil {
				return err
			}
			part, err := scale.ShardOf(shard, len(plan.Shards))
			if err != nil {
				return err
			}
			limitThreads(o.s.Machine.GPU.Threads)
			report, end := a.progress()
			defer end()
			r, err := plan.Make(c.Context(), part, o.options(report))
			end()
			if err != nil || !o.json {
				return err
			}
			return a.printJSON(r)
		},
	}
	c.Flags().StringVar(&shard, "shard", "", "which part: `I/N`, from 0, or auto")
	_ = c.MarkFlagRequired("shard")
	c.Flags().BoolVar(&o.json, "json", false, "print the receipt, for programs")
	threadsFlag(c.Flags(), &o.s.Machine.GPU.Threads)
	deviceFlag(c.Flags(), &o.s.Machine.GPU.Device)
	return c
}

func finishCommand(a *app) *cobra.Command {
	skip, asJSON := false, false
	c := &cobra.Command{
		Use:   "finish PLAN",
		Short: "Check all parts of a plan and write their manifest",
		Long: `Checks the receipts and the bytes of all parts of PLAN, and writes manifest.json: the parts in the order
of the rows. Where parts are missing it lists them and fails.`,
		Example: "  blossom finish out/",
		Args:    args(1, 1),
		RunE: func(c *cobra.Command, paths []string) error {
			plan, err := scale.Open(paths[0])
			if err != nil {
				return err
			}
			report, end := a.progress()
			defer end()
			ctx, release := plan.Hold(c.Context())
			defer release()
			m, err := plan.Finish(ctx, skip, report.Stage("checking"))
			end()
			if err != nil || !asJSON {
				return scale.Stopped(ctx, err)
			}
			return a.printJSON(m)
		},
	}
	c.Flags().BoolVar(&skip, "skip-bad", false, "finish without the parts that are missing; the manifest lists them")
	c.Flags().BoolVar(&asJSON, "json", false, "print the manifest, for programs")
	return c
}

func statusCommand(a *app) *cobra.Command {
	asJSON, measured, all := false, false, false
	c := &cobra.Command{
		Use:   "status FOLDER",
		Short: "Say how far the parts of a plan are",
		Long: `Says which parts of the plan in FOLDER are there, and of those that are not why the last try failed. Of a
training, whose folder is LANDMARKS.parts, it is the epoch under way. --quality says what the map of a finished folder
keeps of neighbours, of 100,000 rows of its sample, which are the same however rows lie in files.

Files of a finished folder that are not as they were written are named: parts and files above 64 MB by their sizes,
others by all of their bytes; --check looks at all bytes of all files.`,
		Example: `  blossom status out/
  blossom status out/ --quality`,
		Args: args(1, 1),
		RunE: func(c *cobra.Command, paths []string) error {
			plan, err := scale.Open(paths[0])
			if err != nil {
				return err
			}
			s, err := plan.Status(c.Context())
			if err != nil {
				return err
			}
			said := statusSaid{Status: s}
			report, end := a.progress()
			defer end()
			if s.Finished {
				said.Damaged, err = scale.Damaged(c.Context(), plan, all, report.Stage("checking"))
				if err != nil {
					return err
				}
				said.Finished = len(said.Damaged) == 0 && s.Step == ""
			}
			if measured && len(said.Damaged) == 0 {
				q, err := plan.Quality(c.Context(), job.Options{Program: signature(), Report: report})
				if end(); err != nil {
					return err
				}
				kept, _ := keptBy(q)
				said.Quality = &kept
			}
			if end(); asJSON {
				return a.printJSON(said)
			}
			return a.printStatus(said)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	c.Flags().BoolVar(&all, "check", false, "look at all bytes of a finished folder, not at sizes alone")
	c.Flags().BoolVar(&measured, "quality", false, "measure what the map keeps of neighbours, which takes some seconds")
	return c
}

// statusSaid is what status says of a folder, which is not finished where files of it are damaged,
// or it is of a step of a command that goes on.
type statusSaid struct {
	scale.Status
	Damaged []scale.Flaw    `json:"damaged,omitempty"`
	Quality *keptNeighbours `json:"quality,omitempty"`
}

// onward is how what has made a step goes on.
const onward = "the command that it is a step of goes on when it is given again"

// printStatus says it in lines, the first of which says all.
func (a *app) printStatus(s statusSaid) error {
	state := "to be finished: blossom finish " + s.Folder
	switch {
	case len(s.Damaged) > 0:
		state = "was finished, and is damaged in " + problem.Count(len(s.Damaged), "file") + " by now; mend it with: " +
			"blossom resume " + s.Folder
	case s.Finished && len(s.Missing) == 0:
		state = "finished"
	case s.Finished && s.Gone > 0:
		state = "was finished, and lacks " + problem.Count(s.Gone, "part") + " by now; go on with: blossom resume " +
			s.Folder
	case s.Finished:
		state = "finished without the others"
	case len(s.Missing) > 0:
		state = "go on with: blossom resume " + s.Folder
	}
	if s.Stage != "" {
		state = "go on with: blossom resume " + s.Folder
	}
	if s.Going && !s.Finished {
		state = "something is at work on it"
	}
	line := func(text string) { a.out.WriteString(onLine(text) + "\n") }
	of := ""
	if s.Epoch > 0 {
		of = fmt.Sprintf("epoch %d: ", s.Epoch)
	} else if s.Step != "" {
		of = s.Step + ": "
	}
	if s.Step != "" && len(s.Missing) == 0 && len(s.Damaged) == 0 && !s.Going {
		state = onward
	}
	switch s.Stage {
	case scale.SampleStage:
		of = "the sample: "
	case scale.MapStage:
		of = "the map of the sample is to be made: "
		if s.Going {
			of = "the map of the sample is being made: "
		}
	}
	line(of + problem.Grouped(int64(s.Done)) + " of " + problem.Count(s.Parts, "part") + ", " +
		problem.Grouped(s.RowsDone) + " of " + problem.Grouped(s.Rows) + " rows; " + state)
	for _, f := range s.Damaged {
		line("  " + f.File + " " + f.What)
	}
	for _, l := range s.Missing {
		text := "  " + problem.Grouped(int64(l.Part)) + "  " + l.Of
		if l.Why != "" {
			text += "  " + l.Why
		}
		line(text)
	}
	if q := s.Quality; q != nil && q.Queries != nil {
		line(fmt.Sprintf("quality of the sample: R_NX %.3f, trustworthiness %.4f, continuity %.4f", float64(q.RNX),
			float64(q.Trustworthiness), float64(q.Continuity)))
	}
	return nil
}

func resumeCommand(a *app) *cobra.Command {
	o, p, asJSON := &computing{app: a, s: settings()}, &parting{}, false
	c := &cobra.Command{
		Use:   "resume FOLDER",
		Short: "Make the parts that are missing in a folder, by any runner",
		Long: `Makes the parts of the plan in FOLDER that are missing or damaged, and finishes it. Any runner finishes
what another has begun.`,
		Example: `  blossom resume out/
  blossom resume out/ --runner slurm --slurm-args --partition=long`,
		Args: args(1, 1),
		RunE: func(c *cobra.Command, paths []string) error {
			plan, err := scale.Open(paths[0])
			if err != nil {
				return err
			}
			limitThreads(o.s.Machine.GPU.Threads)
			report, end := a.progress()
			defer end()
			options, err := p.options(a, o.options(report))
			if err != nil {
				return err
			}
			m, err := p.run(c.Context(), plan, options, report)
			end()
			if err != nil || m == nil || !asJSON {
				return err
			}
			return a.printJSON(m)
		},
	}
	p.runnerFlags(c.Flags())
	a.tells(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print the manifest, for programs")
	threadsFlag(c.Flags(), &o.s.Machine.GPU.Threads)
	deviceFlag(c.Flags(), &o.s.Machine.GPU.Device)
	return c
}
