package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/gpu/bench"
	"blossom/model/base/problem"
	"blossom/model/job/run"
)

// benchCommand has a command for each measure of the family, and measures all without a name.
func benchCommand(a *app) *cobra.Command {
	all := bench.All()
	c := measureCommand(a, all)
	c.Use = "bench [NAME [INPUT...]]"
	c.Short = "Measure how fast this machine is: " + strings.Join(bench.Names(), ", ")
	c.Long = `Measures the tables of docs/measured.md on this machine; without a name all of them.
'blossom bench NAME --help' says what one measures, with the flags that it has. Close other programs first: every
figure is a median, and p05 and p95 say how much it varied. What was measured is printed as soon as a size is done,
and written to the --out file, so that Ctrl-C loses the size under way alone; --json and --markdown print when all is
done, or what there is at Ctrl-C.`
	c.Args = func(_ *cobra.Command, names []string) error {
		if len(names) == 0 {
			return nil
		}
		return run.Usage{Err: problem.New("", "use one of "+strings.Join(bench.Names(), ", "), "there is no bench %q",
			names[0])}
	}
	for _, m := range all {
		one := measureCommand(a, []*bench.Measure{m})
		one.Use, one.Short, one.Long = m.Name, "Measure "+m.Title, m.Help
		one.Args = cobra.ArbitraryArgs
		if m.Inputs {
			one.Use += " [INPUT...]"
		} else {
			one.Args = func(_ *cobra.Command, inputs []string) error {
				if len(inputs) == 0 {
					return nil
				}
				return run.Usage{Err: problem.New("", "leave it out", "bench %s takes no input: %q", m.Name, inputs[0])}
			}
		}
		one.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
			var unknown *pflag.NotExistError
			if errors.As(err, &unknown) {
				return run.Usage{Err: m.Lacks(strings.TrimLeft(unknown.GetSpecifiedName(), "-"))}
			}
			return c.Parent().Parent().FlagErrorFunc()(c, err)
		})
		c.AddCommand(one)
	}
	return c
}

// measureCommand measures some of the family, with their flags.
func measureCommand(a *app, list []*bench.Measure) *cobra.Command {
	s := bench.Session{Out: a.out, Tools: bench.Tools{GL: offscreen, Note: func(text string) { a.note("%s", text) }}}
	flags := bench.Union(list)
	if len(list) == 1 {
		flags = list[0].Flags
	}
	c := &cobra.Command{}
	set := make([]func() any, len(flags))
	for i, f := range flags {
		set[i] = benchFlag(c.Flags(), f)
	}
	c.Flags().BoolVar(&s.JSON, "json", false, "the numbers for programs")
	c.Flags().BoolVar(&s.Readme, "markdown", false, "tables for a README")
	c.Flags().StringVarP(&s.File, "out", "o", "",
		"write the numbers for programs to this `file` too, beside the tables, anew after every size")
	c.RunE = func(c *cobra.Command, inputs []string) error {
		v, read := bench.Values{}, inputs
		for i, f := range flags {
			v[f.Name] = set[i]()
			if !c.Flags().Changed(f.Name) {
				continue
			}
			if err := f.Check(v[f.Name]); err != nil {
				return err
			}
			if f.Reads {
				read = append(read, v.Text(f.Name))
			}
		}
		if s.File == "-" {
			s.File, s.JSON = "", true
		}
		if s.File != "" {
			if err := checkOutput(s.File, nil, read...); err != nil {
				return err
			}
		}
		return a.bench(c.Context(), s, list, v, inputs)
	}
	return c
}

// bench measures, with the bar of the terminal.
func (a *app) bench(ctx context.Context, s bench.Session, list []*bench.Measure, v bench.Values, in []string) error {
	report, end := a.progress()
	defer end()
	s.Clear = end
	if report != nil {
		s.Say, s.Progress = func(what string) { report(what, 0, 0) }, report
	}
	s.Machine = bench.Machine{CPU: cpuName(), Cores: runtime.NumCPU()}
	if d := probeCUDA(); d.Available {
		s.Machine.GPU = strings.Join(d.Devices, ", ")
	}
	return s.Measure(ctx, list, v, in)
}

// benchFlag adds a flag of a measure, and returns what reads it.
func benchFlag(f *pflag.FlagSet, flag bench.Flag) func() any {
	switch d := flag.Default.(type) {
	case bool:
		v := f.Bool(flag.Name, d, flag.Help)
		return func() any { return *v }
	case int:
		v := f.Int(flag.Name, d, flag.Help)
		return func() any { return *v }
	case string:
		v := f.String(flag.Name, d, flag.Help)
		return func() any { return *v }
	case []string:
		v := f.StringSlice(flag.Name, d, flag.Help)
		return func() any { return *v }
	case []int:
		v := devicesVar{new(int), new([]int)}
		f.Var(v, flag.Name, flag.Help)
		return func() any { return append([]int{*v.first}, *v.beside...) }
	}
	panic(fmt.Sprintf("a bench has a flag --%s of a type that no command line has", flag.Name))
}
