package run

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/clusters/gating"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
)

// Gates are gates of another program, as columns of a table.
type Gates struct {
	Path string // Gating-ML 2.0, or a workspace of FlowJo
	All  bool   // a column of 0 and 1 of each gate, too
}

// gateColumn is what the column of labels is called.
const gateColumn = "gate"

// GateCount is how many rows a gate has.
type GateCount struct {
	Name   string `json:"name"`
	Parent string `json:"parent,omitempty"`
	Points int    `json:"points"`
}

// Beside returns the table with the gates as columns after its own: the name of the deepest one that has a row, of
// several beside each other the first, and what each has if that is asked for. The notes say how many rows gates have,
// and what of the file is none. The error is a Problem, or ctx's.
func (g *Gates) Beside(ctx context.Context, ds *dataset.Dataset) (out *dataset.Dataset, counts []GateCount,
	notes []string, err error) {
	if g.Path == "" {
		return ds, nil, nil, nil
	}
	s, err := gating.Read(ctx, g.Path, ds)
	if err != nil {
		return nil, nil, nil, err
	}
	var tree population.Tree
	ids := make([]population.ID, len(s.Gates))
	for i, x := range s.Gates {
		p := population.Population{Name: x.Name, Rule: &population.Brought{Gate: x.Gate}}
		if x.Parent >= 0 {
			p.Parent = ids[x.Parent]
		}
		if tree, ids[i], err = tree.Add(p); err != nil {
			return nil, nil, nil, err
		}
	}
	in := population.Table(ds.Points, nil)
	in.Data = ds
	made, err := population.LabelRows(ctx, tree, in)
	if err != nil {
		return nil, nil, nil, err
	}
	label := dataset.Column{Name: gateColumn, Role: dataset.Label, Values: made.Values, None: population.Unassigned}
	columns, said := []dataset.Column{label}, []string(nil)
	for i, p := range tree.All() {
		if made.Why[i] != nil {
			return nil, nil, nil, made.Why[i]
		}
		up, _ := tree.Find(p.Parent)
		counts = append(counts, GateCount{p.Name, up.Name, made.Sets[i].Count()})
		said = append(said, fmt.Sprintf("%s %d", population.Brief(p.Name), made.Sets[i].Count()))
		columns[0].Categories = append(columns[0].Categories, p.Name)
		if g.All {
			c := dataset.Column{Name: p.Name, Role: dataset.Measure, Values: make([]float32, ds.Points)}
			made.Sets[i].Each(0, ds.Points, func(row int) { c.Values[row] = 1 })
			columns = append(columns, c)
		}
	}
	more, err := dataset.FromColumns(ctx, g.Path, columns)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range more.Columns {
		g.asGate(&more.Columns[i])
	}
	const most = 10
	if n := len(said) - most; n > 0 {
		said = append(said[:most], fmt.Sprintf("and %d more", n))
	}
	notes = []string{fmt.Sprintf("gates of %s: %s", filepath.Base(g.Path), strings.Join(said, ", "))}
	notes = append(notes, s.Notes...)
	if len(s.Left) > 0 {
		notes = append(notes, "left out of the gates: "+strings.Join(s.Left, ", "))
	}
	return dataset.Beside(ds, more.Columns...), counts, notes, nil
}

// asGate gives a column of gates its role, whatever 0 and 1 were taken for.
func (g *Gates) asGate(c *dataset.Column) {
	if c.Role = dataset.Measure; c.Categories != nil {
		c.Role = dataset.Label
	}
	c.Why, c.Aside = "a gate of "+filepath.Base(g.Path), true
}
