// Command blossom-beam makes the missing parts of a plan as a pipeline of Apache Beam: on Prism, Flink, Spark or
// Dataflow. blossom calls it for --runner prism and the like. It is a module of its own, so that blossom has nothing of
// Beam, and it is the program of Beam's workers, too. See docs/scale.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"blossom/model/base/problem"
	"blossom/model/job/run"

	// Engines announce themselves: those that need no window.
	_ "blossom/gpu/cpu"
	_ "blossom/gpu/cuda"
	_ "blossom/gpu/reference"
)

// Exit codes, those of blossom and one more.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitLacking     = 3 // the pipeline has ended, and some parts could not be made
	exitInterrupted = 130
)

// Options are what is said on the command line, beside the flags of Beam.
type Options struct {
	plan, runner    string
	stall           time.Duration
	threads, device int
	verbose         bool
}

// flags adds them to those that packages of Beam have defined.
func (o *Options) flags(f *flag.FlagSet) {
	f.StringVar(&o.plan, "plan", "", "the plan whose missing parts are made, or its folder")
	f.StringVar(&o.runner, "runner", "prism", "where: "+problem.OneOf(words()...))
	f.DurationVar(&o.stall, "stall", 10*time.Minute, "give up when no part was made for so long")
	f.IntVar(&o.threads, "threads", 0, "processor threads of a worker; 0: all")
	f.IntVar(&o.device, "device", 0, "which graphics card a worker uses, where there are several")
	f.BoolVar(&o.verbose, "verbose", false, "show what Beam says")
}

func main() {
	var o Options
	o.flags(flag.CommandLine)
	flag.CommandLine.Init("blossom-beam", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := flag.CommandLine.Parse(os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		help(os.Stdout)
		return
	case err != nil:
		err = usage("see blossom-beam --help", "%v", err)
	case flag.NArg() > 0:
		err = usage("see blossom-beam --help", "%q is more than the command takes", flag.Arg(0))
	case isWorker():
		stop() // whoever has started a worker ends it
		err = work()
	default:
		err = launch(ctx, o)
	}
	os.Exit(report(os.Stderr, err))
}

// report prints the one line about err and returns the exit code.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "blossom-beam: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "blossom-beam: "+strings.Join(strings.Fields(problem.As(err).Error()), " "))
	var lacks lacking
	switch {
	case errors.As(err, new(run.Usage)):
		return exitUsage
	case errors.As(err, &lacks):
		return exitLacking
	}
	return exitFailed
}

func usage(remedy, format string, args ...any) error {
	return run.Usage{Err: problem.New("", remedy, format, args...)}
}

// help lists the flags that are ours, and where those of Beam are described.
func help(w io.Writer) {
	fmt.Fprintln(w, `blossom-beam `+version+`
Makes the missing parts of a plan of blossom as a pipeline of Apache Beam. blossom embed --runner prism calls it.

  blossom-beam --plan out/plan.json --runner flink:HOST:PORT --parallelism=8
`)
	own := flag.NewFlagSet("", flag.ContinueOnError)
	new(Options).flags(own)
	own.SetOutput(w)
	own.PrintDefaults()
	fmt.Fprintln(w, "\nAll other flags are those of Beam for Go and of its runner.")
}
