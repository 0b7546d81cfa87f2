package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/base/problem"
)

// FileColumn is the name of the label column that tells which table a point comes from.
const FileColumn = "file"

// Joined is a column of a table that is put together from several: its name and label there, and which column of
// each table it is, -1 for none.
type Joined struct {
	Name, Label string
	From        []int
	Aside       bool // as Column.Aside
}

// Concat puts tables one under the other by the names of their columns: those that all tables have, in the order of the
// first, and warns of the rest. See Stack.
func Concat(ctx context.Context, tables []*Dataset) (*Dataset, error) {
	var columns []Joined
	var lost []string
	for _, c := range tables[0].Columns {
		joined := Joined{Name: c.Name, Label: c.Label}
		for _, t := range tables {
			at := slices.IndexFunc(t.Columns, func(o Column) bool {
				return o.Name == c.Name && (o.Categories == nil) == (c.Categories == nil)
			})
			if joined.From = append(joined.From, at); at >= 0 && joined.Label == "" {
				joined.Label = t.Columns[at].Label
			}
		}
		if slices.Contains(joined.From, -1) {
			lost = append(lost, c.Name)
			continue
		}
		columns = append(columns, joined)
	}
	out, err := Stack(ctx, tables, columns)
	if err == nil && len(lost) > 0 {
		out.Warnings = append(out.Warnings, "left out, because not all files have them: "+strings.Join(
			lost[:min(len(lost), 20)], ", "))
	}
	return out, err
}

