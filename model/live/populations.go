package live

import (
	"context"
	"fmt"
	"strings"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/maps/derived"
	"blossom/model/work"
)

// Populations are the rows of the populations of a document, kept up to date while somebody asks for them.
type Populations struct {
	m     *Map
	value *work.Value[populationKey, *Populated]

	behind bool     // points of a map that rules look at are on their way
	at     []placed // where points stand on the maps that rules look at
	column string   // see Column, for data of a revision
	data   revision.Revision
}

// Populated is a tree of populations with its rows.
type Populated struct {
	*population.Labels
	Tree    population.Tree
	Derived *derived.Labels // the rows as labels
}

// populationKey is what rows of populations depend on.
type populationKey struct {
	tree, data, groups revision.Revision
	near               nearKey
	columns            string // revisions of the columns and maps that rules look at
}

// perRule is what a row costs in a rule.
const perRule work.Ops = 8

// Populations returns those of the map.
func (m *Map) Populations() *Populations { return &m.named.populations }

// Column is the name of the derived column of populations.
func (p *Populations) Column() string {
	if data := p.m.Doc.Data; p.data != data.Rev {
		p.data, p.column = data.Rev, derived.ByID("population").ColumnName(data, "")
	}
	return p.column
}

// Tree is the populations as the document has them.
func (p *Populations) Tree() population.Tree { return parts.Populations.Of(p.m.Doc.State()) }

// Now returns the populations with their rows, of a moment before where fresh is not; nil: there are none, or they are
// on their way. Asking in each frame costs little.
func (p *Populations) Now() (now *Populated, fresh bool) {
	s := p.m.Doc.State()
	tree := parts.Populations.Of(s)
	if tree.Len() == 0 {
		p.value.Forget()
		return nil, true
	}
	key := populationKey{tree: parts.Populations.Rev(s), data: p.m.Doc.Data.Rev}
	needs := tree.Needs()
	in, ready := p.inputs(tree, needs, &key)
	if !ready {
		now, _ = p.value.Now()
		return now, false
	}
	if p.value.Want(key) {
		cost := work.Ops(p.m.Doc.Data.Points) * (perRule*work.Ops(tree.Len()) + perPlace*work.Ops(len(needs.Maps)))
		end := p.hold()
		p.value.Make(cost, func(ctx context.Context, _ func(done, total int64)) (*Populated, error) {
			defer end()
			return populate(ctx, tree, in())
		})
	}
	now, fresh = p.value.Now()
	return now, fresh && !p.behind
}

// inputs returns what rules look at, and completes the key; ready is false where something of it is on its way.
func (p *Populations) inputs(tree population.Tree, needs population.Needs,
	key *populationKey) (in func() population.Inputs, ready bool) {
	m := p.m
	data, rows, columns := m.Doc.Data, m.Doc.Data.Points, map[string]*dataset.Column{}
	own := p.Column()
	var revs strings.Builder
	for _, name := range tree.Columns() {
		if name == own {
			continue // they cannot be made of themselves
		}
		c, _, err := m.Column(name)
		if err != nil {
			continue
		}
		if c == nil {
			return nil, false
		}
		columns[name] = c
		fmt.Fprintf(&revs, "%d ", c.Rev)
	}
	maps, ready := p.maps(needs.Maps, &revs)
	key.columns = revs.String()
	table := func() population.Inputs {
		in := population.Table(rows, columns)
		in.Data = data
		in.Places = func(of population.Map) (population.Places, error) {
			return maps[of.Key()].Places, maps[of.Key()].err
		}
		return in
	}
	if !ready || !needs.Landmarks {
		return table, ready
	}
	set := m.Landmarks()
	if now := m.named.near.key(); now.g > 0 && !m.named.near.find(now) {
		if was := m.named.near.Of(); m.still() || was.table != now.table || was.g != now.g {
			return nil, false
		}
	}
	key.groups, key.near = set.GroupRev, m.named.near.Of()
	near, _ := m.named.near.Now()
	order, groups := m.table.Order, population.Groups(set.Groups)
	return func() population.Inputs {
		in := table()
		in.Nearest, in.Groups = population.Nearest(rows, near, order), groups
		return in
	}, true
}

// maps are the places of points on the maps that rules look at, whose revisions are written to revs; ready is false
// while there is nothing of one.
func (p *Populations) maps(of []population.Map, revs *strings.Builder) (at map[string]placed, ready bool) {
	p.behind, p.at = false, p.at[:0]
	if len(of) == 0 {
		return nil, true
	}
	at = map[string]placed{}
	for _, x := range of {
		found, ok := p.m.places(x)
		if !ok {
			return nil, false
		}
		at[x.Key()], p.behind, p.at = found, p.behind || !found.rest, append(p.at, found)
		fmt.Fprintf(revs, "%d %t ", found.rev, found.err != nil)
	}
	return at, true
}

// hold has the places that rules look at stay what they are until the function is called.
func (p *Populations) hold() (end func()) {
	ends := make([]func(), 0, len(p.at))
	for _, at := range p.at {
		ends = append(ends, at.hold())
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// populate evaluates a tree.
func populate(ctx context.Context, tree population.Tree, in population.Inputs) (*Populated, error) {
	l, err := population.LabelRows(ctx, tree, in)
	if err != nil {
		return nil, err
	}
	out := &Populated{Labels: l, Tree: tree, Derived: &derived.Labels{Values: l.Values, Counts: l.Own,
		None: population.Unassigned, Rests: l.Rests(), From: "populations", Rev: revision.Next()}}
	inks := make([]byte, tree.Len())
	for i, p := range tree.All() {
		out.Derived.Names, inks[i] = append(out.Derived.Names, p.Name), p.Ink
	}
	out.Derived.Inks = string(inks)
	return out, nil
}

// begin makes the value.
func (p *Populations) begin(m *Map) {
	p.m, p.value = m, work.Keep[populationKey, *Populated](&m.Values, work.Policy{Title: "Populations", Quiet: true,
		Finish: true, Remedy: "choose another column"})
}
