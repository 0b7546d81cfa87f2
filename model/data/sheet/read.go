package sheet

import (
	"context"
	"path"
	"strings"
	"unicode/utf8"

	"blossom/model/base/problem"
	"blossom/model/data/encoding/texts"
	"blossom/model/data/format"
)

// keys are the names of a column that names the samples, whatever else does, the usual first.
var keys = []string{"file_name", "filename", "file", "FCS"}

// Found is a sheet as a file has it for some samples.
type Found struct {
	Sheet   Sheet
	File    string
	Key     string     // the column of the file that names samples
	Rows    []FoundRow // all of the file
	Strange []string   // names there that are none of the samples
	Without []string   // samples that the file has no row of
	Notes   []string   // remarks about the text, and what was cut of it
}

// FoundRow is a row of the file.
type FoundRow struct {
	Line   int    // where it begins in the file, from 1
	Name   string // how it calls its sample
	Sample string // which one that is, "": none of them
	Wrong  string // why the file cannot be taken with it, in words; "": nothing
}

// Read reads a sheet of samples, which are labels of the column by ("": files), from a text table with names of
// columns, as Look does, and refuses one that names a sample twice. The error is ctx's or a Problem.
func Read(ctx context.Context, file string, samples []string, by string) (*Found, error) {
	table, err := texts.Read(ctx, file)
	if err != nil {
		return nil, err
	}
	found, err := Look(table, samples, by)
	if err != nil {
		return nil, err
	}
	return found, found.Wrong()
}

// Look finds the samples in a table. They are found by their names without regard to capitals, with or without the
// folder and the ending of a file, in the column that is called file_name, filename, file or FCS, else in the first of
// those that name the most. What is wrong with single rows is said by these. The error is a Problem.
func Look(table *texts.Table, samples []string, by string) (*Found, error) {
	switch {
	case len(table.Heads) > MostColumns+1:
		return nil, problem.New(table.File, "leave out columns that do not tell samples apart",
			"has %d columns, and a sheet has at most %d beside the names", len(table.Heads), MostColumns)
	case len(table.Heads) < 2:
		return nil, problem.New(table.File, "add columns such as group, donor or day",
			"has no column beside the names of the samples")
	case len(table.Rows) == 0:
		return nil, problem.New(table.File, "add a row for each sample", "has the names of columns and no rows")
	}
	known := byNames(samples)
	key, hits := keyOf(table, known)
	if twice := table.Twice(key); hits > 0 && twice >= 0 {
		return nil, problem.New(table.File, "leave one of them out",
			"two columns are called %q, which names the samples",
			table.Heads[key])
	}
	if hits == 0 {
		return nil, problem.New(table.File, "give it a column with the names of the samples: "+few(samples),
			"no column names a sample: %q has %s", table.Heads[key], few(column(table, key)))
	}
	return fill(table, key, samples, by, known)
}

// Named says whether a table has a column that is called as one that names samples.
func Named(table *texts.Table) bool { return table.At(keys...) >= 0 }

// keyOf is the column that names samples, and how many of its rows do. Of the columns whose names say so, the one that
// names the most.
func keyOf(table *texts.Table, known naming) (key, hits int) {
	count := func(at int) (n int) {
		for _, row := range table.Rows {
			if known.sample(row[at]) >= 0 {
				n++
			}
		}
		return n
	}
	key = -1
	for _, name := range keys {
		if at := table.At(name); at >= 0 {
			if n := count(at); key < 0 || n > hits {
				key, hits = at, n
			}
		}
	}
	if key >= 0 {
		return key, hits
	}
	key = 0
	for at := range table.Heads {
		if n := count(at); n > hits {
			key, hits = at, n
		}
	}
	return key, hits
}

func column(table *texts.Table, at int) (out []string) {
	for _, row := range table.Rows {
		out = append(out, row[at])
	}
	return out
}

// few is some names in words.
func few(names []string) string {
	const most = 3
	short := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		if r := []rune(name); len(r) > 80 {
			name = string(r[:80]) + "…"
		}
		short = append(short, name)
	}
	if len(names) <= most {
		return strings.Join(short, ", ")
	}
	return strings.Join(short, ", ") + " …"
}

// naming finds samples by names.
type naming struct {
	whole, stem map[string]int // place of the sample; -1: several are called so
}

