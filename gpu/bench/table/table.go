package table

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Column is what a table tells of each row. A column that is empty in every row is left out.
type Column struct {
	Head  string
	Left  bool // words, which begin where those above begin
	Names bool // it says which row this is: told of one that failed, too
	fails bool // it says why there are no numbers, and stands in their place
	Cell  func(row any) string
}

// cellOf makes a cell for rows of one type; the cell is empty in rows of another.
func cellOf[R any](cell func(R) string) func(any) string {
	return func(row any) string {
		if r, ok := row.(R); ok {
			return cell(r)
		}
		return ""
	}
}

// Word is a column of words that name the row.
func Word[R any](head string, cell func(R) string) Column {
	return Column{Head: head, Left: true, Names: true, Cell: cellOf(cell)}
}

// Size is a column of numbers that name the row.
func Size[R any](head string, cell func(R) int) Column {
	return Column{Head: head, Names: true, Cell: cellOf(func(r R) string { return Whole(cell(r)) })}
}

// Value is a column of measured numbers; 0 is one that was not measured.
func Value[R any](head string, cell func(R) float64) Column {
	return Text(head, func(r R) string {
		if v := cell(r); v != 0 {
			return Number(v)
		}
		return ""
	})
}

// Text is a column of measured numbers, written as the cell has them.
func Text[R any](head string, cell func(R) string) Column {
	return Column{Head: head, Cell: cellOf(cell)}
}

// Remark is a column of words about what was measured.
func Remark[R any](head string, cell func(R) string) Column {
	return Column{Head: head, Left: true, Cell: cellOf(cell)}
}

// Failure is the column that says why a row has no numbers, "" where it has them.
func Failure[R any](why func(R) string) Column { return Column{fails: true, Cell: cellOf(why)} }

// Table is rows of cells under heads.
type Table struct {
	columns []Column
	cells   [][]string // a line for each row, with as many cells as there are columns
	failed  []string   // why a row has no numbers
}

// Of lays rows out in columns.
func Of(columns []Column, rows []any) Table {
	var t Table
	failed := make([]string, len(rows))
	for _, c := range columns {
		if c.fails {
			for i, row := range rows {
				failed[i] += strings.ReplaceAll(c.Cell(row), "\n", " ")
			}
		}
	}
	t.failed, t.cells = failed, make([][]string, len(rows))
	for _, c := range columns {
		column, some := make([]string, len(rows)), false
		for i, row := range rows {
			if !c.fails && (failed[i] == "" || c.Names) {
				column[i] = c.Cell(row)
			}
			some = some || column[i] != ""
		}
		if !some {
			continue
		}
		t.columns = append(t.columns, c)
		for i, cell := range column {
			t.cells[i] = append(t.cells[i], cell)
		}
	}
	return t
}

func (t Table) heads() []string {
	heads := make([]string, len(t.columns))
	for i, c := range t.columns {
		heads[i] = c.Head
	}
	return heads
}

// Text is the table for a terminal: words to the left, numbers to the right, columns as wide as what is in them.
func (t Table) Text() string {
	width, names := make([]int, len(t.columns)), 0
	for i, c := range t.columns {
		width[i] = utf8.RuneCountInString(c.Head)
		for _, row := range t.cells {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
		if c.Names && names == i {
			names++
		}
	}
	var out strings.Builder
	line := func(cells []string, after string) {
		var b strings.Builder
		for i, cell := range cells {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if t.columns[i].Left {
				b.WriteString(cell + pad + "  ")
			} else {
				b.WriteString(pad + cell + "  ")
			}
		}
		out.WriteString(strings.TrimRight(b.String()+after, " ") + "\n")
	}
	line(t.heads(), "")
	for i, row := range t.cells {
		if why := t.failed[i]; why != "" {
			line(row[:names], "failed: "+why)
		} else {
			line(row, "")
		}
	}
	return out.String()
}

// Markdown is the table for a README.
func (t Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.heads())
	line(strings.Fields(strings.Repeat("--- ", len(t.columns))))
	for i, row := range t.cells {
		if why := t.failed[i]; why != "" {
			row = slices.Clone(row)
			for k, c := range t.columns {
				if !c.Names {
					row[k] = "failed: " + why
					break
				}
			}
		}
		line(row)
	}
	return b.String()
}
