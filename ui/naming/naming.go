// Package naming is what panels, docks and commands share of what points are called: of clusters the skyline of a
// hierarchy with the line that cuts it, their list, the numbers of a cut; of populations how they are made of what is
// selected, of landmarks and of labels, named, nested and merged. It knows the desk.
package naming

import (
	"context"
	"fmt"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/ui/desk"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// tree is the populations of a desk.
func tree(d *desk.Desk) population.Tree { return parts.Populations.Of(d.Doc.State()) }

// edit changes the tree as one entry of the history.
func edit(d *desk.Desk, name string, change func(population.Tree) population.Tree) {
	d.Doc.Do(name, func(s *state.State) { parts.Populations.Put(s, change(parts.Populations.Of(*s))) })
}

// New asks for the name of a population of what is selected: the selected points or, where landmarks are and no points,
// the points whose nearest landmark is one of those.
func New(d *desk.Desk) { Name(d, func() {}) }

// Name is New, with what is done then with the population, which is the chosen one.
func Name(d *desk.Desk, then func()) {
	drawn, gated := d.Stage.Scene.Enclosed()
	switch landmarks, points := d.Stage.Hand().Landmarks.Selected, d.Stage.Selected(); {
	case !points.Empty() && (view.Picking{Stage: d.Stage}).Live():
		newRegion(d, parts.Region.Of(d.Doc.State()), then)
	case !points.Empty() && gated:
		newGate(d, drawn, then)
	case !points.Empty():
		newFixed(d, "", points, then)
	case len(landmarks) > 0:
		ids := append([]int(nil), landmarks...)
		ask(d, fmt.Sprintf("the points of %s", counted(len(ids), "landmark")), 0,
			func(t population.Tree, p population.Population) (population.Tree, error) {
				t, id, err := t.Add(p)
				if err != nil {
					return t, err
				}
				d.Doc.Change(func(s *state.State) {
					parts.Landmarks.Put(s, parts.Landmarks.Of(*s).Carry(ids, int32(id)))
				})
				return t.Redefine(id, &population.Landmarks{Groups: []population.ID{id}}), chosen(d, id, nil)
			}, then)
	default:
		d.Window.Fail(problem.New("",
			"draw around some with the Select tool (4), click a name in the legend, or select landmarks",
			"no points are selected that could be a population"))
	}
}

// newFixed asks for the name of a population of these points; they are what is called so, "" if they have no name yet.
func newFixed(d *desk.Desk, called string, points *selection.Set, then func()) {
	what := fmt.Sprintf("%s of %s points", widget.Grouped(points.Count()), widget.Grouped(d.Doc.Data.Points))
	if called != "" {
		what = called + ", " + what
	}
	ask(d, what, d.Stage.Scene.ParentOf(points), func(t population.Tree, p population.Population) (population.Tree,
		error) {
		p.Rule = population.Of(points)
		t, id, err := t.Add(p)
		return seen(d, t, id, points), chosen(d, id, err)
	}, then)
}

// newGate asks for the name of a gate: a region of two columns, which later points of it belong to as well, and whose
// corners can be moved. Where only points of a population were in sight, or could be enclosed, it lies in that one.
func newGate(d *desk.Desk, drawn view.Drawn, then func()) {
	g, parent := drawn.Gate, drawn.In
	if now, fresh := d.Populations().Now(); drawn.Among != nil && now != nil && fresh {
		parent = 0
		for i, p := range now.Tree.All() {
			if selection.Equal(now.Sets[i], drawn.Among) {
				parent = p.ID
			}
		}
		if parent == 0 { // it is of points that have no name: it is fixed
			g = nil
		}
	}
	points := d.Stage.Selected()
	if has := gateRows(d, drawn.Gate, parent); g != nil && has != nil {
		points = has // on a side of it may be points that the screen puts elsewhere
	}
	what := fmt.Sprintf("a gate on %s and %s with %s points", d.ColumnTitle(drawn.Gate.X.Column),
		d.ColumnTitle(drawn.Gate.Y.Column), widget.Grouped(points.Count()))
	if g == nil {
		what, parent = widget.Grouped(points.Count())+" points", d.Stage.Scene.ParentOf(points)
	}
	ask(d, what, parent, func(t population.Tree, p population.Population) (population.Tree, error) {
		if p.Rule = population.Of(points); g != nil {
			p.Rule = g
		}
		t, id, err := t.Add(p)
		return seen(d, t, id, points), chosen(d, id, err)
	}, then)
}

// newRegion asks for the name of a live region of a map: which points it has follows that.
func newRegion(d *desk.Desk, live *parts.LiveRegion, then func()) {
	points := d.Stage.Selected()
	what := "a live region of the map with " + widget.Grouped(points.Count()) + " points"
	ask(d, what, live.In, func(t population.Tree, p population.Population) (population.Tree, error) {
		p.Rule = live.Rule
		t, id, err := t.Add(p)
		return seen(d, t, id, points), chosen(d, id, err)
	}, then)
}

// gateRows are the rows that a gate has in a parent (0: in none); nil: they are not known at once.
func gateRows(d *desk.Desk, g *population.Gate, parent population.ID) *selection.Set {
	columns := map[string]*dataset.Column{}
	for _, name := range g.Needs().Columns {
		c, _, err := d.Column(name)
		if err != nil || c == nil {
			return nil
		}
		columns[name] = c
	}
	set, err := g.Rows(context.Background(), population.Table(d.Doc.Data.Points, columns))
	if err != nil || parent == 0 {
		return set
	}
	now, fresh := d.Populations().Now()
	if now == nil || !fresh || now.Tree.Place(parent) < 0 {
		return nil
	}
	return selection.Intersect(set, now.Sets[now.Tree.Place(parent)])
}

// seen is the tree with a population that was made, of these points, before the first of its parent that has points of
// it and is larger: points are called by the first that has them, and what was just named should be seen. It says so.
func seen(d *desk.Desk, t population.Tree, id population.ID, points *selection.Set) population.Tree {
	p, ok := t.Find(id)
	now, fresh := d.Populations().Now()
	if !ok || now == nil || !fresh {
		return t
	}
	for _, o := range t.All() {
		place := now.Tree.Place(o.ID)
		if o.Parent != p.Parent || o.ID == id || place < 0 || now.Sets[place].Count() <= points.Count() {
			continue
		}
		shared := selection.Intersect(points, now.Sets[place]).Count()
		if shared == 0 {
			continue
		}
		out, err := t.Put(id, o.ID, false)
		if err != nil {
			return t
		}
		d.Window.Say(fmt.Sprintf("%s stands before %s, which has %s of its points: they are called %s",
			population.Brief(p.Name), population.Brief(o.Name), widget.Grouped(shared), population.Brief(p.Name)))
		return out
	}
	return t
}

// chosen makes a population that was made the one that commands speak of.
func chosen(d *desk.Desk, id population.ID, err error) error {
	if err == nil {
		d.Stage.Scene.Gating.Chosen = id
	}
	return err
}

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return widget.Grouped(n) + " " + thing + "s"
}

