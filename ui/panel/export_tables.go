package panel

import (
	"maps"
	"slices"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/ui/desk"
)

// The form of tables is a part of the document, so that a session keeps it.

// takeTables takes what the document has chosen, where that is not what the form shows.
func (p *exports) takeTables() {
	now := p.desk.Doc.State()
	rev := parts.Tables.Rev(now)
	if rev == p.kept {
		return
	}
	p.kept = rev
	t := parts.Tables.Of(now)
	c, l := t.Coordinates, t.Labels
	p.table = desk.Table{Columns: c.Columns, Values: c.Values, Recipe: !c.Alone, Append: c.Append,
		Each: eachOf(c.Each, export.EachFile)}
	p.names = desk.Names{All: l.All, Columns: l.Columns, Coordinates: l.Coordinates, Values: l.Values,
		Each: eachOf(l.Each, export.EachFile, export.EachPopulation)}
	_, endings := p.formats()
	p.format = max(0, slices.Index(endings, t.Ending))
	p.derived = map[string]bool{}
	for _, name := range t.Derived {
		p.derived[name] = true
	}
}

// eachOf is what files are of, if that can be chosen.
func eachOf(word string, of ...export.Each) export.Each {
	if slices.Contains(of, export.Each(word)) {
		return export.Each(word)
	}
	return ""
}

// keepTables has the document keep what was chosen, where that has changed.
func (p *exports) keepTables() {
	t, n := p.table, p.names
	c := parts.TableChoice{
		Coordinates: parts.CoordinateTable{Columns: t.Columns, Values: t.Values, Alone: !t.Recipe, Append: t.Append,
			Each: string(t.Each)},
		Labels: parts.LabelTable{All: n.All, Columns: n.Columns, Coordinates: n.Coordinates, Values: n.Values,
			Each: string(n.Each)},
	}
	if _, endings := p.formats(); p.format > 0 && p.format < len(endings) {
		c.Ending = endings[p.format]
	}
	for _, name := range slices.Sorted(maps.Keys(p.derived)) {
		if p.derived[name] {
			c.Derived = append(c.Derived, name)
		}
	}
	if c.Equal(parts.Tables.Of(p.desk.Doc.State())) {
		return
	}
	p.desk.Doc.Look(func(s *state.State) { parts.Tables.Put(s, c) })
	p.kept = parts.Tables.Rev(p.desk.Doc.State())
}
