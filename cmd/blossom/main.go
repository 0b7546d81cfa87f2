// Command blossom steers EmbedSOM maps of high-dimensional data in a window, and makes them without
// one. Each subcommand is a file here that only connects flags to the packages that do the work.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job/run"
	"blossom/model/scale"

	_ "blossom/cmd/blossom/internal/limits"

	// Engines announce themselves, that of OpenGL in opengl.go.
	_ "blossom/gpu/cpu"
	_ "blossom/gpu/cuda"
	_ "blossom/gpu/reference"
)

// Exit codes: a contract.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	// Mesa tells on standard error what it tries; what fails is told by blossom itself, in one line.
	if _, set := os.LookupEnv("EGL_LOG_LEVEL"); !set {
		os.Setenv("EGL_LOG_LEVEL", "fatal")
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	clear := tied(os.Stdin)
	context.AfterFunc(ctx, func() { leaveSoon(stop, clear) })
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	clear()
	os.Exit(code)
}

// unhurried is set while a window is open, which saves its session before it closes.
var unhurried atomic.Bool

// leaveSoon ends the program when it has not come to an end by itself within a second of Ctrl-C.
// A second Ctrl-C ends it at once. clear takes away what else is left.
func leaveSoon(stop, clear func()) {
	stop()
	if unhurried.Load() {
		return
	}
	time.Sleep(900 * time.Millisecond)
	format.RemoveUnfinished()
	clear()
	fmt.Fprintln(os.Stderr, "blossom: interrupted")
	os.Exit(exitInterrupted)
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := bufio.NewWriterSize(stdout, 1<<16)
	root := newRoot(&app{out: out, stderr: stderr, started: time.Now()})
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if flushed := out.Flush(); err == nil && flushed != nil {
		err = format.Unwritten(flushed)
	}
	return report(stderr, err)
}

// report prints the one line about err and returns the exit code.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		why := "interrupted"
		if errors.Is(err, scale.ErrStopped) {
			why += ": another window or command has asked for it"
		}
		fmt.Fprintln(stderr, "blossom: "+why)
		return exitInterrupted
	}
	text := strings.Join(strings.Fields(problem.As(err).Error()), " ")
	fmt.Fprintln(stderr, "blossom: "+visible(text))
	var wrong run.Usage
	if errors.As(err, &wrong) {
		return exitUsage
	}
	return exitFailed
}

// visible is a text without characters that a terminal obeys: names of files may have some.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// breaks are what ends a line.
var breaks = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// onLine is a visible text that is one line, whatever files are called.
func onLine(text string) string { return visible(breaks.Replace(text)) }

// app is what the subcommands share.
type app struct {
	out     *bufio.Writer // standard output, for text
	stderr  io.Writer
	quiet   bool
	told    bool // progress is written as lines for another program
	started time.Time
}

// note prints a remark for the user on standard error.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.stderr, visible(fmt.Sprintf("blossom: "+format, args...)))
	}
}

// more are commands of files that build tags choose.
var more []func(*app) *cobra.Command

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "blossom [FILE...]",
		Short: "Steer EmbedSOM maps of high-dimensional data",
		Long: `blossom shows a table of high-dimensional points as a map that you steer: drag landmarks, train
self-organizing maps, colour, export. Without a subcommand it opens the window.

FILE is a data file (` + strings.Join(format.Readable(), " ") + `),
a session, a folder of parts, or demo:NAME for a built-in data set.`,
		Version:           version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return emptied(c.Flags()) },
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		remedy := "see " + c.CommandPath() + " --help"
		if name := meant(err, os.Args); name != "" {
			remedy = "write ./" + name + " for the file of that name"
		}
		return run.Usage{Err: problem.New("", remedy, "%s", flagWords(err))}
	})
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no remarks on standard error")
	windowFlags(a, root)
	root.AddCommand(infoCommand(a), demoCommand(a), embedCommand(a), tsneCommand(a), trainCommand(a),
		renderCommand(a), filmCommand(a), convertCommand(a), clusterCommand(a), labelCommand(a), reportCommand(a),
		jobCommand(a), benchCommand(a), doctorCommand(a))
	root.AddCommand(partCommand(a), finishCommand(a), statusCommand(a), resumeCommand(a))
	root.AddCommand(steppedCommands(a, root.Commands())...)
	for _, make := range more {
		root.AddCommand(make(a))
	}
	return root
}

