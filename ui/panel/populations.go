package panel

import (
	"fmt"
	"slices"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/order"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/render/palette"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "populations", Title: "Populations",
		Also: "annotate name cell type hierarchy tree counts frequencies suggest percent of parent",
		Key:  "Alt+N", Order: 85, Closed: true,
		Help: "Named sets of points, one in another: made of what is selected, of landmarks, labels and clusters",
		New: func(d *desk.Desk) Panel {
			return &populations{desk: d, folded: map[population.ID]bool{}, suggestions: naming.NewSuggestions(d),
				number: naming.Number.Default}
		}})
}

// populations is the tree of the populations.
type populations struct {
	desk   *desk.Desk
	folded map[population.ID]bool
	rows   []populationRow
	key    populationsKey
	asked  population.ID // the one that a menu is open for
	parent bool          // shares are those of the parent
	whole  countsOf      // counts are of these, where the points are a sample of all rows
	seen   *scale.Counted
	carry  population.ID // the one whose row is carried to another place, 0: none

	suggestions *naming.Suggestions
	number      float64 // how many are suggested
	phase       int     // how far suggestions are
}

// populationsKey is what the rows were made of.
type populationsKey struct {
	tree   revision.Revision
	now    *live.Populated
	fresh  bool
	dark   bool
	parent bool
	whole  countsOf
	tally  revision.Revision
	folds  int
	look   string // the palette of the active view
	views  revision.Revision
}

// populationRow is a row; ID 0 is what is in no population.
type populationRow struct {
	id    population.ID
	place int
	label string
	opts  widget.PopulationOpts
	at    widget.Rect // where it was drawn in this frame; empty: it was not in sight
}

// Note says how many there are.
func (p *populations) Note() string {
	if n := parts.Populations.Of(p.desk.Doc.State()).Len(); n > 0 {
		return widget.Grouped(n)
	}
	return ""
}

func (p *populations) Draw() {
	u := p.desk.UI
	p.part()
	p.buttons()
	p.suggest()
	tree := parts.Populations.Of(p.desk.Doc.State())
	if tree.Len() == 0 {
		u.Wrapped(widget.Small, u.Theme().Muted,
			"No populations yet. Draw around some points with the Select tool (4), then name them.")
		return
	}
	u.Space(6)
	p.counts()
	now, fresh := p.desk.Populations().Now()
	p.lay(tree, now, fresh)
	u.ContextMenu("population", func() { p.menu(tree) })
	u.ContextMenu("population-colour", func() { p.colours(tree) })
	var carry widget.RowCarry
	for i := range p.rows {
		p.rows[i].at = widget.Rect{}
		if u.SkipRow() {
			continue
		}
		how, changed := p.row(&p.rows[i])
		if changed {
			return // the tree is another one now
		}
		carry = max(carry, how)
	}
	if p.carried(tree, carry) {
		return
	}
	p.countButton()
	p.foot(tree)
}

// part says what the points are part of, and offers to go back there.
func (p *populations) part() {
	u, s := p.desk.UI, p.desk.Doc.Data.Subset
	if s == nil {
		return
	}
	back := p.desk.Window.Command("back")
	u.Wrapped(widget.Small, u.Theme().Muted, fmt.Sprintf("The points of %s: %s of the %s of %s. "+
		"What is named here is in it, too, when you go back.", population.Brief(s.Name), widget.Grouped(len(s.Rows)),
		widget.Grouped(s.Points), s.Of))
	if u.Button("Back to the whole##back", widget.ButtonOpts{Width: -1, Tip: back.Tip, Disabled: !back.Can}) {
		back.Run()
	}
	u.Space(6)
}

// buttons are what makes populations.
func (p *populations) buttons() {
	u := p.desk.UI
	make := p.desk.Window.Command("new-population")
	if u.Button("From selection##new", widget.ButtonOpts{Tip: make.Tip, Disabled: !make.Can}) {
		make.Run()
	}
	u.Same()
	labels := p.desk.Window.Command("populations-of-labels")
	if u.Button("From labels##labels", widget.ButtonOpts{Tip: labels.Tip, Disabled: !labels.Can}) {
		labels.Run()
	}
}

// The phases of suggestions.
const (
	unasked = iota
	asked   // they are on their way
	suggested
)

// linkages are how groups are joined, by order.Linkage.
var linkages = []string{order.Average: "Average", order.Ward: "Ward", order.Single: "Single"}