func byNames(samples []string) naming {
	n := naming{map[string]int{}, map[string]int{}}
	for i, s := range samples {
		for _, x := range []struct {
			in   map[string]int
			name string
		}{{n.whole, whole(s)}, {n.stem, stem(s)}} {
			if _, taken := x.in[x.name]; taken {
				x.in[x.name] = -1
				continue
			}
			x.in[x.name] = i
		}
	}
	return n
}

// whole is a name as it is compared: without folders and capitals.
func whole(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	return path.Base(strings.ReplaceAll(name, `\`, "/"))
}

// stem is that without the ending of a file of data. What else follows a dot belongs to the name, as in 060909.001.
func stem(name string) string {
	name = strings.TrimSuffix(whole(name), ".gz")
	if _, known := format.ForPath(name); !known {
		return name
	}
	if s := strings.TrimSuffix(name, path.Ext(name)); s != "" {
		return s
	}
	return name
}

// sample is the place of the sample of a name, -1 where there is none or several are.
func (n naming) sample(name string) int {
	if strings.TrimSpace(name) == "" {
		return -1
	}
	if i, ok := n.whole[whole(name)]; ok && i >= 0 {
		return i
	}
	for _, name := range []string{whole(name), stem(name)} {
		if i, ok := n.stem[name]; ok {
			return i
		}
	}
	return -1
}

// cellsOf are the texts of a line at some places, tidied, and how many of them were cut as they are too long.
func cellsOf(line []string, places []int) (own []string, cut int) {
	own = make([]string, len(places))
	for k, j := range places {
		if texts.Missing(line[j]) {
			continue
		}
		if own[k] = tidy(line[j]); utf8.RuneCountInString(line[j]) > LongCell {
			cut++
		}
	}
	return own, cut
}

// fill makes the sheet of a table whose column key names the samples.
func fill(table *texts.Table, key int, samples []string, by string, known naming) (*Found, error) {
	out := &Found{Sheet: Keyed(by), File: table.File, Key: table.Heads[key], Notes: table.Notes}
	var err error
	var from []int
	for j, name := range table.Heads {
		if j == key {
			continue
		}
		if out.Sheet, err = out.Sheet.Add(name); err != nil {
			return nil, err
		}
		from = append(from, j)
	}
	var rows []row
	line := make([]int, len(samples)) // where the row of each sample begins
	cut := 0
	for i, cells := range table.Rows {
		r := FoundRow{Line: table.Lines[i], Name: cells[key]}
		at := known.sample(r.Name)
		switch {
		case at < 0:
			if r.Name != "" {
				out.Strange = append(out.Strange, r.Name)
			}
		case line[at] > 0:
			r.Sample = samples[at]
			r.Wrong = problem.New("", "", "lines %d and %d are both of %s", line[at], r.Line, samples[at]).What
		default:
			line[at], r.Sample = r.Line, samples[at]
			own, long := cellsOf(cells, from)
			cut += long
			rows = append(rows, row{samples[at], own})
		}
		out.Rows = append(out.Rows, r)
	}
	if len(rows) > MostSamples {
		return nil, problem.New(table.File, "leave out rows", "has rows of more than %d samples", MostSamples)
	}
	if cut > 0 {
		out.Notes = append(out.Notes, problem.Count(cut, "text")+" longer than 500 characters, cut there")
	}
	out.Sheet.rows = byName(rows)
	for column, j := range from { // by all rows of the file, so that each of its samples has columns of the same kinds
		out.Sheet = out.Sheet.As(column, guess(func(yield func(string) bool) {
			for _, cells := range table.Rows {
				if text := cells[j]; !texts.Missing(text) && !yield(tidy(text)) {
					return
				}
			}
		}))
	}
	for i, s := range samples {
		if line[i] == 0 {
			out.Without = append(out.Without, s)
		}
	}
	return out, nil
}

// Wrong is the Problem of the first row that the file cannot be taken with, nil: there is none.
func (f *Found) Wrong() error {
	for _, r := range f.Rows {
		if r.Wrong != "" {
			return problem.New(f.File, "leave one of them out", "%s", r.Wrong)
		}
	}
	return nil
}

// Says is what is left to say of the sheet that was read, "" for nothing.
func (f *Found) Says() string {
	said := append([]string{}, f.Notes...)
	if n := len(f.Strange); n > 0 {
		said = append(said, problem.Count(n, "row")+" of no sample: "+few(f.Strange))
	}
	if n := len(f.Without); n > 0 {
		said = append(said, problem.Count(n, "sample")+" without a row: "+few(f.Without))
	}
	return strings.Join(said, "; ")
}
