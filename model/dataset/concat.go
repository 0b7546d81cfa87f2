package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/problem"
)

// FileColumn is the name of the label column that tells which table a point comes from.
const FileColumn = "file"

// Concat puts tables one under the other: several files of one experiment as one map. The columns are
// those that all tables have, by name, in the order of the first; the rest is left out with a warning.
// A label column says which table each point is from. Categories are merged by their texts.
// The error is ctx's, or a Problem when the tables have no column in common.
func Concat(ctx context.Context, tables []*Dataset) (*Dataset, error) {
	first := tables[0]
	total, points := 0, 0
	for _, t := range tables {
		points += t.Points
		total += max(t.Total, t.Points)
	}
	var columns []Column
	var lost []string
	for i := range first.Columns {
		parts := make([]*Column, len(tables))
		missing := false
		for j, t := range tables {
			at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == first.Columns[i].Name })
			if at < 0 {
				missing = true
				break
			}
			parts[j] = &t.Columns[at]
		}
		if missing {
			lost = append(lost, first.Columns[i].Name)
			continue
		}
		c, ok := stack(parts, points)
		if !ok {
			lost = append(lost, first.Columns[i].Name)
			continue
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
	name := FileColumn
	for slices.ContainsFunc(columns, func(c Column) bool { return c.Name == name }) {
		name += "_"
	}
	from := Column{Name: name, Values: make([]float32, 0, points), Provenance: Derived, From: fromFiles}
	for j, t := range tables {
		from.Categories = append(from.Categories, unique(from.Categories, t.Name))
		for range t.Points {
			from.Values = append(from.Values, float32(j))
		}
	}
	roles := make([]Role, len(columns), len(columns)+1)
	for i := range columns {
		roles[i] = columns[i].Role
	}
	out, err := FromColumns(ctx, fmt.Sprintf("%s and %d more", first.Name, len(tables)-1), append(columns, from))
	if err != nil {
		return nil, err
	}
	for i, r := range append(roles, Label) {
		if out.Columns[i].Role != Ignored || r == Label {
			out.Columns[i].Role = r
		}
	}
	out.Format, out.Path, out.Total = first.Format, first.Path, total
	out.Metadata, out.Spillover = first.Metadata, first.Spillover
	for _, t := range tables {
		out.Parts = append(out.Parts, t.Path)
		for _, w := range t.Warnings {
			out.Warnings = append(out.Warnings, t.Name+": "+w)
		}
	}
	if len(lost) > 0 {
		out.Warnings = append(out.Warnings, "left out, because not all files have them: "+strings.Join(
			lost[:min(len(lost), 20)], ", "))
	}
	return out, nil
}

// stack puts columns one under the other; ok is false when texts and numbers would be mixed.
func stack(parts []*Column, points int) (c Column, ok bool) {
	c = *parts[0]
	c.Values = make([]float32, 0, points)
	if len(c.Categories) == 0 {
		for _, p := range parts {
			if len(p.Categories) > 0 {
				return c, false
			}
			c.Values = append(c.Values, p.Values...)
			if c.Label == "" {
				c.Label = p.Label
			}
			if c.Role == Ignored {
				c.Role = p.Role // constant in the first file only
			}
		}
		return c, true
	}
	index := map[string]float32{}
	c.Categories = nil
	nan := float32(math.NaN())
	for _, p := range parts {
		if len(p.Categories) == 0 {
			return c, false
		}
		to := make([]float32, len(p.Categories))
		for i, text := range p.Categories {
			at, known := index[text]
			if !known {
				at = float32(len(c.Categories))
				index[text] = at
				c.Categories = append(c.Categories, text)
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
	return c, true
}

// unique returns name, with a number if it is taken.
func unique(taken []string, name string) string {
	out := name
	for i := 2; slices.Contains(taken, out); i++ {
		out = fmt.Sprintf("%s (%d)", name, i)
	}
	return out
}