// suggest asks for the number of populations that are suggested, which are there while it changes.
func (p *populations) suggest() {
	u := p.desk.UI
	u.Space(4)
	if p.phase == suggested && !p.suggestions.Stand() { // it was undone, or something else was done since
		p.phase = unasked
	}
	if p.phase == unasked {
		if u.Button("Suggest populations##suggest", widget.ButtonOpts{Width: -1,
			Disabled: !naming.Suggestable(p.desk), Tip: "Populations as a start: groups of landmarks that are alike, " +
				"as many as a slider says; of up to 8,192 landmarks"}) {
			p.phase = asked
		}
		return
	}
	by := int(p.suggestions.By)
	if u.Segmented("Groups by", linkages, &by, "How groups of landmarks are joined in the space of the map. Average: "+
		"by the mean distance of their landmarks. Ward: so that groups stay compact, of like spread. Single: by the "+
		"nearest two, which finds long shapes, and chains") {
		p.suggestions.By, p.phase = order.Linkage(by), asked
	}
	number, ready := naming.Number, p.suggestions.Ready()
	number.Disabled = !ready
	e := u.Slider("Suggested", &p.number, number, "Groups of landmarks that are alike in the space of the map, called "+
		"by the columns in which they are high; populations that were there stay")
	if ready && p.phase == asked {
		p.phase, e = suggested, widget.Edit{Changed: true, Committed: true}
	}
	p.suggestions.Change(e, int(p.number))
}

// lay makes the rows, where something of them has changed.
func (p *populations) lay(tree population.Tree, now *live.Populated, fresh bool) {
	key := populationsKey{parts.Populations.Rev(p.desk.Doc.State()), now, fresh, p.desk.Window.Dark(), p.parent,
		p.whole, p.tallied(),
		len(p.folded), p.desk.Look().Palette + p.desk.Look().Column, parts.Views.Rev(p.desk.Doc.State())}
	if key == p.key {
		return
	}
	p.key, p.rows = key, p.rows[:0]
	all := p.desk.Doc.Data.Points
	depths, hidden, inks := tree.Depths(), -1, p.inks(tree)
	unseen := parts.Views.Of(p.desk.Doc.State()).Hidden
	for i, x := range tree.All() {
		if hidden >= 0 && depths[i] > hidden {
			continue
		}
		hidden = -1
		row := populationRow{id: x.ID, place: i, label: fmt.Sprintf("population%d", x.ID)}
		ink := inks.LabelColour(i)
		row.opts = widget.PopulationOpts{Name: x.Name, Depth: depths[i], Origin: originIcon(x.Rule), Part: -1,
			Ink: widget.RGBA(ink.R, ink.G, ink.B, 255), Hidden: slices.Contains(unseen, x.ID)}
		if i+1 < tree.Len() && depths[i+1] > depths[i] {
			row.opts.Fold = widget.Unfolded
			if p.folded[x.ID] {
				row.opts.Fold, hidden = widget.Folded, depths[i]
			}
		}
		p.count(&row, x, now, all)
		if p.whole == ofAllRows {
			p.countAll(&row, x, tree)
		}
		p.rows = append(p.rows, row)
	}
	if now != nil && p.whole == ofSample {
		none := populationRow{label: "unassigned", opts: widget.PopulationOpts{Name: population.Unassigned, Dim: true,
			NoEye: true,
			Ink:   p.desk.UI.Theme().Press, Count: widget.Grouped(now.None), Share: widget.Percent(now.None, all),
			Part: share(now.None, all), Tip: "Points in none of them. A click selects them."}}
		p.rows = append(p.rows, none)
	}
}

// inks are the colours of the populations, as the active view has them where it is coloured by them.
func (p *populations) inks(tree population.Tree) palette.Colouring {
	name := ""
	if look := p.desk.Look(); look.Column == p.desk.Naming.Column(p.desk.Doc.Data, "population") {
		name = look.Palette
	}
	inks := make([]byte, tree.Len())
	for i, x := range tree.All() {
		inks[i] = x.Ink
	}
	return palette.OfLabels(name, max(tree.Len(), 1), string(inks))
}

// originIcons are the icons of kinds of rules.
var originIcons = map[string]string{"cells": assets.IconLasso, "landmarks": assets.IconCircleDot,
	"limits": assets.IconFunnel, "gate": assets.IconChartScatter, "label": assets.IconTag, "any": assets.IconLayers,
	"region": assets.IconRefreshCw, "all": assets.IconLayers, "gating": assets.IconDownload}

