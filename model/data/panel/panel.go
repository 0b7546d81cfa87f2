// Package panel is what a panel says of the columns of data: which antigen each detector was stained for, and whether
// it takes part in the map. It is applied to tables as they were read, and known again by the names of columns.
package panel

import (
	"slices"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/texts"
)

// MostRows bounds a panel: more columns than that are no panel's.
const MostRows = 10_000

// Class is what a column is for: CATALYST's marker_class.
type Class string

// The classes.
const (
	Unsaid Class = ""      // as the column is
	Type   Class = "type"  // tells cell types apart: in the map
	State  Class = "state" // tells what cells do: coloured by, not in the map
	None   Class = "none"  // neither: coloured by, not in the map
)

// Classes are all of them that can be said.
var Classes = []Class{Type, State, None}

// Row is what a panel says of a column.
type Row struct {
	Column string `json:"column"`          // its name, as files have it
	Label  string `json:"label,omitempty"` // its antigen; "": as the column has it
	Bare   bool   `json:"bare,omitempty"`  // it has no antigen, whatever the column has
	Class  Class  `json:"class,omitempty"`
}

// Panel is a list of rows, no two of one column. A Panel is immutable; its zero value is empty.
type Panel struct{ rows []Row }

// Of returns the panel of rows; the first one of a column counts.
func Of(rows ...Row) Panel {
	var p Panel
	seen := map[string]bool{"": true}
	for _, r := range rows {
		if name := folded(r.Column); !seen[name] {
			seen[name], p.rows = true, append(p.rows, r)
		}
	}
	return p
}

// Rows are its rows, in their order. They are not to be changed.
func (p Panel) Rows() []Row { return p.rows }

// Empty says whether it says nothing.
func (p Panel) Empty() bool { return len(p.rows) == 0 }

// Equal says whether two panels are the same.
func Equal(a, b Panel) bool { return slices.Equal(a.rows, b.rows) }

// Bytes is the memory that a panel takes.
func (p Panel) Bytes() (n int) {
	for _, r := range p.rows {
		n += 64 + len(r.Column) + len(r.Label)
	}
	return n
}

// folded is the name of a column as it is compared where the exact one is not there: without blanks and case.
func folded(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), ""))
}

// Why is why a column of a class is left out of the map.
func (c Class) Why() string {
	switch c {
	case State:
		return "a state marker, as the panel says"
	case None:
		return "none of the panel's markers"
	}
	return ""
}

// places are the columns of a table that rows name, -1 for none: by their names, exactly, else without blanks and case.
// twice are rows whose column another row has named before.
func places(rows []Row, ds *dataset.Dataset) (at []int, twice []bool) {
	exact, loose := map[string]int{}, map[string]int{}
	put := func(in map[string]int, name string, i int) {
		if was, taken := in[name]; taken && was != i {
			in[name] = -1 // it names several
			return
		}
		in[name] = i
	}
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Provenance == dataset.Derived {
			continue
		}
		put(exact, c.Name, i)
		put(loose, folded(c.Name), i)
		put(loose, folded(c.Heading()), i)
	}
	at, twice = make([]int, len(rows)), make([]bool, len(rows))
	taken := map[int]bool{}
	for k, r := range rows {
		i, ok := exact[r.Column]
		if !ok {
			name, _ := dataset.ParseHeading(r.Column)
			for _, name := range []string{r.Column, name} {
				if i, ok = loose[folded(name)]; ok {
					break
				}
			}
		}
		if at[k] = i; !ok {
			at[k] = -1
		}
		if at[k] >= 0 {
			twice[k], taken[at[k]] = taken[at[k]], true
		}
	}
	return at, twice
}

// OnColumns are the rows of a panel that name a column of a table, under the names that the table has for these.
func OnColumns(p Panel, ds *dataset.Dataset) (out []Row) {
	at, twice := places(p.rows, ds)
	for k, r := range p.rows {
		if at[k] >= 0 && !twice[k] {
			r.Column = ds.Columns[at[k]].Name
			out = append(out, r)
		}
	}
	return out
}

// Unnamed are the columns of a table that a panel leaves out of the map because it has no row of them: markers of the
// file itself, where it says of another column that it makes the map. A panel that says so of none is of single
// columns, and leaves the others where they are.
func (p Panel) Unnamed(ds *dataset.Dataset) (out []int) {
	at, twice := places(p.rows, ds)
	named, chooses := map[int]bool{}, false
	for k, r := range p.rows {
		if at[k] >= 0 {
			named[at[k]] = true
			chooses = chooses || r.Class == Type && !twice[k] && ds.Columns[at[k]].Categories == nil
		}
	}
	if !chooses {
		return nil
	}
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if !named[i] && c.Role == dataset.Marker && c.Categories == nil && c.Provenance == dataset.File &&
			ds.JoinedFrom(i) == nil {
			out = append(out, i)
		}
	}
	return out
}

// On returns a table as the panel has it: its rows say labels and roles of the columns that they name, and those that
// are Unnamed are not in the map. What another panel has said before is as the file has it again. The values are
// shared. The table is ds itself where nothing differs.
func (p Panel) On(ds *dataset.Dataset) *dataset.Dataset {
	named := func(c dataset.Column) bool { return c.Given != nil }
	if p.Empty() && !slices.ContainsFunc(ds.Columns, named) {
		return ds
	}
	columns := slices.Clone(ds.Columns)
	for i := range columns {
		columns[i].Restore()
	}
	read := *ds
	read.Columns = columns
	at, twice := places(p.rows, ds)
	away := p.Unnamed(&read)
	for k, r := range p.rows {
		if at[k] >= 0 && !twice[k] {
			r.on(&columns[at[k]])
		}
	}
	for _, i := range away {
		Row{Class: None}.on(&columns[i])
		columns[i].Why = "the panel has no row of it"
	}
	return ds.Described(columns)
}

// on has a column be as its row says.
func (r Row) on(c *dataset.Column) {
	given := dataset.Given{Label: c.Label, Role: c.Role, Why: c.Why, Aside: c.Aside}
	if r.Label != "" || r.Bare {
		c.Label = r.Label
	}
	if c.Categories == nil {
		if r.Class == Type || r.Class != Unsaid && c.Role == dataset.Ignored ||
			r.Label != "" && c.Role == dataset.Unlabelled {
			c.SetRole(dataset.Marker)
		}
		if r.Class != Unsaid {
			c.Aside = c.Aside || r.Class != Type // not all files of a table have it, perhaps
			if why := r.Class.Why(); c.Role == dataset.Marker {
				c.Why = why
			}
		}
	}
	if (dataset.Given{Label: c.Label, Role: c.Role, Why: c.Why, Aside: c.Aside}) != given {
		c.Given = &given
	}
}

// classOf is what a word in the column of classes says; ok is false for a word that says none.
func classOf(word string) (c Class, ok bool) {
	if texts.Missing(word) || word == "-" {
		return Unsaid, true
	}
	switch texts.Fold(word) {
	case "type", "lineage", "typemarker":
		return Type, true
	case "state", "functional", "function", "statemarker":
		return State, true
	case "none", "no", "technical":
		return None, true
	}
	return Unsaid, false
}
