package panel

import (
	"slices"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/ui/widget"
)

// groupItems are the columns that have groups, and the groups of the one that is chosen, made anew when these change.
type groupItems struct {
	listed        revision.Revision
	pair          parts.GroupPair
	columns, list []widget.ComboItem
	names, groups []string
}

// contrastRows choose the two groups whose densities are compared, where that is what points are coloured by.
func (p *colours) contrastRows(look parts.Look) {
	all, listed := p.desk.ColumnList()
	shown := false
	for i := len(all) - 1; i >= len(p.desk.Doc.Data.Columns); i-- {
		shown = shown || all[i].Kind == "difference" && all[i].Name == look.Column
	}
	if !shown {
		return
	}
	c := p.desk.Populations().Contrast()
	pair, ok := c.Pair()
	if !ok {
		return
	}
	p.desk.UI.Space(6)
	g := &p.groups
	if g.listed != listed || g.pair != pair || len(g.groups) == 0 {
		*g = groupItems{listed: listed, pair: pair, names: c.Columns(), groups: c.Groups(pair.Column)}
		g.list = widget.Items(g.groups...)
		for _, name := range g.names {
			g.columns = append(g.columns, widget.ComboItem{Name: p.desk.ColumnTitle(name)})
		}
	}
	u := p.desk.UI
	u.Muted("Groups of")
	at := slices.Index(g.names, pair.Column)
	if u.Combo("##groups", g.columns, &at, widget.ComboOpts{Empty: pair.Column,
		Tip: "The column whose labels are the groups: one of the sheet of samples, or of the file"}) && at >= 0 {
		if groups := c.Groups(g.names[at]); len(groups) > 1 {
			p.compare(parts.GroupPair{Column: g.names[at], A: groups[0], B: groups[1]})
			return
		}
	}
	a, b := slices.Index(g.groups, pair.A), slices.Index(g.groups, pair.B)
	u.Muted("Second group (above 0)")
	if u.Combo("##second", g.list, &b, widget.ComboOpts{Empty: pair.B, Tip: "Above 0 its points are denser"}) {
		next := parts.GroupPair{Column: pair.Column, A: pair.A, B: g.groups[b]}
		if next.A == next.B { // they change places
			next.A = pair.B
		}
		p.compare(next)
	}
	u.Muted("against")
	if u.Combo("##first", g.list, &a, widget.ComboOpts{Empty: pair.A, Tip: "Below 0 its points are denser"}) {
		next := parts.GroupPair{Column: pair.Column, A: g.groups[a], B: pair.B}
		if next.A == next.B {
			next.B = pair.A
		}
		p.compare(next)
	}
	u.Space(4)
	u.Wrapped(widget.Small, u.Theme().Muted, "1 is twice as dense, −1 half as dense. Grey: the difference is "+
		"no more than noise.")
	u.Space(6)
}

func (p *colours) compare(pair parts.GroupPair) {
	p.desk.Doc.Do("Compare "+pair.B+" against "+pair.A, parts.Contrast.With(pair))
}
