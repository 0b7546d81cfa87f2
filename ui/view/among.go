package view

import (
	"slices"
	"strings"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/ui/widget"
)

// among is the points that a view shows: those of one population alone, or all, without those of hidden ones. What is
// drawn in a view of a population lies in it, and gates of others are not seen.
type among struct {
	id      population.ID       // the population; 0: the view shows those of all
	set     *selection.Set      // its rows; nil: all
	states  *render.StateBuffer // which points are selected and which are not shown; nil: those of the scene are
	shown   int                 // how many points they do not hide
	of      amongKey
	changes uint64
}

// amongKey is what the states depend on.
type amongKey struct {
	id                              population.ID
	hidden                          bool
	labels, selection, table, views revision.Revision
}

// inSight is the state of a point that a view shows which shows the points of a population alone; drawing knows it not.
const inSight = 1 << 7

// update brings the states up to the document.
func (a *among) update(v *Scatter) {
	m := v.View.scene.Map
	state := m.Doc.State()
	tree, views := parts.Populations.Of(state), parts.Views.Of(state)
	id := views.Get(v.View.ID.Key()).Of
	if id != 0 && tree.Place(id) < 0 { // it is gone
		id = 0
	}
	hides := hides(tree, views)
	if id == 0 && !hides {
		if a.states != nil {
			a.free()
		}
		return
	}
	now, _ := m.Populations().Now()
	if now == nil || id != 0 && now.Tree.Place(id) < 0 { // its points are on their way
		return
	}
	table := m.Table()
	key := amongKey{id: id, hidden: hides, labels: now.Derived.Rev, selection: parts.Selection.Rev(state),
		table: table.Rev}
	if hides {
		key.views = parts.Views.Rev(state)
	}
	if key == a.of {
		return
	}
	rows := m.Doc.Data.Points
	a.of, a.id = key, id
	if set := seen(now, id, views.Hidden, rows); a.set == nil || !selection.Equal(a.set, set) {
		a.set = set // the same is kept: others compare it
	}
	if a.set.Len() != rows { // the data are others
		return
	}
	if n := table.X.Rows; a.states == nil {
		a.states = v.View.scene.Renderer.NewStateBuffer(n)
	} else if a.states.Len() != n {
		a.states.Resize(n)
	}
	selection.Invert(a.set, rows).FillStates(table.Order, a.states.Host(), render.Hidden)
	a.set.FillStates(table.Order, a.states.Host(), inSight)
	selection.Intersect(parts.Selection.Of(state), a.set).FillStates(table.Order, a.states.Host(), render.Selected)
	a.states.Upload(0, a.states.Len())
	a.shown = 0
	for _, s := range a.states.Host() {
		if s&render.Hidden == 0 {
			a.shown++
		}
	}
	a.changes++
}

// hides says whether views leave points of a population out that there is.
func hides(tree population.Tree, views parts.ViewList) bool {
	return slices.ContainsFunc(views.Hidden, func(id population.ID) bool { return tree.Place(id) >= 0 })
}

// seen are the rows of a population, 0: of all, without those of hidden ones.
func seen(now *live.Populated, id population.ID, hidden []population.ID, rows int) *selection.Set {
	set := selection.All(rows)
	if id != 0 {
		set = now.Sets[now.Tree.Place(id)]
	}
	for _, h := range hidden {
		if place := now.Tree.Place(h); place >= 0 && now.Sets[place].Len() == set.Len() {
			set = selection.Subtract(set, now.Sets[place])
		}
	}
	return set
}

// shows says whether a point is one of those that the view shows.
func (a *among) shows(point int) bool {
	return a.states == nil || point >= a.states.Len() || a.states.Host()[point]&render.Hidden == 0
}

// count is how many of the first n points the view shows: of fewer than all, which come in a random order, their share.
func (a *among) count(n int) int {
	if a.states == nil || a.states.Len() == 0 {
		return n
	}
	return int(float64(n) * float64(a.shown) / float64(a.states.Len()))
}

func (a *among) free() {
	if a.states != nil {
		a.states.Free()
	}
	*a = among{changes: a.changes + 1}
}

// in are the states of the points as the view shows them.
func (a *among) in(s *Scene) *render.StateBuffer {
	if a.states != nil {
		return a.states
	}
	return s.States
}

// States are what the view shows of each point: whether it is drawn, and selected.
func (v *View) States() *render.StateBuffer { return v.scatter.among.in(v.scene) }

// Among is the rows whose points the view shows; nil: all. It is the same set as long as its rows are.
func (v *View) Among() *selection.Set {
	v.scatter.among.update(v.scatter)
	return v.scatter.among.set
}

// Of is the population whose points the view shows alone; 0: it shows all.
func (v *View) Of() population.ID { return v.scatter.among.id }

// ShowOf has a view show the points of a population alone, 0: all points.
func (v *View) ShowOf(id population.ID) {
	v.Edit(func(p *parts.View) { p.Of = id })
}

// allPoints is what a view is of that shows all.
const allPoints = "all points"

// ofWhat says whose points the view shows; "": there are no populations to choose from.
func (v *View) ofWhat() string {
	tree := v.scene.Map.Populations().Tree()
	if tree.Len() == 0 {
		return ""
	}
	if p, ok := tree.Find(v.State().Of); ok {
		return p.Name
	}
	return allPoints
}

// ofMenu is the list of populations that a view can show alone, while it is open.
type ofMenu struct {
	of    ID // the view whose list it is
	items []widget.ComboItem
	ids   []population.ID
}

// open lists the populations for a view: there may be thousands.
func (o *ofMenu) open(v *Scatter) {
	o.list(v.View.scene.Map.Populations().Tree(), "All points")
	o.of = v.View.ID
}

// list lists populations, after what none of them is called.
func (o *ofMenu) list(tree population.Tree, none string) {
	*o = ofMenu{items: []widget.ComboItem{{Name: none}}, ids: []population.ID{0}}
	depths := tree.Depths()
	for i, p := range tree.All() {
		o.items = append(o.items, widget.ComboItem{Name: strings.Repeat("    ", depths[i]) + p.Name})
		o.ids = append(o.ids, p.ID)
	}
}

// keep leaves out of the list what is not like.
func (o *ofMenu) keep(like func(population.ID) bool) {
	var items []widget.ComboItem
	var ids []population.ID
	for i, id := range o.ids {
		if like(id) {
			items, ids = append(items, o.items[i]), append(ids, id)
		}
	}
	o.items, o.ids = items, ids
}

// draw draws the list of a view, if it is the one that is open.
func (o *ofMenu) draw(v *Scatter) {
	if o.of != v.View.ID {
		return
	}
	chosen := max(slices.Index(o.ids, v.View.State().Of), 0)
	if v.View.scene.UI.List("of"+v.View.ID.Key(), o.items, &chosen) {
		v.View.ShowOf(o.ids[chosen])
	}
}
