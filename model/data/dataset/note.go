package dataset

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Note is what is known of a table beside its values: the matrix of spillover, and of each column the scale of the
// instrument and a role that its values do not show. It is for formats that have no place of their own for these.
type Note struct {
	Spillover *SpilloverNote        `json:"spillover,omitempty"`
	Columns   map[string]ColumnNote `json:"columns,omitempty"` // by their names
}

// SpilloverNote is a Spillover.
type SpilloverNote struct {
	Keyword string      `json:"keyword,omitempty"`
	Names   []string    `json:"names"`
	Matrix  [][]float64 `json:"matrix"`
}

// ColumnNote is what is known of a column. Log is its number of decades and the value of channel 0, as in $PnE.
type ColumnNote struct {
	Range float64     `json:"range,omitempty"`
	Gain  float64     `json:"gain,omitempty"`
	Log   *[2]float64 `json:"log,omitempty"`
	Role  string      `json:"role,omitempty"`
	// Colours are those of labels that the table has some for, as "#rrggbb" by their names.
	Colours map[string]string `json:"colours,omitempty"`
	// Labels are its labels in the order of their numbers, where they first appear in another one.
	Labels []string `json:"labels,omitempty"`
}

func (c ColumnNote) empty() bool {
	return c.Range == 0 && c.Gain == 0 && c.Log == nil && c.Role == "" && len(c.Colours) == 0 &&
		len(c.Labels) == 0
}

// NoteOf notes what is known of a table.
func NoteOf(ds *Dataset) Note {
	n := Note{Columns: map[string]ColumnNote{}}
	if s := ds.Spillover; s != nil {
		n.Spillover = &SpilloverNote{s.Keyword, s.Names, s.M}
	}
	for i := range ds.Columns {
		c := &ds.Columns[i]
		one := ColumnNote{Range: usual(c.Range), Gain: usual(c.Gain), Role: c.NotedRole(),
			Colours: c.colours(), Labels: c.ordered()}
		if l := c.Log; l != nil && usual(l.Range) > 0 {
			one.Range, one.Log = l.Range, &[2]float64{l.Decades, l.Offset}
		}
		if !one.empty() {
			n.Columns[c.Name] = one
		}
	}
	return n
}

// usual is a number above 0, or 0 where x is none.
func usual(x float64) float64 {
	if x > 0 && !math.IsInf(x, 1) {
		return x
	}
	return 0
}

// WithoutLabels is the note for a format that has places of its own for labels in their order, and for their colours.
func (n Note) WithoutLabels() Note {
	columns := map[string]ColumnNote{}
	for name, one := range n.Columns {
		if one.Colours, one.Labels = nil, nil; !one.empty() {
			columns[name] = one
		}
	}
	n.Columns = columns
	return n
}

// LabelsOf returns the labels of columns whose order is noted, by their names.
func (n Note) LabelsOf() map[string][]string {
	out := map[string][]string{}
	for name, one := range n.Columns {
		if len(one.Labels) > 0 {
			out[name] = one.Labels
		}
	}
	return out
}

// mostOrdered is how many labels are noted in their order.
const mostOrdered = 1 << 16

// ordered returns the labels of a column, nil where their numbers are those in which they appear: a format that has
// texts gives them these.
func (c *Column) ordered() []string {
	next := 0
	for _, v := range c.Values {
		switch {
		case !(v >= float32(next)): // missing, or met before
		case v == float32(next):
			next++
		case int(v) < len(c.Categories) && len(c.Categories) <= mostOrdered:
			return c.Categories
		default:
			return nil
		}
	}
	return nil
}

// Text is the note as JSON; "" where it says nothing.
func (n Note) Text() string {
	if n.Spillover == nil && len(n.Columns) == 0 {
		return ""
	}
	text, err := json.Marshal(n)
	if err != nil {
		return "" // a matrix with numbers that are none
	}
	return string(text)
}

// ParseNote reads Text.
func ParseNote(text string) (n Note, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &n)
	}
	return n, err
}

// Tell gives a table that was read what is noted of it, and returns in words what does not fit.
func (n Note) Tell(ds *Dataset) (warnings []string) {
	for i := range ds.Columns {
		c := &ds.Columns[i]
		one, noted := n.Columns[c.Name]
		if !noted {
			continue
		}
		c.Range, c.Gain = usual(one.Range), usual(one.Gain)
		if l := one.Log; l != nil && usual(l[0]) > 0 && usual(l[1]) > 0 && c.Range > 0 {
			c.Log = &LogScale{Decades: l[0], Offset: l[1], Range: c.Range}
		}
		c.TakeRole(one.Role)
		if len(one.Colours) > 0 {
			c.takeColours(one.Colours)
		}
	}
	if n.Spillover == nil {
		return nil
	}
	s := &Spillover{Keyword: n.Spillover.Keyword, Names: n.Spillover.Names, M: n.Spillover.Matrix}
	square := len(s.Names) > 0 && len(s.M) == len(s.Names)
	for _, row := range s.M {
		square = square && len(row) == len(s.Names) &&
			!slices.ContainsFunc(row, func(x float64) bool { return x-x != 0 })
	}
	if !square {
		return []string{"the compensation matrix was left out: it has not a number for each two of its detectors"}
	}
	there := 0
	for _, name := range s.Names {
		if at, _ := Detector(ds.Columns, name); at >= 0 {
			there++
		} else {
			warnings = append(warnings, fmt.Sprintf("the compensation matrix names %q, which is no column", name))
		}
	}
	if there == 0 {
		return []string{"the compensation matrix was left out: none of its detectors is a column"}
	}
	ds.Spillover = s
	return warnings
}

// keptRoles are those that are noted in files: of what is no measurement of an instrument, though the numbers alone may
// look like one.
var keptRoles = []Role{Index, Label, Placed, Quality, Measure}

// NotedRole is how the role of a column is noted in files; "" where its name and its values show it.
func (c *Column) NotedRole() string {
	switch {
	case c.Categories != nil:
		return ""
	case c.Aside && c.Role == Marker: // it colours, and is in no map
		return Measure.String()
	case slices.Contains(keptRoles, c.Role):
		return c.Role.String()
	}
	return ""
}

// TakeRole gives a column a role that a file notes. Others than those of NotedRole change nothing.
func (c *Column) TakeRole(noted string) {
	if i := slices.IndexFunc(keptRoles, func(r Role) bool { return r.String() == noted }); i >= 0 &&
		c.Categories == nil {
		c.SetRole(keptRoles[i])
	}
}