// ask asks for the name of a population, and adds it: one entry of the history, in which the active view takes their
// colours where they are the first.
func ask(d *desk.Desk, what string, parent population.ID, add func(population.Tree,
	population.Population) (population.Tree, error), then func()) {
	note := "It is " + what + "."
	if up, ok := tree(d).Find(parent); ok {
		note = fmt.Sprintf("It is %s, and lies in %s.", what, population.Brief(up.Name))
	}
	d.Window.AskName(desk.NameQuestion{Title: "New population", Hint: "B cells", Note: note, Verb: "Create",
		Answer: func(name string) error {
			first := tree(d).Len() == 0
			d.Doc.Begin("New population " + population.Brief(population.Tidy(name)))
			t, err := add(tree(d), population.Population{Name: name, Parent: parent})
			if err != nil {
				d.Doc.Cancel()
				return err
			}
			d.Doc.Change(func(s *state.State) {
				parts.Populations.Put(s, t)
				if first {
					d.EditLook(s, func(l *parts.Look) { l.Column = d.Naming.Column(d.Doc.Data, "population") })
				}
			})
			d.Doc.Commit()
			d.Window.Reveal("populations")
			then()
			return nil
		}})
}

// Select selects the points of a population, or takes them into the selection or out of it (Scene.SelectNamed).
// Unassigned points are those of ID 0.
func Select(d *desk.Desk, id population.ID) {
	now, _ := d.Populations().Now()
	if now == nil {
		d.Window.Say("the points of populations are being looked for")
		return
	}
	n := d.Doc.Data.Points
	name, set := population.Unassigned, selection.None(n)
	if id == 0 {
		for i := range now.Sets {
			set = selection.Union(set, now.Sets[i])
		}
		set = selection.Invert(set, n)
	} else {
		place := now.Tree.Place(id)
		if place < 0 {
			return
		}
		name, set = now.Tree.All()[place].Name, now.Sets[place]
	}
	d.Stage.Scene.SelectNamed(population.Brief(name), set)
}