func originIcon(r population.Rule) string { return originIcons[r.Kind()] }

// count writes how many points a population has, and says so in full in its tip.
func (p *populations) count(row *populationRow, x population.Population, now *live.Populated, all int) {
	place := -1
	if now != nil {
		place = now.Tree.Place(x.ID)
	}
	if place < 0 {
		row.opts.Tip = "Its points are being looked for."
		return
	}
	n, of, up := now.Sets[place].Count(), all, ""
	if at := now.Tree.Place(x.Parent); at >= 0 {
		up = fmt.Sprintf(", %s of %s", widget.Percent(n, now.Sets[at].Count()), now.Tree.All()[at].Name)
		if p.parent {
			of = now.Sets[at].Count()
		}
	}
	row.opts.Count, row.opts.Share, row.opts.Part = widget.Grouped(n), widget.Percent(n, of), share(n, of)
	row.opts.Tip = fmt.Sprintf("%s\n%s points: %s of all%s\nBy %s\nA click selects them; Shift adds, Alt takes away. "+
		"A drag puts it elsewhere, or into another one.", x.Name, widget.Grouped(n), widget.Percent(n, all), up,
		x.Rule.Says())
	if row.opts.Hidden {
		row.opts.Tip += "\nIts points are hidden: the eye shows them."
	}
	if err := now.Why[place]; err != nil {
		row.opts.Wrong, row.opts.Tip = true, problem.As(err).Error()
	}
}

func share(n, of int) float32 { return float32(n) / float32(max(of, 1)) }

// row draws a row and does what the user does with it; it says whether it is carried elsewhere, and whether the tree
// has changed.
func (p *populations) row(r *populationRow) (carry widget.RowCarry, changed bool) {
	u, d := p.desk.UI, p.desk
	r.opts.Chosen = r.id != 0 && r.id == d.Stage.Scene.Gating.Chosen
	x := u.PopulationRow(r.label, r.opts)
	r.at = x.Rect
	if x.Carry != widget.NotCarried && r.id != 0 {
		p.carry = r.id
		return x.Carry, false
	}
	if x.Hovered && p.key.now != nil && p.key.fresh && r.id != 0 {
		d.Stage.Highlight(d.Naming.Column(d.Doc.Data, "population"), r.place)
	}
	switch {
	case x.Folds:
		if p.folded[r.id] {
			delete(p.folded, r.id)
		} else {
			p.folded[r.id] = true
		}
		u.Again()
	case x.Hides:
		naming.Hide(d, r.id, !r.opts.Hidden)
		u.Again()
	case x.Right && r.id != 0:
		p.asked, d.Stage.Scene.Gating.Chosen = r.id, r.id
		u.OpenMenu("population")
	case x.Recolour:
		p.asked, d.Stage.Scene.Gating.Chosen = r.id, r.id
		u.OpenMenuUnder("population-colour", x.Swatch)
	case x.Double && r.id != 0:
		naming.Rename(d, r.id)
	case x.Clicked:
		d.Stage.Scene.Gating.Chosen = r.id
		naming.Select(d, r.id)
		return widget.NotCarried, true
	}
	return widget.NotCarried, false
}

// carried shows where a row that is carried would come to lie, and puts its population there when it is let go of: into
// the one whose row is under the mouse or, near the edge of a row, beside that one. It says whether the tree has
// changed.
func (p *populations) carried(tree population.Tree, how widget.RowCarry) (changed bool) {
	x, ok := tree.Find(p.carry)
	if how == widget.NotCarried || !ok {
		return false
	}
	u := p.desk.UI
	own := tree.Within(x.ID)
	for i := range p.rows {
		r := &p.rows[i]
		part, over := u.Upright(r.at)
		within := slices.ContainsFunc(own, func(o population.Population) bool { return o.ID == r.id })
		if !over || within || r.id == 0 {
			continue
		}
		const edge = 0.28
		into, behind := part > edge && part < 1-edge, part >= 1-edge
		if how == widget.Carried {
			u.CarriedRow(x.Name, r.at, into, behind, r.opts.Depth)
			return false
		}
		if into {
			naming.Nest(p.desk, x.ID, r.id)
		} else {
			naming.Put(p.desk, x.ID, r.id, behind)
		}
		return true
	}
	if how == widget.Carried {
		u.CarriedRow(x.Name, widget.Rect{}, false, false, 0)
	}
	return false
}

