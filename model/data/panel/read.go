package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/texts"
)

// Names of the columns of a panel, the usual ones first: of the column of the data, of its antigen, and of its class.
var (
	columnNames = []string{"fcs_colname", "channel", "channel_name", "detector", "colname", "column", "name", "pns",
		"pnn"}
	labelNames = []string{"antigen", "marker", "target", "label", "marker_name", "desc", "description"}
	classNames = []string{"marker_class", "class", "type", "use"}
)

// NoLabel stands in the place of the antigen of a column that has none, whatever its file says.
const NoLabel = "-"

// Found is a panel as a file has it.
type Found struct {
	File  string
	Rows  []FoundRow // all that name a column
	Notes []string   // remarks about the text, and what was left out of it
}

// FoundRow is a row of the file.
type FoundRow struct {
	Row
	Line int    // where it begins in the file, from 1
	Bad  string // a word in the place of a class that says none; "": none
}

// Read reads a panel from a text table with names of columns. The error is ctx's or a Problem.
func Read(ctx context.Context, file string) (*Found, error) {
	table, err := texts.Read(ctx, file)
	if err != nil {
		return nil, err
	}
	return Look(table)
}

// Look finds the panel in a table. The error is a Problem.
func Look(table *texts.Table) (*Found, error) {
	name, label, class := columns(table)
	switch {
	case name < 0:
		return nil, problem.New(table.File, "call them fcs_colname, antigen and marker_class",
			"none of its columns is called as one of a panel: %s", few(table.Heads))
	case label < 0 && class < 0:
		return nil, problem.New(table.File, "add the column antigen, or marker_class",
			"says nothing of the columns that %q names", table.Heads[name])
	case len(table.Rows) > MostRows:
		return nil, problem.New(table.File, "leave out rows", "has %d rows, and a panel has at most %d",
			len(table.Rows), MostRows)
	}
	for _, at := range []int{name, label, class} {
		if at >= 0 && table.Twice(at) >= 0 {
			return nil, problem.New(table.File, "leave one of them out", "two columns are called %q", table.Heads[at])
		}
	}
	out := &Found{File: table.File, Notes: table.Notes}
	unnamed := 0
	for i, cells := range table.Rows {
		if texts.Missing(cells[name]) {
			unnamed++
			continue
		}
		r := FoundRow{Row: Row{Column: short(cells[name])}, Line: table.Lines[i]}
		if label >= 0 && !texts.Missing(cells[label]) {
			r.Label = short(cells[label])
		}
		if r.Label == NoLabel {
			r.Label, r.Bare = "", true
		}
		if class >= 0 {
			var ok bool
			if r.Class, ok = classOf(cells[class]); !ok {
				r.Bad = short(cells[class])
			}
		}
		out.Rows = append(out.Rows, r)
	}
	if unnamed > 0 {
		out.Notes = append(out.Notes, problem.Count(unnamed, "row")+" without a name, left out")
	}
	if len(out.Rows) == 0 {
		return nil, problem.New(table.File, "add a row for each column of the data", "has no row that names a column")
	}
	return out, nil
}

// columns are the places of the columns of a panel, -1 for one that it has not.
func columns(table *texts.Table) (name, label, class int) {
	name, label, class = table.At(columnNames...), table.At(labelNames...), table.At(classNames...)
	return name, label, class
}

// Named says whether a table has the columns of a panel, by their names.
func Named(table *texts.Table) bool {
	name, label, class := columns(table)
	return name >= 0 && (label >= 0 || class >= 0)
}

// longest is as many characters as a name can have.
const longest = 500

func short(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if r := []rune(text); len(r) > longest {
		text = strings.TrimSpace(string(r[:longest]))
	}
	return text
}

// few is some names in words.
func few(names []string) string {
	const most = 3
	out := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		if r := []rune(name); len(r) > 80 {
			name = string(r[:80]) + "…"
		}
		out = append(out, name)
	}
	if len(names) > most {
		return strings.Join(out, ", ") + " …"
	}
	return strings.Join(out, ", ")
}

// Fit is how rows fit to a table.
type Fit struct {
	At   []int    // by row, the column that it names; -1: none
	Says []string // by row, what is wrong with it in words; "": nothing
	Bad  []bool   // by row, whether it is refused for that
	Rest []int    // columns of numbers of the table that no row names
}