// Rename asks for another name of a population.
func Rename(d *desk.Desk, id population.ID) {
	p, ok := tree(d).Find(id)
	if !ok {
		return
	}
	d.Window.AskName(desk.NameQuestion{Title: "Rename the population", Text: p.Name, Hint: "B cells", Verb: "Rename",
		Gone: func() bool { return tree(d).Place(id) < 0 },
		Answer: func(name string) error {
			edit(d, "Rename "+population.Brief(p.Name), func(t population.Tree) population.Tree {
				return t.Rename(id, name)
			})
			return nil
		}})
}

// Recolour gives a population another colour.
func Recolour(d *desk.Desk, id population.ID, ink uint8) {
	if p, ok := tree(d).Find(id); ok {
		edit(d, "Colour of "+population.Brief(p.Name), func(t population.Tree) population.Tree {
			return t.Recolour(id, ink)
		})
	}
}

// Remove takes a population away, and those that lie in it.
func Remove(d *desk.Desk, id population.ID) {
	within := tree(d).Within(id)
	if len(within) == 0 {
		return
	}
	name := "Remove " + population.Brief(within[0].Name)
	if n := len(within) - 1; n > 0 {
		name += fmt.Sprintf(" and %d in it", n)
	}
	edit(d, name, func(t population.Tree) population.Tree { return t.Remove(id) })
}

// Shift moves a population up or down among those beside it: of those that have a point the first gets it.
func Shift(d *desk.Desk, id population.ID, by int) {
	if p, ok := tree(d).Find(id); ok {
		edit(d, "Order of "+population.Brief(p.Name), func(t population.Tree) population.Tree {
			return t.Shift(id, by)
		})
	}
}

// Nest puts a population into another one, 0 into none.
func Nest(d *desk.Desk, id, parent population.ID) {
	t, err := tree(d).Nest(id, parent)
	if err != nil {
		d.Window.Fail(err)
		return
	}
	if p, ok := t.Find(id); ok {
		edit(d, "Nest "+population.Brief(p.Name), func(population.Tree) population.Tree { return t })
	}
}

// Put puts a population beside another one: before it, or behind it.
func Put(d *desk.Desk, id, other population.ID, behind bool) {
	was := tree(d)
	t, err := was.Put(id, other, behind)
	if err != nil {
		d.Window.Fail(err)
		return
	}
	if p, ok := t.Find(id); ok && !population.Equal(was, t) {
		edit(d, "Place of "+population.Brief(p.Name), func(population.Tree) population.Tree { return t })
	}
}

// Hide takes the points of a population out of all views, or shows them again: nothing of what points are called
// changes by that.
func Hide(d *desk.Desk, id population.ID, hidden bool) {
	d.Doc.Look(func(s *state.State) { parts.Views.Put(s, parts.Views.Of(*s).Hide(id, hidden)) })
}

