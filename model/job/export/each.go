package export

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Each says of what each file of labels is; "": one file has all rows.
type Each string

const (
	EachPopulation Each = "population" // a file has the rows of one, with their data and their numbers
	EachFile       Each = "file"       // a file has the rows of one file of the data
)

// Check says what is wrong with it.
func (e Each) Check() error {
	if e == "" || e == EachPopulation || e == EachFile {
		return nil
	}
	return problem.New("", "use population or file", "files cannot be of each %q", string(e))
}

// IsFolder says whether a path is that of a folder, into which a file of each is written under its own name.
func IsFolder(path string) bool { return path != "" && os.IsPathSeparator(path[len(path)-1]) }

// CheckFiles says why rows cannot be parted into the files that path stands for.
func (r *Rows) CheckFiles(path string) error {
	switch sample := r.Data.Total > r.Data.Points; {
	case !IsFolder(path) || r.Each == "":
	case r.Each != EachFile:
		return problem.New(path, "name a file, whose name the others begin with",
			"a folder takes a file of each input alone")
	case sample:
		return problem.New(r.Data.Path, "take all points, or write one file",
			"a file of each input has the same rows (--split), and these are %d of %d points (--max-points)",
			r.Data.Points, r.Data.Total)
	}
	return nil
}

// Paths are the files that rows are written into as to: this one; or one of each, called after it and what it is of, in
// the format of the data where it names none; in a folder each is called after its input, with its extension. said
// tells of those that have another.
func (r *Rows) Paths(to string) (paths, said []string) {
	var called []string
	switch r.Each {
	case "":
		return []string{to}, nil
	case EachPopulation:
		for _, p := range r.Names.Tree.All() {
			called = append(called, r.Names.Tree.Path(r.Names.Tree.Place(p.ID)))
		}
	case EachFile:
		files := r.inputs()
		if IsFolder(to) {
			return r.beside(to, files)
		}
		for _, f := range files {
			stem, _ := cutEnding(f)
			called = append(called, stem)
		}
	}
	stem, ending := splitEnding(to)
	if ending == "" {
		ending = endingOf(r.Data.Format)
	}
	var taken taken
	for i, text := range called {
		called[i] = stem + "_" + taken.free(safe(text)) + ending
	}
	return called, nil
}

// inputs are the names of the files of the data.
func (r *Rows) inputs() (names []string) {
	for _, path := range r.Data.Parts {
		names = append(names, filepath.Base(path))
	}
	if len(names) == 0 {
		return []string{r.Data.Name}
	}
	return names
}

// beside are files of a folder, one for each input.
func (r *Rows) beside(folder string, inputs []string) (paths, said []string) {
	var taken taken
	for _, input := range inputs {
		stem, ending := cutEnding(input)
		if format.Writable(input) != nil {
			ending = endingOf(r.Data.Format)
		}
		name := taken.free(safe(stem+"_blossom")) + ending
		if _, own := splitEnding(input); ending != own {
			said = append(said, input+": written as "+name)
		}
		paths = append(paths, folder+name)
	}
	for _, input := range append([]string{r.Data.Path}, r.Data.Parts...) {
		if input != "" && filepath.Dir(input) == filepath.Clean(folder) {
			said = append(said, "written into the folder of the input: where that is opened, these files are left out")
			break
		}
	}
	return paths, said
}

// InFolder are files of a folder, one for each input and called as it is, all with this extension and a name of their
// own.
func InFolder(folder string, inputs []string, ending string) (paths []string) {
	var taken taken
	for _, input := range inputs {
		stem, _ := cutEnding(filepath.Base(input))
		paths = append(paths, filepath.Join(folder, taken.free(safe(stem))+ending))
	}
	return paths
}

// taken are names that files have, as a system without capitals has them.
type taken map[string]bool

// free is a name that no file has yet: with a number, where it is taken.
func (t *taken) free(name string) string {
	out := name
	for k := 2; (*t)[strings.ToLower(out)]; k++ {
		out = fmt.Sprintf("%s (%d)", name, k)
	}
	if *t == nil {
		*t = taken{}
	}
	(*t)[strings.ToLower(out)] = true
	return out
}

// cutEnding parts the name of an input from its extension, if it is one of a format: "060909.001" has none.
func cutEnding(name string) (stem, ending string) {
	if stem, ending = splitEnding(name); ending == "" {
		return name, ""
	}
	if _, known := format.ForPath(name); !known {
		return name, ""
	}
	return stem, ending
}