// Stack puts tables one under the other: several files of one experiment as one map, of the columns that are named.
// Rows of a table that does not have a column are missing there. A label column says which table each point is from.
// Categories are merged by their texts. The error is ctx's, or a Problem when there is no column.
func Stack(ctx context.Context, tables []*Dataset, joined []Joined) (*Dataset, error) {
	first, points := tables[0], 0
	for _, t := range tables {
		points += t.Points
	}
	var columns []Column
	outlined := anyOutlined(tables)
	for _, j := range joined {
		parts := make([]*Column, len(tables))
		for f, at := range j.From {
			if at >= 0 {
				parts[f] = &tables[f].Columns[at]
			}
		}
		c := stacked(parts)
		if !outlined {
			c.fill(parts, tables, points)
		}
		c.Name, c.Label, c.Aside = j.Name, j.Label, j.Aside
		if c.Given != nil {
			given := *c.Given
			given.Aside, c.Given = j.Aside, &given
		}
		columns = append(columns, c)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if len(columns) == 0 {
		return nil, problem.New(tables[len(tables)-1].Path,
			"open files with the same columns together, the others one by one",
			"has no column in common with %s", first.Name)
	}
	roles := make([]Column, len(columns)) // their values are not used
	copy(roles, columns)
	name, labels := fmt.Sprintf("%s and %d more", first.Name, len(tables)-1), fileLabels(tables, columns)
	var out *Dataset
	var err error
	if outlined {
		out, err = outlineStack(ctx, name, tables, joined, append(columns, labels))
	} else {
		labels.numberTables(tables, points)
		out, err = FromColumns(ctx, name, append(columns, labels))
	}
	if err != nil {
		return nil, err
	}
	for i := range roles {
		if c := &out.Columns[i]; c.Role != Ignored || roles[i].Role == Label {
			c.Role, c.Why = roles[i].Role, roles[i].Why
		}
	}
	out.Columns[len(roles)].SetRole(Label)
	out.describe(tables, joined)
	out.Warnings = append(out.Warnings, amplified(tables, joined)...)
	return out, nil
}

// amplified warns of columns that not all tables have in the same linear or logarithmic units: values are put together
// as they are, and taken for those of the first.
func amplified(tables []*Dataset, joined []Joined) (warnings []string) {
	for _, j := range joined {
		var first *Column
		for f, at := range j.From {
			if at < 0 {
				continue
			}
			c := &tables[f].Columns[at]
			if first == nil {
				first = c
			}
			sameLog := (c.Log == nil) == (first.Log == nil) && (c.Log == nil || *c.Log == *first.Log)
			if !sameLog || c.Gain != first.Gain && c.Gain > 0 && first.Gain > 0 {
				warnings = append(warnings, fmt.Sprintf(
					"%s is amplified otherwise in %s than in the first file ($PnE, $PnG): "+
						"its values are taken as they are", j.Name, tables[f].Name))
				break
			}
		}
	}
	return warnings
}

// fileLabels returns the column that names the table of each point, under a name that none of columns has.
// It has no values yet.
func fileLabels(tables []*Dataset, columns []Column) Column {
	name := FileColumn
	for slices.ContainsFunc(columns, func(c Column) bool { return c.Name == name }) {
		name += "_"
	}
	from := Column{Name: name, Provenance: Derived, From: fromFiles}
	for _, t := range tables {
		from.Categories = append(from.Categories, unique(from.Categories, t.Name))
	}
	return from
}

// numberTables gives a column the number of the table of each point.
func (c *Column) numberTables(tables []*Dataset, points int) {
	c.Values = make([]float32, 0, points)
	for j, t := range tables {
		for range t.Points {
			c.Values = append(c.Values, float32(j))
		}
	}
}

// describe sets what d says of itself besides its columns: the first table speaks for all, where they agree.
func (d *Dataset) describe(tables []*Dataset, joined []Joined) {
	first := tables[0]
	d.Format, d.Path, d.Reading, d.Headed = first.Format, first.Path, first.Reading, first.Headed
	d.Cells = slices.ContainsFunc(tables, func(t *Dataset) bool { return t.Cells })
	d.Unsure = slices.ContainsFunc(tables, func(t *Dataset) bool { return t.Unsure })
	d.Metadata, d.Total = first.Metadata, 0
	differ := false
	for f, t := range tables {
		d.Spillovers = append(d.Spillovers, t.Spillover.among(t, joined, f))
		differ = differ || !d.Spillovers[f].Equal(d.Spillovers[0])
	}
	if !differ {
		d.Spillover, d.Spillovers = d.Spillovers[0], nil
	}
	for _, t := range tables {
		d.Total += max(t.Total, t.Points)
		d.Parts, d.Keywords = append(d.Parts, t.Path), append(d.Keywords, t.Metadata)
		d.Sources = append(d.Sources, t.among(joined, len(d.Sources)))
		for _, w := range t.Warnings {
			d.Warnings = append(d.Warnings, t.Name+": "+w)
		}
	}
}

// among is what a table had by itself that is number f of those that are put together.
func (ds *Dataset) among(joined []Joined, f int) Source {
	s := Source{Name: ds.Name, Columns: slices.Clone(ds.Columns), At: make([]int, len(ds.Columns)),
		Spillover: ds.Spillover}
	for i := range s.Columns {
		s.Columns[i].Values, s.Columns[i].Exact, s.Columns[i].sample = nil, nil, nil
		s.At[i] = slices.IndexFunc(joined, func(j Joined) bool { return j.From[f] == i })
	}
	return s
}

// stacked is a column of several, all of numbers or all of texts, without values; nil is one of a table that does not
// have it.
func stacked(parts []*Column) (c Column) {
	some := false
	for _, p := range parts {
		switch {
		case p == nil:
		case !some:
			c, some = *p, true
			c.Values, c.Exact, c.Categories, c.Own = nil, nil, nil, ""
		default:
			if c.Role == Ignored || c.Role == Unlabelled {
				c.Role, c.Why = p.Role, p.Why // constant, or without a name, in the first file only
			}
		}
	}
	return c
}

// fill puts the values of the columns one under the other.
func (c *Column) fill(parts []*Column, tables []*Dataset, points int) {
	c.Values = make([]float32, 0, points)
	c.Exact = stackExact(parts, tables, points)
	index, own := map[string]float32{}, []byte(nil)
	nan := float32(math.NaN())
	for f, p := range parts {
		if p == nil {
			for range tables[f].Points {
				c.Values = append(c.Values, nan)
			}
			continue
		}
		if p.Categories == nil {
			c.Values = append(c.Values, p.Values...)
			continue
		}
		to := make([]float32, len(p.Categories))
		for i, text := range p.Categories {
			at, known := index[text]
			if !known {
				at = float32(len(c.Categories))
				index[text] = at
				c.Categories = append(c.Categories, text)
				own = append(own, p.OwnColour(i)...)
			} else if have := own[4*int(at):][:4]; have[3] == 0 { // the first file that has a colour gives it
				copy(have, p.OwnColour(i))
			}
			to[i] = at
		}
		for _, v := range p.Values {
			if i := int(v); v-v == 0 && i >= 0 && i < len(to) {
				c.Values = append(c.Values, to[i])
			} else {
				c.Values = append(c.Values, nan)
			}
		}
	}
	if slices.ContainsFunc(parts, func(p *Column) bool { return p != nil && p.Own != "" }) {
		c.Own = string(own)
	}
}

// unique returns name, with a number if it is taken.
func unique(taken []string, name string) string {
	out := name
	for i := 2; slices.Contains(taken, out); i++ {
		out = fmt.Sprintf("%s (%d)", name, i)
	}
	return out
}
