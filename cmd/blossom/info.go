package main

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"blossom/model/data/dataset"
	"blossom/model/data/match"
	"blossom/model/data/source"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/space/transform"
)

// fileInfo is one file in `info --json`: a contract, see the README.
type fileInfo struct {
	Path     string            `json:"path"`
	Format   string            `json:"format"`
	Points   int               `json:"points"`
	Total    int               `json:"total"` // in the file; more than points for a sample
	Columns  []columnInfo      `json:"columns"`
	Metadata map[string]string `json:"metadata"`
	Warnings []string          `json:"warnings"`
	Reading  *dataset.Reading  `json:"reading,omitempty"` // the wishes about reading a text
	Unsure   bool              `json:"unsure,omitempty"`  // how the text is to be read was guessed: see the warnings
	// Compensation is the matrix that the file brings, if it does.
	Compensation *compensationInfo `json:"compensation,omitempty"`

	// Gates are those of --gates, with how many points each has.
	Gates []run.GateCount `json:"gates,omitempty"`

	notes   []string // words about the gates
	leftOut string   // columns that are not of the map, in words
	columns int      // in the file, also those that are not told of
}

type compensationInfo struct {
	Keyword   string   `json:"keyword"`
	Detectors []string `json:"detectors"`
	Identity  bool     `json:"identity"` // it changes nothing
	Applied   bool     `json:"applied"`  // where landmarks are trained, unless --compensation says otherwise
	Why       string   `json:"why"`      // it is applied or not
	// Matrix is S, a row for each detector; not of files that bring different ones.
	Matrix  [][]float64 `json:"matrix,omitempty"`
	Remarks []string    `json:"remarks,omitempty"` // oddities of it, in words
}

// compensationOf tells of the matrix of a file, nil if it brings none.
func compensationOf(ds *dataset.Dataset) *compensationInfo {
	s, asked := ds.Spillover, transform.OwnCompensation(ds)
	if len(ds.Spillovers) > 0 {
		out := &compensationInfo{Keyword: "of each file", Applied: asked.On, Why: asked.Said,
			Remarks: asked.Mix.Remarks()}
		for _, c := range asked.Mix.Changed() {
			out.Detectors = append(out.Detectors, ds.Columns[c].Name)
		}
		return out
	}
	if s == nil {
		return nil
	}
	return &compensationInfo{Keyword: s.Keyword, Detectors: s.Names, Identity: s.Identity(), Applied: asked.On,
		Why: asked.Said, Matrix: s.M, Remarks: asked.Mix.Remarks()}
}

type columnInfo struct {
	Index      int      `json:"index"` // from 1, as --columns counts
	Name       string   `json:"name"`
	Label      string   `json:"label"`
	Role       string   `json:"role"`
	Why        string   `json:"why,omitempty"` // it is left out of the map unless --columns names it
	Min        number   `json:"min"`
	Max        number   `json:"max"`
	Mean       number   `json:"mean"`
	SD         number   `json:"sd"`
	Invalid    int      `json:"invalid"`
	Categories []string `json:"categories,omitempty"`
	Counts     []int    `json:"counts,omitempty"` // points of each category
}

func infoCommand(a *app) *cobra.Command {
	s := settings()
	asJSON := false
	c := &cobra.Command{
		Use:   "info FILE...",
		Short: "Say what is in files: points, columns, ranges, metadata, problems",
		Long: `Says what is in each file, and of several files which columns are one where they are opened together: by
antigen, then by detector, then by place (--match), the doubtful ones first. With --samples the columns of the sheet are
told beside those of each file, with --panel the columns are called and used as it says.`,
		Example: `  blossom info sample.fcs
  blossom info --json *.csv
  blossom info --match detector donor1.fcs donor2.fcs
  blossom info demo:cytometry`,
		Args: args(1, -1),
		RunE: func(c *cobra.Command, paths []string) error { return a.info(c.Context(), &s, paths, asJSON) },
	}
	c.Flags().StringVar(&s.Space.Columns, "columns", "",
		"tell of these columns only, by name or number from 1: `a,b,3-7`")
	c.Flags().StringVar(&s.Space.Exclude, "exclude", "", "columns to leave out: `a,b`")
	gateFlags(c.Flags(), &s.Input.Gates)
	sampleFlags(c.Flags(), &s.Input)
	sheetFlags(c.Flags(), &s.Input.Samples, &s.Input.Panel)
	matchFlag(c.Flags(), &s.Input)
	readingFlags(c.Flags(), &s.Input.Reading)
	threadsFlag(c.Flags(), &s.Machine.GPU.Threads)
	c.Flags().BoolVar(&asJSON, "json", false,
		"for programs: statistics over finite raw values, null where there are none")
	return c
}