// splitEnding parts the name of a file from its extension; of "a.csv.gz" that is ".csv.gz".
func splitEnding(path string) (stem, ending string) {
	if ending = filepath.Ext(path); strings.EqualFold(ending, ".gz") {
		ending = filepath.Ext(strings.TrimSuffix(path, ending)) + ending
	}
	return strings.TrimSuffix(path, ending), ending
}

// endingOf is that of files of a format, CSV where it is not written.
func endingOf(name string) string {
	for _, f := range format.All() {
		if f.Name == name && f.Write != nil {
			return f.Extensions[0]
		}
	}
	return ".csv"
}

// longest is how many bytes of a name of a file what it is of may take.
const longest = 120

// safe is a text as a part of the name of a file: without what systems forbid there, its end where it is long.
func safe(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, text)
	for len(text) > longest {
		_, first := utf8.DecodeRuneInString(text)
		text = text[first:]
	}
	return text
}

// part is the rows of file i of what is written of all.
func (r *Rows) part(ctx context.Context, all *dataset.Dataset, i int) (*dataset.Dataset, error) {
	var rows []int32
	origin := r.Data.Origin()
	switch {
	case r.Each == EachPopulation:
		r.Names.Labels.Sets[i].Each(0, r.Data.Points, func(row int) { rows = append(rows, int32(row)) })
	case origin == nil:
		return all, nil
	default:
		for row, file := range origin.Values {
			if int(file) == i {
				rows = append(rows, int32(row))
			}
		}
	}
	out, err := dataset.Take(ctx, all, rows)
	switch {
	case err != nil:
		return nil, err
	case r.Each == EachPopulation:
		out.Metadata = maps.Clone(all.Metadata)
		p := r.Names.Tree.All()[i]
		if out.Metadata[PopulationKey] = r.Names.Tree.Path(r.Names.Tree.Place(p.ID)); r.Names.Colour != nil {
			out.Metadata[PopulationColourKey] = hex(r.Names.Colour(p.Ink))
		}
	case r.Before != nil:
		r.ofFile(out, i)
	}
	return out, nil
}

// ofFile makes a table of the rows of one of several files what that file is: its own columns, in their order and as
// they are called there, its keywords and matrix, then all that stands behind the column of the files: what was joined
// to them, sheets, gates, and what was made.
func (r *Rows) ofFile(ds *dataset.Dataset, file int) {
	source := r.Data.Sources[file]
	var own, more []dataset.Column
	for k, at := range source.At {
		if at < 0 {
			continue
		}
		c := ds.Columns[at]
		if c.Name == r.Data.Columns[at].Name { // as it is in the table; else its values are others
			was := source.Columns[k]
			c.Name, c.Label, c.Log, c.Gain, c.Range = was.Name, was.Label, was.Log, was.Gain, was.Range
			relabel(&c, &was)
			if c.Exact != nil { // another file needs them, perhaps
				c.SetExact(c.Exact)
			}
		}
		own = append(own, c)
	}
	at := r.Data.OriginAt()
	for i, c := range ds.Columns {
		if i > at { // columns before it are of the files
			more = append(more, c)
		}
	}
	said := map[string]string{}
	maps.Copy(said, r.Data.Keywords[file])
	for k, v := range ds.Metadata {
		if of, first := r.Data.Metadata[k]; !first || of != v {
			said[k] = v
		}
	}
	ds.Columns, ds.Metadata, ds.Spillover = own, said, nil
	if r.Before.Spillover != nil || r.Before.Spillovers != nil { // else values are not as a matrix is about
		ds.Spillover = source.Spillover
	}
	ds.Columns = dataset.Beside(ds, more...).Columns
}

// relabel gives a column of labels those of another, its own before files were put together, in their order: files of
// numbers have labels by their places.
func relabel(c, was *dataset.Column) {
	if c.Categories == nil || was.Categories == nil {
		return
	}
	place := make(map[string]float32, len(was.Categories))
	for i, text := range was.Categories {
		place[text] = float32(i)
	}
	values, counts := make([]float32, len(c.Values)), make([]int, len(was.Categories))
	for row, v := range c.Values {
		values[row] = float32(math.NaN())
		if v >= 0 && int(v) < len(c.Categories) {
			at, known := place[c.Categories[int(v)]]
			if !known {
				return // its labels are of others, and stay
			}
			values[row] = at
			counts[int(at)]++
		}
	}
	c.Values, c.Categories, c.Own, c.Inks, c.Rests = values, was.Categories, was.Own, was.Inks, was.Rests
	c.Stats = dataset.LabelStats(counts, len(values))
}