// Fitted finds the columns of a table that rows name.
func Fitted(rows []FoundRow, ds *dataset.Dataset) Fit {
	plain := make([]Row, len(rows))
	for i, r := range rows {
		plain[i] = r.Row
	}
	at, twice := places(plain, ds)
	f := Fit{At: at, Says: make([]string, len(rows)), Bad: make([]bool, len(rows))}
	first := map[string]int{}
	for i, r := range rows {
		key := folded(r.Column)
		if at[i] >= 0 {
			key = fmt.Sprint(at[i])
		}
		was, again := first[key]
		if !again {
			first[key] = i
		}
		switch {
		case r.Bad != "":
			f.Says[i], f.Bad[i] = fmt.Sprintf("%q is no class: type, state or none", r.Bad), true
		case twice[i] || again:
			f.Says[i], f.Bad[i] = fmt.Sprintf("%s is named twice%s", called(r, ds, at[i]), lines(rows[was], r)), true
		case at[i] < 0:
			f.Says[i] = "names no column of the data"
			if near := nearest(ds, r.Column); near != "" {
				f.Says[i] += ": is it " + near + "?"
			}
		}
	}
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Provenance == dataset.File && c.Categories == nil && ds.JoinedFrom(i) == nil && !slices.Contains(at, i) {
			f.Rest = append(f.Rest, i)
		}
	}
	return f
}

// nearest is the name of the column that a name of none is nearest to, "": none is near.
func nearest(ds *dataset.Dataset, name string) string {
	near := ds.Nearest(name)
	for i := range ds.Columns {
		if c := &ds.Columns[i]; c.Name == near || c.Label == near {
			return c.Name
		}
	}
	return ""
}

func called(r FoundRow, ds *dataset.Dataset, at int) string {
	if at >= 0 {
		return ds.Columns[at].Name
	}
	return r.Column
}

func lines(a, b FoundRow) string {
	if a.Line > 0 && b.Line > 0 {
		return fmt.Sprintf(", in lines %d and %d", a.Line, b.Line)
	}
	return ""
}

// Panel is the panel of the rows, none of which is refused.
func (f *Found) Panel() Panel {
	rows := make([]Row, len(f.Rows))
	for i, r := range f.Rows {
		rows[i] = r.Row
	}
	return Of(rows...)
}

// Wrong is the Problem of the first row that the panel is refused for, with the data that it is for; nil: none.
func (f *Found) Wrong(ds *dataset.Dataset) error {
	fit := Fitted(f.Rows, ds)
	for i, r := range f.Rows {
		if !fit.Bad[i] {
			continue
		}
		if r.Bad != "" {
			return problem.New(f.File, "write type, state or none, or leave it empty", "line %d: %s", r.Line,
				fit.Says[i])
		}
		return problem.New(f.File, "leave one of them out", "%s", fit.Says[i])
	}
	return nil
}

// Flaw is the Problem of the first row that is refused whatever the data are; nil: none.
func (f *Found) Flaw() error {
	if f == nil {
		return nil
	}
	return f.Wrong(&dataset.Dataset{})
}

// For is the Problem that the panel cannot be taken with these data for, nil: it can.
func (f *Found) For(ds *dataset.Dataset) error {
	if err := f.Wrong(ds); err != nil {
		return err
	}
	if !f.Fits(ds) {
		var names []string
		for i := range ds.Columns {
			names = append(names, ds.Columns[i].Name)
		}
		return problem.New(f.File, "write the names of the columns there: "+few(names),
			"none of its rows names a column of the data: it has %s", few(f.names()))
	}
	return nil
}

func (f *Found) names() (out []string) {
	for _, r := range f.Rows {
		out = append(out, r.Column)
	}
	return out
}

// Says is what is left to say of a panel with the data that it is for, in sentences.
func (f *Found) Says(ds *dataset.Dataset) []string {
	fit := Fitted(f.Rows, ds)
	out := slices.Clone(f.Notes)
	var none []string
	for i, r := range f.Rows {
		if fit.At[i] >= 0 {
			continue
		}
		text := r.Column
		if near := nearest(ds, r.Column); near != "" {
			text += " (is it " + near + "?)"
		}
		none = append(none, text)
	}
	if len(none) > 0 {
		out = append(out, problem.Count(len(none), "row")+" of the panel without a column in the data: "+few(none))
	}
	away := f.Panel().Unnamed(ds)
	rest := slices.DeleteFunc(slices.Clone(fit.Rest), func(i int) bool { return slices.Contains(away, i) })
	for _, x := range []struct {
		of  []int
		are string
	}{{away, "not in the map"}, {rest, "in the map or not, as they were"}} {
		if len(x.of) == 0 {
			continue
		}
		var names []string
		for _, i := range x.of {
			names = append(names, ds.Columns[i].Name)
		}
		out = append(out, problem.Count(len(names), "column")+" without a row in the panel, "+x.are+": "+few(names))
	}
	return out
}

// Fits says whether any of the rows names a column of the table.
func (f *Found) Fits(ds *dataset.Dataset) bool {
	return slices.ContainsFunc(Fitted(f.Rows, ds).At, func(i int) bool { return i >= 0 })
}
