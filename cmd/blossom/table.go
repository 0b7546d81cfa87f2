package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// textTable is a table for people: a heading and rows, words to the left and numbers to the right.
type textTable struct {
	heads []string
	words int // columns from the left that are words
	rows  [][]string
}

func (t *textTable) add(cells ...string) { t.rows = append(t.rows, cells) }

// write prints the table. Widths follow what is in it.
func (t *textTable) write(w io.Writer) {
	width := make([]int, len(t.heads))
	all := append([][]string{t.heads}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i < t.words {
				line.WriteString(cell + pad + "  ")
			} else {
				line.WriteString(pad + cell + "  ")
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