// menu is what can be done with a population.
func (p *populations) menu(tree population.Tree) {
	u, d := p.desk.UI, p.desk
	x, ok := tree.Find(p.asked)
	if !ok {
		return
	}
	selected := !d.Stage.Selected().Empty()
	item := func(label, icon, tip string, can bool, run func()) {
		if u.MenuItem(label, widget.MenuOpts{Icon: icon, Tip: tip, Disabled: !can}) {
			run()
		}
	}
	above, below := beside(tree, x)
	item("Select its points##select", assets.IconLassoSelect, "", true, func() { naming.Select(d, x.ID) })
	alone := d.Window.Command("view-population")
	title := "Show only its points##alone"
	if d.Stage.Active().State().Of == x.ID {
		title = "Show all points##alone"
	}
	item(title, assets.IconFunnel, "In the active view. What is drawn there lies in it", alone.Can,
		func() { alone.Run() })
	apart := d.Window.Command("map-of-population")
	item("Map of its points alone##map", assets.IconNetwork, apart.Help, apart.Can, func() { apart.Run() })
	eye, icon := "Hide its points##hide", assets.IconEyeOff
	hidden := slices.Contains(parts.Views.Of(d.Doc.State()).Hidden, x.ID)
	if hidden {
		eye, icon = "Show its points##hide", assets.IconEye
	}
	item(eye, icon, "In all views", true, func() { naming.Hide(d, x.ID, !hidden) })
	item("Rename…##rename", assets.IconPencil, "", true, func() { naming.Rename(d, x.ID) })
	item("The selected points become its own##redefine", "", "In place of those that it has", selected,
		func() { naming.Redefine(d, x.ID) })
	u.MenuSeparator()
	item("Up##up", assets.IconArrowUp, "Of several that have a point the first gets it", above != 0,
		func() { naming.Shift(d, x.ID, -1) })
	item("Down##down", assets.IconArrowDown, "Of several that have a point the first gets it", below != 0,
		func() { naming.Shift(d, x.ID, 1) })
	item("Into the one above##in", assets.IconArrowRight, "It has only points then that the one above has", above != 0,
		func() { naming.Nest(d, x.ID, above) })
	up, _ := tree.Find(x.Parent)
	item("Out of its parent##out", assets.IconArrowLeft, "", x.Parent != 0,
		func() { naming.Nest(d, x.ID, up.Parent) })
	item("Merge into the one above##merge", assets.IconLayers, "The one above gets its points", above != 0,
		func() { naming.Merge(d, x.ID, above) })
	u.MenuSeparator()
	item("Remove##remove", assets.IconTrash2, "With those that lie in it", true, func() { naming.Remove(d, x.ID) })
}

// beside are the populations before and after one among those of its parent, 0 for none.
func beside(tree population.Tree, x population.Population) (before, after population.ID) {
	seen := false
	for _, o := range tree.All() {
		switch {
		case o.Parent != x.Parent:
		case o.ID == x.ID:
			seen = true
		case !seen:
			before = o.ID
		case after == 0:
			after = o.ID
		}
	}
	return before, after
}

// colours lets one of the colours be chosen.
func (p *populations) colours(tree population.Tree) {
	x, ok := tree.Find(p.asked)
	if !ok {
		return
	}
	var inks []widget.Color
	for i := range population.Inks {
		c := palette.ByName("many").Label(i, population.Inks)
		inks = append(inks, widget.RGBA(c.R, c.G, c.B, 255))
	}
	if i := p.desk.UI.Swatches("inks", inks, int(x.Ink)); i >= 0 {
		naming.Recolour(p.desk, x.ID, uint8(i))
	}
}

// foot is what else can be done with them.
func (p *populations) foot(tree population.Tree) {
	u, d := p.desk.UI, p.desk
	u.Space(4)
	column := d.Naming.Column(d.Doc.Data, "population")
	if d.Look().Column != column {
		if u.Button("Colour by population##colour", widget.ButtonOpts{Width: -1,
			Tip: "Colour the points of the active view by their population"}) {
			d.ColourBy(column)
		}
	}
	for _, x := range tree.All() {
		if x.Parent != 0 {
			u.Switch("Shares of the parent", &p.parent, "Of the points of the population that one lies in; else of all")
			return
		}
	}
}