// info says what is in files, and which of their columns are one.
func (a *app) info(ctx context.Context, s *run.Flags, paths []string, asJSON bool) error {
	if err := s.Check(); err != nil {
		return err
	}
	limitThreads(s.Machine.GPU.Threads)
	report, end := a.progress()
	defer end()
	paths, known, err := a.opened(ctx, s, paths)
	if err != nil {
		return err
	}
	files := []fileInfo{} // never null in JSON
	var read []*dataset.Dataset
	var failed []error
	for _, path := range paths {
		f, ds, err := informed(ctx, s, path, known, report)
		end()
		if err := ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if read = append(read, headers(ds)); asJSON {
			f.Warnings = append(f.Warnings, f.notes[min(1, len(f.notes)):]...)
			files = append(files, f)
		} else {
			a.printInfo(f)
		}
	}
	if len(read) > 0 {
		a.notes(known.Says())
	}
	if asJSON {
		said := map[string]any{"files": files}
		if len(read) > 1 {
			said["match"] = describeMatch(match.New(read, s.Input.Match))
		}
		if err := a.printJSON(said); err != nil {
			return err
		}
	} else if len(read) > 1 {
		a.printMatch(match.New(read, s.Input.Match))
	}
	return a.all(failed)
}

// informed is what there is to say of a file, with its table.
func informed(ctx context.Context, s *run.Flags, path string, known job.Sheets, report run.Report) (f fileInfo,
	ds *dataset.Dataset, err error) {
	if ds, err = s.Input.Read(ctx, path, report); err != nil {
		return f, nil, err
	}
	if ds, err = known.Beside(ctx, ds); err != nil {
		return f, nil, err
	}
	ds, gates, notes, err := s.Input.Gates.Beside(ctx, ds)
	if err != nil {
		return f, nil, err
	}
	cols, err := s.Space.Chosen(ds)
	if err != nil {
		return f, nil, err
	}
	f = describe(path, ds, cols)
	f.Gates, f.notes = gates, notes
	return f, ds, nil
}

// opened are the files that paths stand for, and what is known of them beside what is in them.
func (a *app) opened(ctx context.Context, s *run.Flags, paths []string) ([]string, job.Sheets, error) {
	named, err := source.Named(paths)
	if err != nil {
		return nil, job.Sheets{}, err
	}
	opened, err := source.Expand(ctx, named)
	if err != nil {
		return nil, job.Sheets{}, err
	}
	opened.With(s.Input.Samples, s.Input.Panel)
	s.Input.Samples, s.Input.Panel = opened.Samples, opened.Panel
	known, err := job.ReadSheets(ctx, &s.Input, &opened)
	if err == nil {
		a.notes(opened.Says)
	}
	return opened.Files, known, err
}

// all reports every error but the last, which it returns to be reported as the command's own.
func (a *app) all(failed []error) error {
	if len(failed) == 0 {
		return nil
	}
	for _, err := range failed[:len(failed)-1] {
		report(a.stderr, err)
	}
	return failed[len(failed)-1]
}

// describe collects what `info` says about the columns cols of a table.
func describe(path string, ds *dataset.Dataset, cols []int) fileInfo {
	f := fileInfo{Path: path, Format: ds.Format, Points: ds.Points, Total: ds.Total, Metadata: ds.Metadata,
		columns: len(ds.Columns), Columns: []columnInfo{}, Warnings: append([]string{}, ds.Warnings...)}
	f.Unsure, f.Reading = ds.Unsure, asked(ds.Reading)
	if f.Metadata == nil {
		f.Metadata = map[string]string{}
	}
	f.Compensation = compensationOf(ds)
	if markers, err := ds.MapColumns("", ""); err == nil {
		f.leftOut = ds.LeftOut(markers, true)
		spec := transform.Default(ds)
		if share, ok := transform.WantsScale(ds, spec, markers); ok {
			f.Warnings = append(f.Warnings, share.Text(ds)+": columns are scaled to unit deviation for a map")
		}
	}
	for _, i := range cols {
		c := &ds.Columns[i]
		stats := c.NumberStats()
		info := columnInfo{Index: i + 1, Name: c.Name, Label: c.Label, Role: c.Role.String(), Why: c.Why,
			Invalid: c.Stats.Invalid, Categories: c.Categories, Counts: counted(c),
			Min: number(stats.Min), Max: number(stats.Max), Mean: number(stats.Mean), SD: number(stats.SD)}
		if c.Stats.Count == 0 {
			none := number(math.NaN())
			info.Min, info.Max, info.Mean, info.SD = none, none, none, none
		}
		f.Columns = append(f.Columns, info)
	}
	return f
}

