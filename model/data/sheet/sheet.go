// Package sheet is what is known of samples: a table with a row for each sample and columns of texts, such as group,
// donor and day. Samples are the labels of a column of the data, as a rule the files that were opened together.
package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Bounds of a sheet, which keep what draws it quick and what a file claims within reason.
const (
	MostColumns = 100
	MostSamples = 20_000
	LongCell    = 500 // characters
)

// Sheet is a table of texts by samples. A Sheet is immutable; its zero value is empty.
type Sheet struct {
	by       string   // the column of the data whose labels are samples; "": the files
	columns  []string // names, no two alike without capitals
	measures []string // names of the columns whose texts are taken as numbers, in the order of columns
	rows     []row    // samples that have a text, by their names
}

// row is the texts of a sample, one for each column, "" for none.
type row struct {
	sample string
	cells  []string
}

// By is the column of the data whose labels are samples; "": the files, or all points where they are of one file.
func (s Sheet) By() string { return s.by }

// Columns are the names of the columns. They are not to be changed.
func (s Sheet) Columns() []string { return s.columns }

// Empty says whether there is nothing in it.
func (s Sheet) Empty() bool { return len(s.columns) == 0 && s.by == "" }

// Known are the samples that have a row, by their names.
func (s Sheet) Known() (names []string) {
	for _, r := range s.rows {
		names = append(names, r.sample)
	}
	return names
}

// At is the place of a column of a name, in any case of letters; -1: there is none.
func (s Sheet) At(column string) int {
	return slices.IndexFunc(s.columns, func(c string) bool { return strings.EqualFold(c, column) })
}

// Cell is the text of a sample in the column at a place, "" for none.
func (s Sheet) Cell(sample string, column int) string {
	if i, ok := s.find(sample); ok && column >= 0 && column < len(s.columns) {
		return s.rows[i].cells[column]
	}
	return ""
}

// find is the place of the row of a sample, or where it is to be.
func (s Sheet) find(sample string) (int, bool) {
	return slices.BinarySearchFunc(s.rows, sample, func(r row, name string) int {
		return strings.Compare(r.sample, name)
	})
}

// Equal says whether two sheets are the same.
func Equal(a, b Sheet) bool {
	return a.by == b.by && slices.Equal(a.columns, b.columns) && slices.Equal(a.measures, b.measures) &&
		slices.EqualFunc(a.rows, b.rows, func(x, y row) bool {
			return x.sample == y.sample && slices.Equal(x.cells, y.cells)
		})
}

// Bytes is the memory that a sheet takes.
func (s Sheet) Bytes() (n int) {
	for _, c := range s.columns {
		n += 32 + 2*len(c)
	}
	for _, r := range s.rows {
		n += 64 + len(r.sample)
		for _, c := range r.cells {
			n += 16 + len(c)
		}
	}
	return n
}

// tidy is a text as cells have it: without line ends and blanks around it, and of a length that can be shown.
func tidy(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) > LongCell {
		text = strings.TrimSpace(string([]rune(text)[:LongCell]))
	}
	return text
}

// byName puts rows that have a text into their order, those of several of one sample after each other.
func byName(rows []row) []row {
	rows = slices.DeleteFunc(rows, func(r row) bool { return !said(r) })
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.sample, b.sample) })
	return rows
}

// Keyed returns an empty sheet whose samples are the labels of another column; "": the files.
func Keyed(by string) Sheet { return Sheet{by: by} }

// Add returns the sheet with a column more, the last; a name that is taken has a number behind it.
func (s Sheet) Add(name string) (Sheet, error) {
	if len(s.columns) >= MostColumns {
		return s, problem.New("", "remove some", "a sheet has at most %d columns", MostColumns)
	}
	s.columns = append(slices.Clone(s.columns), s.free(name, -1))
	s.rows = slices.Clone(s.rows)
	for i := range s.rows {
		s.rows[i].cells = append(slices.Clone(s.rows[i].cells), "")
	}
	return s, nil
}

// free is a name that no column but that at a place has.
func (s Sheet) free(name string, but int) string {
	name = cmp.Or(tidy(name), "column")
	out := name
	for i := 2; ; i++ {
		if at := s.At(out); at < 0 || at == but {
			return out
		}
		out = fmt.Sprintf("%s %d", name, i)
	}
}

// Rename returns the sheet with another name of the column at a place, which no other has.
func (s Sheet) Rename(column int, name string) Sheet {
	if column < 0 || column >= len(s.columns) || tidy(name) == "" {
		return s
	}
	name = s.free(name, column)
	measure := s.Measure(column)
	s = s.As(column, false)
	s.columns = slices.Clone(s.columns)
	s.columns[column] = name
	return s.As(column, measure)
}

// Remove returns the sheet without the column at a place.
func (s Sheet) Remove(column int) Sheet {
	if column < 0 || column >= len(s.columns) {
		return s
	}
	s = s.As(column, false)
	s.columns = slices.Delete(slices.Clone(s.columns), column, column+1)
	var rows []row
	for _, r := range s.rows {
		r.cells = slices.Delete(slices.Clone(r.cells), column, column+1)
		if said(r) {
			rows = append(rows, r)
		}
	}
	s.rows = rows
	return s
}

// said says whether a row has a text.
func said(r row) bool { return slices.ContainsFunc(r.cells, func(c string) bool { return c != "" }) }

// Set returns the sheet with another text of a sample in the column at a place.
func (s Sheet) Set(sample string, column int, text string) Sheet {
	text = tidy(text)
	if column < 0 || column >= len(s.columns) || s.Cell(sample, column) == text {
		return s
	}
	i, ok := s.find(sample)
	if !ok && len(s.rows) >= MostSamples {
		return s
	}
	if s.rows = slices.Clone(s.rows); !ok {
		s.rows = slices.Insert(s.rows, i, row{sample, make([]string, len(s.columns))})
	}
	s.rows[i].cells = slices.Clone(s.rows[i].cells)
	s.rows[i].cells[column] = text
	if !said(s.rows[i]) {
		s.rows = slices.Delete(s.rows, i, i+1)
	}
	return s
}

// Of are the samples of data by the column of the sheet: labels with the label of each row. of is nil where all rows
// are one sample, which is called as the data is.
func (s Sheet) Of(data *dataset.Dataset) (samples []string, of *dataset.Column) {
	if s.by != "" {
		for i := range data.Columns {
			if c := &data.Columns[i]; c.Name == s.by && c.Categories != nil {
				return c.Categories, c
			}
		}
	}
	if c := data.Origin(); c != nil {
		return c.Categories, c
	}
	return []string{data.Name}, nil
}

// Table is the texts of samples, for a file: a row for each, its name first.
func (s Sheet) Table(samples []string) (rows [][]string) {
	for _, sample := range samples {
		row := []string{sample}
		for column := range s.columns {
			row = append(row, s.Cell(sample, column))
		}
		rows = append(rows, row)
	}
	return rows
}

// Rekeyed returns the sheet with samples that are the labels of another column; "": the files. Texts stay with the
// names of samples.
func (s Sheet) Rekeyed(by string) Sheet {
	s.by = by
	return s
}