// ShowAll shows the points of all populations that were hidden.
func ShowAll(d *desk.Desk) {
	d.Doc.Look(func(s *state.State) {
		l := parts.Views.Of(*s)
		l.Hidden = nil
		parts.Views.Put(s, l)
	})
}

// Hidden says whether points of a population that there is are hidden.
func Hidden(d *desk.Desk) bool {
	t := tree(d)
	return slices.ContainsFunc(parts.Views.Of(d.Doc.State()).Hidden, func(id population.ID) bool {
		return t.Place(id) >= 0
	})
}

// Merge puts the points of a population into another one beside it.
func Merge(d *desk.Desk, id, into population.ID) {
	t, err := tree(d).Merge(id, into)
	if err != nil {
		d.Window.Fail(err)
		return
	}
	to, _ := t.Find(into)
	edit(d, "Merge into "+population.Brief(to.Name), func(population.Tree) population.Tree { return t })
	d.Stage.Scene.Gating.Chosen = into
}

// Redefine makes a population of the selected points in place of those that it had.
func Redefine(d *desk.Desk, id population.ID) {
	points := d.Stage.Selected()
	if p, ok := tree(d).Find(id); ok && !points.Empty() {
		edit(d, "Points of "+population.Brief(p.Name), func(t population.Tree) population.Tree {
			return t.Redefine(id, population.Of(points))
		})
	}
}

// mostLabels is how many labels of a column become populations at once.
const mostLabels = 200

// FromLabels makes a population of each label of a column that has rows, the largest first. Labels of the file stay
// tied to their column; those of the map, as clusters, become fixed points, as they come and go with the map.
func FromLabels(d *desk.Desk, column string) {
	c, _, err := d.Column(column)
	switch {
	case err != nil:
		d.Window.Fail(err)
		return
	case c == nil:
		d.Window.Say("its labels are being looked for: try again in a moment")
		return
	case c.Categories == nil:
		d.Window.Fail(problem.New("", "choose a column of labels", "%s holds numbers, not labels",
			d.ColumnTitle(column)))
		return
	}
	if n := labelsOf(c); n > mostLabels {
		d.Window.Fail(problem.New("", "colour by another column, or cluster into fewer",
			"%s labels are more than the %d that become populations at once", widget.Grouped(n), mostLabels))
		return
	}
	groups := rowsOf(c, d.Doc.Data.Points)
	fixed := c.Provenance == dataset.Derived
	first := tree(d).Len() == 0
	t, parent := tree(d), population.ID(0)
	if up, ok := t.Find(d.Stage.Scene.Gating.Chosen); ok && fixed {
		parent = up.ID
	}
	for _, g := range groups {
		p := population.Population{Name: g.name, Parent: parent, Rule: population.Of(g.rows)}
		if !fixed {
			p.Rule = &population.Categories{Column: column, Names: []string{g.name}}
		} else if len(g.name) < 6 {
			p.Name = d.ColumnTitle(column) + " " + g.name // "cluster 3"
		}
		if t, _, err = t.Add(p); err != nil {
			d.Window.Fail(err)
			return
		}
	}
	d.Doc.Do("Populations of "+d.ColumnTitle(column), func(s *state.State) {
		parts.Populations.Put(s, t)
		if first {
			d.EditLook(s, func(l *parts.Look) { l.Column = d.Naming.Column(d.Doc.Data, "population") })
		}
	})
	d.Window.Reveal("populations")
}

// FromLimits asks for the name of a population of limits on columns, that lies in a parent (0: in none).
func FromLimits(d *desk.Desk, limits []population.Limit, parent population.ID) {
	rule := &population.Limits{Of: limits}
	ask(d, "the points with "+rule.Says(), parent, func(t population.Tree, p population.Population) (population.Tree,
		error) {
		p.Rule = rule
		t, id, err := t.Add(p)
		return t, chosen(d, id, err)
	}, func() {})
}
