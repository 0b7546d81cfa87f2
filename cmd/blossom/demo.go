package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/job/run"
)

// showing is the command at work.
type showing struct {
	*app
	out     string
	points  int
	seed    uint64
	threads int
	json    bool
	clash   func(string) error
}

func demoCommand(a *app) *cobra.Command {
	o := &showing{app: a}
	c := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "List the built-in data sets, or write one to a file",
		Long: `Without a name: lists the built-in data sets. With one: says what is in it, or writes it to the file
that -o names, as CSV, TSV, NPY or FCS. Every other command takes demo:NAME or demo:NAME:POINTS in place of a file.`,
		Example: `  blossom demo
  blossom demo cytometry -o blood.fcs
  blossom demo mammoth --points 200000 -o mammoth.csv`,
		Args: args(0, 1),
		RunE: o.run,
	}
	outputFlag(c, &o.out, "`FILE` to write, or - for CSV on standard output")
	c.Flags().IntVar(&o.points, "points", demo.DefaultPoints, "how many points")
	c.Flags().Uint64Var(&o.seed, "seed", 1, "the same seed gives the same points")
	threadsFlag(c.Flags(), &o.threads)
	o.clash = jsonFlag(c, &o.json)
	c.Flags().Lookup("json").Usage = "the list, what is in it, or what was done, for programs"
	return c
}

// run lists the data sets, says what is in one, or writes it.
func (o *showing) run(c *cobra.Command, names []string) error {
	if len(names) == 0 {
		if o.out != "" {
			return run.Usage{Err: problem.New("", "name a data set: blossom demo lists them", "no data set is named")}
		}
		return o.listDemos(o.json)
	}
	name, err := o.check(c, names[0])
	if err != nil {
		return err
	}
	limitThreads(o.threads)
	ds, err := demo.Generate(c.Context(), name, o.points, o.seed)
	if err != nil {
		return err
	}
	if o.out == "" {
		return o.describe(name, ds)
	}
	report, end := o.progress()
	defer end()
	if err := o.saveTable(c.Context(), o.out, ds, report); err != nil {
		return err
	}
	end()
	done := summary{Input: "demo:" + name, Output: o.out, Points: ds.Points, Total: ds.Total, Seed: o.seed}
	for i := range ds.Columns {
		done.Columns = append(done.Columns, ds.Columns[i].Name)
	}
	return o.finish(o.json, done)
}

// check says what is wrong with the flags. It returns the name of the data set, and takes the number of points that may
// stand behind it.
func (o *showing) check(c *cobra.Command, word string) (name string, err error) {
	wrong := func(remedy, format string, args ...any) (string, error) {
		return "", run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	name, n, _, err := demo.Parse("demo:" + strings.TrimPrefix(word, "demo:"))
	if err != nil {
		return "", run.Usage{Err: err}
	}
	if n > 0 { // as it stands for a file: demo:NAME:POINTS
		if c.Flags().Changed("points") && o.points != n {
			return wrong("leave one of them out", "%d points are asked for behind the name, and %d by --points", n,
				o.points)
		}
		o.points = n
	}
	if _, ok := demo.ByName(name); !ok {
		_, err := demo.Generate(c.Context(), name, 0, 0) // says which there are
		return "", run.Usage{Err: err}
	}
	if o.points < 1 || o.points > demo.MaxPoints {
		return wrong(fmt.Sprintf("ask for 1 to %d", demo.MaxPoints), "--points %d: so many points cannot be made",
			o.points)
	}
	if o.threads < 0 {
		return wrong("leave it out to use all cores", "--threads %d is negative", o.threads)
	}
	if err := o.clash(o.out); err != nil || o.out == "" {
		return name, err
	}
	return name, checkOutput(o.out, knownTable)
}

// describe says what is in a data set.
func (o *showing) describe(name string, ds *dataset.Dataset) error {
	cols, err := new(run.Space).Chosen(ds)
	if err != nil {
		return err
	}
	said := describe("demo:"+name, ds, cols)
	if o.json {
		return o.printJSON(said)
	}
	o.printInfo(said)
	fmt.Fprintf(o.app.out, "blossom demo:%s opens it, blossom demo %[1]s -o %[1]s.csv writes it.\n", name)
	return nil
}

func (a *app) listDemos(asJSON bool) error {
	if asJSON {
		type entry struct {
			Name   string `json:"name"`
			Title  string `json:"title"`
			Help   string `json:"help"`
			Points int    `json:"points"`
		}
		var list []entry
		for _, d := range demo.All() {
			list = append(list, entry{d.Name, d.Title, d.Help, demo.DefaultPoints})
		}
		return a.printJSON(map[string]any{"demos": list})
	}
	for _, d := range demo.All() {
		fmt.Fprintf(a.out, "%-12s %s\n", d.Name, d.Help)
	}
	return nil
}