// mayBeEmpty are flags that say nothing where they are empty, as scripts have them whose variable is.
var mayBeEmpty = []string{"exclude", "missing"}

// emptied is the wrong usage of a flag that is given, but with nothing: --columns "$COLUMNS" of a script whose variable
// is not set would silently be the default.
func emptied(f *pflag.FlagSet) (err error) {
	f.Visit(func(f *pflag.Flag) {
		text := strings.TrimSpace(f.Value.String())
		none := f.Value.Type() == "int" && f.DefValue == "0" && text == "0" && noneIsNot[f.Name]
		if text == "" && f.Value.Type() == "string" && !slices.Contains(mayBeEmpty, f.Name) || none {
			err = run.Usage{Err: problem.New("", "give a value, or leave it out", "--%s %s says nothing", f.Name,
				map[bool]string{true: "0", false: `""`}[none])}
		}
	})
	return err
}

// noneIsNot are numbers of which 0 is as if nothing had been said, and cannot be asked for.
var noneIsNot = map[string]bool{"kmeans": true, "max-points": true}

// args makes another number of arguments than from least to most (-1: any) a wrong usage.
func args(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		what := ""
		switch n := len(a); {
		case most == 0 && n > 0:
			what = fmt.Sprintf("%q is more than the command takes", a[0])
		case n == 0 && least > 0:
			what = "nothing is named to work on"
		case n < least:
			what = fmt.Sprintf("%d names are needed, only %q is given", least, a[0])
		case most >= 0 && n > most:
			what = fmt.Sprintf("%q is one name too many", a[most])
		default:
			return nil
		}
		return run.Usage{Err: problem.New("", "usage: "+c.UseLine(), "%s", what)}
	}
}

// meant is the file whose name was taken for flags that there are not, as it begins with a dash; "": there is none.
func meant(err error, args []string) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	said := err.Error()
	rest := strings.TrimLeft(said[strings.LastIndexByte(said, ' ')+1:], "-") // shorthands before it may be known ones
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") || !strings.HasSuffix(arg, rest) {
			continue
		}
		if st, err := os.Stat(arg); err == nil && st.Mode().IsRegular() {
			return arg
		}
	}
	return ""
}

// flagWords says in plain words what is wrong with a flag.
func flagWords(err error) string {
	var value *pflag.InvalidValueError
	var syntax *strconv.NumError
	if !errors.As(err, &value) {
		return err.Error()
	}
	flag := value.GetFlag()
	what := err.Error()
	switch {
	case errors.As(err, &syntax) && errors.Is(syntax, strconv.ErrRange),
		strings.HasSuffix(err.Error(), "value out of range"):
		what = fmt.Sprintf("%q is too large", value.GetValue())
	case flag.Value.Type() == "int":
		what = fmt.Sprintf("%q is not a whole number", value.GetValue())
	case flag.Value.Type() == "uint64":
		what = fmt.Sprintf("%q is not a whole number from 0", value.GetValue())
	case flag.Value.Type() == "float64":
		what = fmt.Sprintf("%q is not a number", value.GetValue())
	case flag.Value.Type() == "bool":
		what = fmt.Sprintf("%q is neither true nor false", value.GetValue())
	case flag.Value.Type() == "stringSlice":
		what = fmt.Sprintf("%q has quotes that do not close", value.GetValue())
	default:
		if inner := value.Unwrap(); inner != nil {
			what = inner.Error()
		}
	}
	return "--" + flag.Name + ": " + what
}
