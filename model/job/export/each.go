package export

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
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

// Paths are the files that labels are written into as to: this one; or one of each, called after it and what it is of,
// in the format of the data where it names none.
func (n *Names) Paths(to string) []string {
	var called []string
	switch n.Each {
	case "":
		return []string{to}
	case EachPopulation:
		for _, p := range n.Tree.All() {
			called = append(called, n.Tree.Path(n.Tree.Place(p.ID)))
		}
	case EachFile:
		files := []string{n.Data.Name}
		if origin := n.Data.Origin(); origin != nil {
			files = origin.Categories
		}
		for _, f := range files {
			stem, _ := cutEnding(f)
			called = append(called, stem)
		}
	}
	stem, ending := cutEnding(to)
	if ending == "" {
		ending = endingOf(n.Data.Format)
	}
	taken := map[string]bool{} // by names that a system without capitals has
	for i, text := range called {
		name := safe(text)
		for k := 2; taken[strings.ToLower(name)]; k++ {
			name = fmt.Sprintf("%s (%d)", safe(text), k)
		}
		taken[strings.ToLower(name)] = true
		called[i] = stem + "_" + name + ending
	}
	return called
}

// cutEnding parts the name of a file from its extension; of "a.csv.gz" that is ".csv.gz".
func cutEnding(path string) (stem, ending string) {
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
func (n *Names) part(ctx context.Context, all *dataset.Dataset, i int) (*dataset.Dataset, error) {
	var rows []int32
	origin := n.Data.Origin()
	switch {
	case n.Each == EachPopulation:
		n.Labels.Sets[i].Each(0, n.Data.Points, func(row int) { rows = append(rows, int32(row)) })
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
	case n.Each == EachPopulation:
		out.Metadata = maps.Clone(all.Metadata)
		p := n.Tree.All()[i]
		if out.Metadata[PopulationKey] = n.Tree.Path(n.Tree.Place(p.ID)); n.Colour != nil {
			out.Metadata[PopulationColourKey] = hex(n.Colour(p.Ink))
		}
	case n.Before != nil:
		n.ofFile(out, i)
	}
	return out, nil
}

// ofFile makes a table of the rows of one of several files what that file is: without the column of its name and those
// that it has not, with its own keywords and matrix.
func (n *Names) ofFile(ds *dataset.Dataset, file int) {
	at, own := n.Data.OriginAt(), []dataset.Column(nil)
	for i, c := range ds.Columns {
		missing := i < len(n.Data.Columns) && c.Aside && n.Data.JoinedFrom(i) == nil &&
			!slices.ContainsFunc(c.Values, func(x float32) bool { return x == x })
		if i != at && !missing {
			own = append(own, c)
		}
	}
	said := map[string]string{}
	maps.Copy(said, n.Data.Keywords[file])
	for k, v := range ds.Metadata {
		if of, first := n.Data.Metadata[k]; !first || of != v {
			said[k] = v
		}
	}
	ds.Columns, ds.Metadata = own, said
	if n.Before.Spillovers != nil {
		ds.Spillover = n.Before.Spillovers[file]
	}
}
