package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/data/demo"
	"blossom/model/job/run"
)

func demoCommand(a *app) *cobra.Command {
	var out string
	var points int
	var seed uint64
	asJSON := false
	threads := 0
	var clash func(string) error
	c := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "List the built-in data sets, or write one to a file",
		Long: `Without a name: lists the built-in data sets. With one: says what is in it, or writes it to the file
that -o names, as CSV, TSV, NPY or FCS. Every other command takes demo:NAME or demo:NAME:POINTS in place of a file.`,
		Example: `  blossom demo
  blossom demo cytometry -o blood.fcs
  blossom demo mammoth --points 200000 -o mammoth.csv`,
		Args: args(0, 1),
		RunE: func(c *cobra.Command, names []string) error {
			if len(names) == 0 {
				if out != "" {
					return run.Usage{Err: problem.New("", "name a data set: blossom demo lists them",
						"no data set is named")}
				}
				return a.listDemos(asJSON)
			}
			if name, n, _, err := demo.Parse("demo:" + strings.TrimPrefix(names[0], "demo:")); err != nil {
				return run.Usage{Err: err}
			} else if names[0] = name; n > 0 { // as it stands for a file: demo:NAME:POINTS
				if c.Flags().Changed("points") && points != n {
					return run.Usage{Err: problem.New("", "leave one of them out",
						"%d points are asked for behind the name, and %d by --points", n, points)}
				}
				points = n
			}
			if _, ok := demo.ByName(names[0]); !ok {
				_, err := demo.Generate(c.Context(), names[0], 0, 0) // says which there are
				return run.Usage{Err: err}
			}
			if points < 1 || points > demo.MaxPoints {
				return run.Usage{Err: problem.New("", fmt.Sprintf("ask for 1 to %d", demo.MaxPoints),
					"--points %d: so many points cannot be made", points)}
			}
			if threads < 0 {
				return run.Usage{Err: problem.New("", "leave it out to use all cores",
					"--threads %d is negative", threads)}
			}
			if err := clash(out); err != nil {
				return err
			}
			if out != "" {
				if err := checkOutput(out, knownTable); err != nil {
					return err
				}
			}
			limitThreads(threads)
			ds, err := demo.Generate(c.Context(), names[0], points, seed)
			if err != nil {
				return err
			}
			everything := run.Space{}
			cols, err := everything.Chosen(ds)
			if err != nil {
				return err
			}
			if out == "" && asJSON {
				return a.printJSON(describe("demo:"+names[0], ds, cols))
			} else if out == "" {
				a.printInfo(describe("demo:"+names[0], ds, cols))
				fmt.Fprintf(a.out, "blossom demo:%s opens it, blossom demo %[1]s -o %[1]s.csv writes it.\n", names[0])
				return nil
			}
			report, end := a.progress()
			defer end()
			if err := a.saveTable(c.Context(), out, ds, report); err != nil {
				return err
			}
			end()
			done := summary{Input: "demo:" + names[0], Output: out, Points: ds.Points, Total: ds.Total, Seed: seed}
			for i := range ds.Columns {
				done.Columns = append(done.Columns, ds.Columns[i].Name)
			}
			return a.finish(asJSON, done)
		},
	}
	outputFlag(c, &out, "`FILE` to write, or - for CSV on standard output")
	c.Flags().IntVar(&points, "points", demo.DefaultPoints, "how many points")
	c.Flags().Uint64Var(&seed, "seed", 1, "the same seed gives the same points")
	threadsFlag(c.Flags(), &threads)
	clash = jsonFlag(c, &asJSON)
	c.Flags().Lookup("json").Usage = "the list, what is in it, or what was done, for programs"
	return c
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
