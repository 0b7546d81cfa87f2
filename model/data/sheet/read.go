package sheet

import (
	"context"
	"path"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Found is a sheet as a file has it for some samples.
type Found struct {
	Sheet   Sheet
	Key     string   // the column of the file that names samples
	Strange []string // names there that are none of the samples
	Without []string // samples that the file has no row of
}

// Read reads a sheet of samples, which are labels of the column by ("": files), from a text table with names of
// columns. Samples are found by their names without regard to capitals, with or without the folder and the ending of a
// file, in the first column of those that name the most. The error is ctx's or a Problem.
func Read(ctx context.Context, file string, samples []string, by string) (*Found, error) {
	table, err := texts(ctx, file)
	if err != nil {
		return nil, err
	}
	found := byNames(samples)
	key, most := 0, 0
	for j := range table.Columns {
		n := 0
		for i := range table.Points {
			if found.sample(cell(&table.Columns[j], i)) >= 0 {
				n++
			}
		}
		if n > most {
			key, most = j, n
		}
	}
	if most == 0 {
		return nil, problem.New(file, "give it a column with the names of the samples: "+few(samples),
			"no column names a sample: the first one has %s", few(all(&table.Columns[0])))
	}
	return fill(file, table, key, samples, by, found)
}

// texts is the table of a file, in which each column is of texts.
func texts(ctx context.Context, file string) (*dataset.Dataset, error) {
	if err := format.CheckInput(file); err != nil {
		return nil, err
	}
	if !format.LooksLikeText(file) {
		return nil, problem.New(file, "save it as CSV or TSV", "is no text table, as a sheet of samples is")
	}
	as := dataset.Reading{Header: "yes"}
	p, err := format.ReadPreview(ctx, file, as)
	if err != nil {
		return nil, err
	}
	if len(p.Columns) > MostColumns+1 {
		return nil, problem.New(file, "leave out columns that do not tell samples apart",
			"has %d columns, and a sheet has at most %d beside the names", len(p.Columns), MostColumns)
	}
	for j := range p.Columns {
		as.Label = append(as.Label, strconv.Itoa(j+1))
	}
	table, err := format.Open(ctx, file, format.Options{Reading: as, MaxPoints: MostSamples + 1})
	if err != nil {
		return nil, err
	}
	switch {
	case len(table.Columns) < 2:
		return nil, problem.New(file, "add columns such as group, donor or day",
			"has no column beside the names of the samples")
	case table.Points == 0:
		return nil, problem.New(file, "add a row for each sample", "has the names of columns and no rows")
	case table.Points > MostSamples:
		return nil, problem.New(file, "leave out rows", "has more than %d rows", MostSamples)
	}
	return table, nil
}

// cell is the text of a row in a column of labels.
func cell(c *dataset.Column, row int) string {
	if x := c.Values[row]; x == x && int(x) < len(c.Categories) {
		return c.Categories[int(x)]
	}
	if x := c.At(row); c.Categories == nil && x == x {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return ""
}

func all(c *dataset.Column) (out []string) {
	for i := range c.Values {
		out = append(out, cell(c, i))
	}
	return out
}

// few is some names in words.
func few(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + " …"
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

// stem is that without the ending of a file.
func stem(name string) string {
	name = strings.TrimSuffix(whole(name), ".gz")
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

// fill makes the sheet of a table whose column key names the samples.
func fill(file string, table *dataset.Dataset, key int, samples []string, by string, found naming) (*Found, error) {
	out := &Found{Sheet: Keyed(by), Key: table.Columns[key].Name}
	var err error
	var from []int
	var rows []row
	for j := range table.Columns {
		if j == key {
			continue
		}
		if out.Sheet, err = out.Sheet.Add(table.Columns[j].Name); err != nil {
			return nil, err
		}
		from = append(from, j)
	}
	line := make([]int, len(samples)) // the row of each sample, from 1
	for i := range table.Points {
		name := cell(&table.Columns[key], i)
		at := found.sample(name)
		switch {
		case at < 0:
			if name != "" {
				out.Strange = append(out.Strange, name)
			}
			continue
		case line[at] > 0:
			return nil, problem.New(file, "leave one of them", "rows %d and %d are both of %s", line[at], i+1,
				samples[at])
		}
		line[at] = i + 1
		cells := make([]string, len(from))
		for k, j := range from {
			cells[k] = tidy(cell(&table.Columns[j], i))
		}
		rows = append(rows, row{samples[at], cells})
	}
	out.Sheet.rows = byName(rows)
	for i, s := range samples {
		if line[i] == 0 {
			out.Without = append(out.Without, s)
		}
	}
	return out, nil
}

// Says is what is left to say of the sheet that was read, "" for nothing.
func (f *Found) Says() string {
	var said []string
	if n := len(f.Strange); n > 0 {
		said = append(said, problem.Count(n, "row")+" of no sample: "+few(f.Strange))
	}
	if n := len(f.Without); n > 0 {
		said = append(said, problem.Count(n, "sample")+" without a row: "+few(f.Without))
	}
	return strings.Join(said, "; ")
}
