package main

import (
	"fmt"

	"blossom/model/data/dataset"
	"blossom/model/data/match"
)

// matchInfo is what `info --json` says of several files: a contract, see the README.
type matchInfo struct {
	By      string       `json:"by"`
	Columns []matchedRow `json:"columns"`
	Notes   []string     `json:"notes"`
}

// matchedRow is a column of the table that the files would make together.
type matchedRow struct {
	Name  string    `json:"name"`
	Label string    `json:"label"`
	From  []*string `json:"from"`            // for each file the name of its column, null for none
	By    string    `json:"by"`              // antigen, detector, name, place; "" where one file has it alone
	Doubt string    `json:"doubt,omitempty"` // why it may be wrong
	Apart bool      `json:"apart,omitempty"` // because of it the files keep columns of their own
	Map   bool      `json:"map"`             // it would be in the map
}

// headers is a table without its values, which matching does not need.
func headers(ds *dataset.Dataset) *dataset.Dataset {
	out := *ds
	out.Columns = append([]dataset.Column{}, ds.Columns...)
	for i := range out.Columns {
		out.Columns[i].Values = nil
	}
	return &out
}

func describeMatch(p *match.Plan) matchInfo {
	out := matchInfo{By: p.How.By, Columns: []matchedRow{}, Notes: append([]string{}, matchNotes(p)...)}
	for _, r := range p.Rows {
		row := matchedRow{Name: r.Name, Label: r.Label, By: r.By, Doubt: r.Doubt, Apart: r.Apart, Map: r.InMap}
		for f, at := range r.From {
			if row.From = append(row.From, nil); at >= 0 {
				row.From[f] = &p.Files[f].Columns[at].Name
			}
		}
		out.Columns = append(out.Columns, row)
	}
	return out
}

// matchNotes are what there is to know about files that are opened together.
func matchNotes(p *match.Plan) []string {
	notes := p.Doubts()
	if err := p.Strangers(); err != nil {
		notes = append(notes, err.Error())
	} else if f, n := p.Odd(); f >= 0 && len(p.Files) > 2 { // with two files, one of them has all columns
		notes = append(notes, fmt.Sprintf("%s in all files; without %s %d", columnsText(p.Common()),
			p.Files[f].Name, n))
	}
	return notes
}

func columnsText(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

// printMatch writes the table for people: which column of which file is which, the doubtful ones first.
func (a *app) printMatch(p *match.Plan) {
	fmt.Fprintf(a.out, "together: %d files, %s in all of them\n", len(p.Files), columnsText(p.Common()))
	t := textTable{heads: []string{"name"}}
	for _, f := range p.Files {
		t.heads = append(t.heads, oneLine(f.Name))
	}
	t.heads = append(t.heads, "matched by", "map", "")
	t.words = len(t.heads)
	for _, r := range p.Rows {
		line := []string{oneLine(r.Title())}
		for f, at := range r.From {
			word := "-"
			if at >= 0 {
				word = oneLine(p.Files[f].Columns[at].Title())
			}
			line = append(line, word)
		}
		in, doubt := "", ""
		if r.InMap {
			in = "yes"
		}
		if r.Doubt != "" {
			doubt = "doubtful"
		}
		t.add(append(line, r.By, in, doubt)...)
	}
	t.write(a.out)
	for _, n := range matchNotes(p) {
		fmt.Fprintf(a.out, "  note: %s\n", oneLine(n))
	}
	fmt.Fprintln(a.out)
}