// metadataShown is how much of one value of the metadata the text shows.
const metadataShown = 100

// printInfo writes the table for people.
func (a *app) printInfo(f fileInfo) {
	fmt.Fprintf(a.out, "%s: %s, %d points x %d columns", f.Path, f.Format, f.Points, f.columns)
	if n := len(f.Columns); n < f.columns {
		fmt.Fprintf(a.out, ", %d of them here", n)
	}
	if f.Total > f.Points {
		fmt.Fprintf(a.out, " (a sample of %d)", f.Total)
	}
	fmt.Fprintln(a.out)
	t := textTable{heads: []string{"#", "name", "label", "role", "min", "max", "mean", "sd", "invalid"}, words: 4}
	for _, c := range f.Columns {
		digits := dataset.Stats{Mean: float64(c.Mean), SD: float64(c.SD)}.Digits(6)
		t.add(fmt.Sprint(c.Index), oneLine(c.Name), oneLine(c.Label), c.Role, c.Min.text(digits), c.Max.text(digits),
			c.Mean.text(digits), c.SD.text(6), fmt.Sprint(c.Invalid))
	}
	t.write(a.out)
	for _, c := range f.Columns {
		if len(c.Categories) > 0 && c.Role != dataset.Index.String() {
			shown := c.Categories[:min(len(c.Categories), 40)]
			more := ""
			if len(c.Categories) > len(shown) {
				more = fmt.Sprintf(" and %d more", len(c.Categories)-len(shown))
			}
			fmt.Fprintf(a.out, "  %s has %d categories: %s%s\n", oneLine(c.Name), len(c.Categories),
				strings.Join(listed(shown), ", "), more)
		}
	}
	if f.leftOut != "" && len(f.Columns) == f.columns {
		fmt.Fprintf(a.out, "  left out of the map: %s\n", oneLine(f.leftOut))
	}
	if c := f.Compensation; c != nil {
		fmt.Fprintf(a.out, "  compensation: %s, %d detectors: %s\n", oneLine(c.Keyword), len(c.Detectors),
			oneLine(c.Why))
	}
	for _, said := range f.notes {
		fmt.Fprintf(a.out, "  %s\n", oneLine(said))
	}
	keys := make([]string, 0, len(f.Metadata))
	for k := range f.Metadata {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		v := oneLine(f.Metadata[k])
		if r := []rune(v); len(r) > metadataShown {
			v = string(r[:metadataShown]) + "..."
		}
		fmt.Fprintf(a.out, "  %s = %s\n", oneLine(k), v)
	}
	for _, w := range f.Warnings {
		fmt.Fprintf(a.out, "  warning: %s\n", oneLine(w))
	}
	fmt.Fprintln(a.out)
}

// listed puts words in quotes that would not be told apart in a list.
func listed(words []string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		if out[i] = oneLine(word); word == "" || strings.ContainsAny(word, ",;\"") || word != strings.TrimSpace(word) {
			out[i] = strconv.Quote(out[i])
		}
	}
	return out
}

// text writes a statistic with so many digits, and a dash where there is none.
func (n number) text(digits int) string {
	if x := float64(n); math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(float64(n), 'g', digits, 64)
}

// oneLine keeps text from a file from breaking the lines or the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// counted is how many points each category of a column has.
func counted(c *dataset.Column) []int {
	if c.Categories == nil {
		return nil
	}
	counts := make([]int, len(c.Categories))
	for _, v := range c.Values {
		if v == v {
			counts[int(v)]++
		}
	}
	return counts
}
