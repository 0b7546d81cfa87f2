// Package page writes a report as one HTML file that needs nothing else: pictures and the job that makes it again are
// in it, there is no script, and it prints as it looks.
package page

import (
	_ "embed"
	"encoding/base64"
	"html/template"
	"image/color"
	"io"
)

// Page is what a report says.
type Page struct {
	Title    string
	Says     string // a sentence on what it is of
	Sample   string // data that are one: "a sample of 3,000 of 18,000 rows"; "": they are all
	Files    []File
	Facts    []Fact // parameters, in groups
	Pictures []Picture
	Views    []Picture // views of the session's window
	Columns  []Column
	Tree     []Population
	Of       string  // shares of populations are of this: "all"
	Counts   string  // counts of populations are of this; "": that needs no words
	Heat     *Heat   // nil: there are no populations
	Shares   *Shares // nil: there are no populations
	Tests    []Test  // a table for each column of the sheet of samples that has groups
	Notes    []string
	Command  string // the command that makes it again
	Program  string // name and version
	Carried  string // the job that makes it again, as a text that is found; "": none
}

// File is a file of the data.
type File struct {
	Name   string
	Size   int64
	SHA256 string
}

// Fact is a parameter.
type Fact struct{ Of, Name, Value string }

// Picture is one that is drawn.
type Picture struct {
	Caption string
	Mime    string
	Data    []byte
}

// URL is the picture in a link.
func (p Picture) URL() template.URL {
	return template.URL("data:" + p.Mime + ";base64," + base64.StdEncoding.EncodeToString(p.Data))
}

// Column is a column of the data.
type Column struct{ Name, Label, Role, Transform string }

// Population is one of the tree.
type Population struct {
	Name   string
	Ink    color.NRGBA
	Depth  int
	Rule   string
	Points string
	All    float64 // share of what Of says, 0 to 1
	Parent float64 // and of those of the population above
	Why    string  // why it has none; "": it was evaluated
}

// Heat is the heat map of populations.
type Heat struct {
	Columns   []string
	Rows      []HeatRow
	Low, High string // meaning of the ends of the colours
	Scale     []color.NRGBA
}

// HeatRow is a population in it.
type HeatRow struct {
	Name  string
	Ink   color.NRGBA
	Cells []Cell
}

// Cell is a median.
type Cell struct {
	Text string
	Fill color.NRGBA
}

// Shares are how many points populations have in samples.
type Shares struct {
	By      string // kind of the samples: "file"
	Samples []string
	Rows    []SharesRow
}

// SharesRow is a population in all samples.
type SharesRow struct {
	Name  string
	Cells []Share
}

// Share is a population in a sample.
type Share struct {
	Points string  // "": it cannot be told there
	Of     float64 // share of the points of the sample, 0 to 1
}

// Test is how populations differ between groups of samples.
type Test struct {
	Column string
	Groups []string
	Rows   []TestRow
}

// TestRow is a population in a test.
type TestRow struct {
	Name        string
	Medians     []string // by group
	P, Adjusted string
}

//go:embed page.html
var source string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"css": css, "ink": inkOn, "percent": Percent, "grouped": grouped, "indent": indent, "width": width,
}).Parse(source))

// Write writes the page. The same page gives the same bytes.
func (p *Page) Write(w io.Writer) error { return page.Execute(w, p) }
