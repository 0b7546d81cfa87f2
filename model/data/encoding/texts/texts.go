// Package texts reads and writes small tables of texts that people keep beside their data, as spreadsheets save them:
// sheets of samples, panels. What their columns mean is for others to say.
package texts

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/format"
)

// Bounds of a table, which keep what a file claims within reason.
const (
	MostBytes   = 64 << 20
	MostRows    = 1 << 20
	MostColumns = 1 << 14
)

// Table is a table of texts with a row of names above it.
type Table struct {
	File  string
	Heads []string   // names of columns, without blanks around them
	Rows  [][]string // each as long as Heads
	Lines []int      // where each row begins in the file, from 1
	Notes []string   // remarks about what was put right, in words
}

// Read reads the table at path. The error is ctx's or a Problem.
func Read(ctx context.Context, path string) (*Table, error) {
	text, err := format.ReadText(ctx, path, MostBytes)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Heads are the names of the columns of the table at path, as far as its first kilobytes say; nil where these are no
// table. It takes no longer than a frame.
func Heads(path string) *Table {
	const most = 16 << 10
	text, err := format.TextHead(context.Background(), path, most)
	if err != nil {
		return nil
	}
	if len(text) >= most*3/4 { // the last line may be cut
		text = text[:strings.LastIndexByte(text, '\n')+1]
	}
	t, err := Parse(path, text)
	if err != nil {
		return nil
	}
	return t
}

// Parse reads a table from a text whose lines end in "\n": cells stand between commas, semicolons, tabs or bars,
// whichever fit best, and may be quoted as RFC 4180 says. file is for errors, which are Problems.
func Parse(file, text string) (*Table, error) {
	if strings.TrimSpace(text) == "" {
		return nil, problem.New(file, "check that it was saved completely", "has only empty lines")
	}
	t := &Table{File: file}
	r := reader(text, separator(text))
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, t.unquoted(err)
		}
		line, _ := r.FieldPos(0)
		if err := t.add(record, line); err != nil {
			return nil, err
		}
	}
	if t.Heads == nil {
		return nil, problem.New(file, "check that it was saved completely", "has only empty lines")
	}
	t.trim()
	for i, row := range t.Rows {
		if n := len(row); n > len(t.Heads) {
			return nil, problem.New(file, "put quotes around texts with a comma, or name all columns",
				"line %d has %s, and the first line names %s", t.Lines[i], problem.Count(n, "cell"),
				problem.Count(len(t.Heads), "column"))
		}
	}
	t.pad()
	return t, nil
}

// reader takes texts apart at a separator. A quote within a cell that has not begun with one is a letter.
func reader(text string, separator rune) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, loose(text, separator)
	return r
}

// loose says whether quotes stand within cells that have not begun with one, as in 5" or O"Neill.
func loose(text string, separator rune) bool {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = separator, -1, true
	for {
		_, err := r.Read()
		switch {
		case errors.Is(err, csv.ErrBareQuote):
			return true
		case err != nil:
			return false
		}
	}
}

// unquoted says what is wrong with the quotes of a line.
func (t *Table) unquoted(err error) error {
	line := 0
	var at *csv.ParseError
	if errors.As(err, &at) {
		line = at.StartLine
	}
	return problem.New(t.File, "close it, and write a quote within a text twice",
		"the quotes of line %d do not fit together", line)
}

// add takes a record of the file, which begins at a line: the names, or a row. Empty ones are left out.
func (t *Table) add(record []string, line int) error {
	for i := range record {
		record[i] = strings.TrimSpace(record[i])
	}
	if !slices.ContainsFunc(record, func(c string) bool { return c != "" }) {
		return nil
	}
	switch {
	case len(record) > MostColumns:
		return problem.New(t.File, "leave some out", "has %d columns, more than the %d that a sheet can have",
			len(record), MostColumns)
	case t.Heads == nil:
		t.Heads = record
		return nil
	case len(t.Rows) == MostRows:
		return problem.New(t.File, "leave rows out", "has more than %s rows", problem.Grouped(MostRows))
	}
	t.Rows, t.Lines = append(t.Rows, record), append(t.Lines, line)
	return nil
}

// trim takes off what stands empty at the right: spreadsheets write columns that were once used.
func (t *Table) trim() {
	trimmed := func(row []string) []string {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		return row
	}
	t.Heads = trimmed(t.Heads)
	for i, row := range t.Rows {
		if len(row) > len(t.Heads) {
			t.Rows[i] = row[:max(len(t.Heads), len(trimmed(row)))]
		}
	}
}

// pad makes all rows as long as the names, and notes which were not.
func (t *Table) pad() {
	short, first := 0, 0
	for i, row := range t.Rows {
		if len(row) < len(t.Heads) {
			if short++; short == 1 {
				first = t.Lines[i]
			}
			t.Rows[i] = append(row, make([]string, len(t.Heads)-len(row))...)
		}
	}
	switch {
	case short == 1:
		t.Notes = append(t.Notes, "line "+problem.Grouped(int64(first))+
			" has fewer cells than the first line: the rest of it is empty")
	case short > 1:
		t.Notes = append(t.Notes, problem.Grouped(int64(short))+" lines, the first of them line "+
			problem.Grouped(int64(first))+", have fewer cells than the first line: the rest of them is empty")
	}
}

// separator is what stands between cells: what gives most of the first lines as many cells as the first one, and of
// several the one that gives the most.
func separator(text string) rune {
	const looked = 64
	best, most, score := ',', 0, -1.0
	for _, sep := range []rune{',', ';', '\t', '|'} {
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = sep, -1, true, true
		head, rows, same := 0, 0, 0
		for rows < looked {
			record, err := r.Read()
			if err != nil {
				break
			}
			if head == 0 {
				head = len(record)
				continue
			}
			if rows++; len(record) == head {
				same++
			}
		}
		if head < 2 {
			continue
		}
		fits := 1.0
		if rows > 0 {
			fits = float64(same) / float64(rows)
		}
		if fits > score || fits == score && head > most {
			best, most, score = sep, head, fits
		}
	}
	return best
}

// At is the place of the column of one of these names, in any case of letters and without regard to blanks, bars and
// dots; the first of the names counts first. -1: there is none.
func (t *Table) At(names ...string) int {
	for _, name := range names {
		for i, head := range t.Heads {
			if Fold(head) == Fold(name) {
				return i
			}
		}
	}
	return -1
}

// Twice is the place of a second column of the same name as the one at a place; -1: there is none.
func (t *Table) Twice(at int) int {
	for i := at + 1; i < len(t.Heads); i++ {
		if Fold(t.Heads[i]) == Fold(t.Heads[at]) {
			return i
		}
	}
	return -1
}

// Fold is a name as it is compared: without capitals, blanks, bars and dots.
func Fold(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '_', '-', '.', '\u00a0':
			return -1
		}
		return r
	}, name))
}

// Missing says whether a cell has no text: it is empty, or says so in the words of spreadsheets and R.
func Missing(cell string) bool {
	switch cell {
	case "", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL":
		return true
	}
	return false
}

// Write writes a table of texts: comma-separated, or as the ending of the file says separated by tabs.
func Write(w io.Writer, path string, heads []string, rows [][]string) error {
	c := csv.NewWriter(w)
	if end := strings.ToLower(strings.TrimSuffix(path, ".gz")); strings.HasSuffix(end, ".tsv") ||
		strings.HasSuffix(end, ".tab") {
		c.Comma = '\t'
	}
	if err := c.Write(heads); err != nil {
		return err
	}
	return c.WriteAll(rows)
}
