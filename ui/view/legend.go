package view

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/pen"
	"blossom/ui/widget"
)

// legendOver is a legend over a view, and what the mouse does with it.
type legendOver struct {
	legend.Over
	of    *legend.Legend // nil: none is shown
	first int            // the label at the top
	asked int            // the label whose colour is chosen
	told  bool           // a view before this one shows the same legend
	// last is where it was painted last, names whether it was large: kept while it gives way to what is drawn there.
	last  widget.Rect
	names bool
	held  *legend.Place  // where it is while the mouse moves it
	fit   camera.Margins // the room that the map left for it when it was fitted
	// unseen: there is no window that would show it, and pictures find its room.
	unseen bool
}

// lit is a label that the mouse is on in a legend: points of it stand out in all views that are coloured by it.
type lit struct {
	column string
	label  int // 1 is the first, 0 none
}

// Highlight lets the points of a label stand out in this frame, in all views that are coloured by its column: the mouse
// is on it elsewhere. The first label is 0.
func (s *Stage) Highlight(column string, label int) { s.Scene.Light(column, label) }

// Light is Highlight, for what fills a view.
func (s *Scene) Light(column string, label int) { s.asked = lit{column, label + 1} }

// Lit is the label of a column whose points stand out, -1: those of none do.
func (s *Scene) Lit(column string) int {
	if s.lit.column != column {
		return -1
	}
	return s.lit.label - 1
}

// draw draws the legend, unless a view before this one tells the same.
func (q *legendOver) draw(v *Scatter, over *render.Overlay, p ink) {
	v.LegendBox, v.key.Over, v.key.of = widget.Rect{}, legend.Over{}, nil
	if v.key.told = over.Legend != nil && v.View.scene.told(over.Legend); v.key.told || over.Legend == nil {
		q.last = widget.Rect{}
		return
	}
	if v.key.ghostUnder(v, v.key.last) { // the drawn shape below is taken hold of instead
		return
	}
	v.key.Over = over.PaintLegend(p)
	if v.key.Box.Empty() {
		return
	}
	v.key.of = over.Legend
	v.LegendBox = p.rect(v.key.Box)
	if q.last != v.LegendBox { // the map may have to make room
		v.View.scene.UI.Refresh()
	}
	q.last, q.names = v.LegendBox, q.Large()
}

// place is where the legend of a view is.
func (q *legendOver) place(v *Scatter) legend.Place {
	if q.held != nil {
		return *q.held
	}
	at := v.View.State().LegendAt
	if at.Room == parts.RoomThatSuits && v.free && !v.Eye.Solid() {
		// Axes stay as they are whatever the legend tells, and where there are two of columns much lies in their
		// corner.
		at.Room = parts.LegendOver
		if at.X == 0 && at.Y == 0 {
			at.X, at.Y = 1, 1
		}
	}
	return legend.Place{Folded: at.Folded, First: q.first, X: at.X, Y: at.Y, Room: rooms[at.Room]}
}

var rooms = map[parts.LegendRoom]legend.Room{parts.LegendBeside: legend.RoomAlways, parts.LegendOver: legend.RoomNever}

// room is what a map that is fitted, with the box b, leaves free for the legend, in pixels: the same whether it counts
// what is selected or not. While the mouse moves the legend nothing else does.
func (q *legendOver) room(v *Scatter, b camera.Bounds) camera.Margins {
	if q.held != nil {
		return q.fit
	}
	box, in, k := q.last, v.Rect(), v.Eye.Ratio
	if box.Empty() {
		return camera.Margins{}
	}
	at := pen.Rect{X0: k * float64(box.X0-in.X0), Y0: k * float64(box.Y0-in.Y0), X1: k * float64(box.X1-in.X0),
		Y1: k * float64(box.Y1-in.Y0)}
	if at.X0+at.X1 < k*float64(in.W()) {
		at.X1 -= q.Chosen
	} else {
		at.X0 += q.Chosen
	}
	return q.place(v).Room.Aside(q.names, at, k*float64(in.W()), k*float64(in.H()), b,
		func(m camera.Margins) bool { return !q.moved(v, m) })
}

// moved says whether the map is fitted anew for the legend: where that takes so much more room, in points, or none at
// all any more. A map stays where it is while smaller legends come and go, as one flicks through columns.
func (q *legendOver) moved(v *Scatter, room camera.Margins) bool {
	const most = 48
	more := func(now, was float64) bool { return now-was > most*v.View.scene.pixels() }
	none := camera.Margins{}
	return more(room.Left, q.fit.Left) || more(room.Right, q.fit.Right) || more(room.Top, q.fit.Top) ||
		more(room.Bottom, q.fit.Bottom) || room == none && q.fit != none
}

// ghostUnder says whether grips of the shape that is being drawn lie in a box of the window.
func (q *legendOver) ghostUnder(v *Scatter, box widget.Rect) bool {
	g := v.View.scene.Hand
	if box.Empty() || !g.Draw.On || g.Tool.ID != "draw" || !v.IsMap() {
		return false
	}
	grips, ok := g.gripsOf(v, v.View.scene.UI, g.Draw.Shape.Frame)
	if !ok {
		return false
	}
	reach := float32(g.Reach)
	for _, p := range grips {
		if p.X > box.X0-reach && p.X < box.X1+reach && p.Y > box.Y0-reach && p.Y < box.Y1+reach {
			return true
		}
	}
	return false
}

// Legends lets the mouse work on the legends: a title folds and moves its legend, a name shows where its points are,
// and selects them, the wheel goes through many names.
func (s *Stage) Legends() {
	now := s.Scene.asked
	s.Scene.asked = lit{}
	for _, v := range s.scatters {
		if v.key.of != nil && !s.hand.Active() {
			v.key.hits(v, &now)
		}
	}
	if now != s.Scene.lit {
		s.Scene.lit = now
		s.Scene.UI.Refresh()
	}
}

func (q *legendOver) hits(v *Scatter, now *lit) {
	q.read(v)
	u := v.View.scene.UI
	area, pen := v.LegendBox, inkOver(nil, v.View.scene, v.Eye)
	if len(q.Rows) == 0 { // the bar lets drags through to the map
		area = pen.rect(q.Head)
	}
	u.Area("legend"+v.View.ID.Key(), area, widget.AreaOpts{Clear: true}, func() {
		q.title(v, pen)
		for _, r := range q.Rows {
			e := q.of.Entries[r.Entry]
			count := grouped(e.Count)
			if r.Entry < len(q.of.Chosen) {
				count = grouped(q.of.Chosen[r.Entry]) + " of " + count + " are selected"
			}
			tip := e.Name + ": " + count + "\nA click selects them; Shift adds, Alt takes away. A right click " +
				"colours them."
			hit := u.LegendHit(fmt.Sprintf("label%d", e.Label), pen.rect(r.Rect), "", tip)
			if hit.Hovered {
				*now = lit{v.Colours.Column, e.Label + 1}
			}
			switch {
			case hit.Clicked:
				q.selectLabel(v, e)
			case hit.Right && e.Label >= 0:
				q.asked = e.Label
				u.OpenMenu("legend-label")
			}
		}
		u.ContextMenu("legend-label", func() { q.colours(v) })
		if wheel := imgui.CurrentIO().MouseWheel(); wheel != 0 && q.Most > 0 && imgui.IsWindowHovered() {
			q.first = min(max(q.First-int(3*wheel), 0), q.Most)
			u.Refresh()
		}
	})
}

// read says what the place on the bar that the mouse is on stands for.
func (q *legendOver) read(v *Scatter) {
	u, m, k := v.View.scene.UI, imgui.MousePos(), v.Eye.Ratio
	at, ok := q.OnBar(k*float64(m.X-v.Eye.Box.X0), k*float64(m.Y-v.Eye.Box.Y0))
	if !ok || !u.OnCanvas(v.Rect(), m) || v.Colours.Values == nil {
		return
	}
	raw, lower := v.Colours.Reading(v.Colouring(), at)
	u.Tip(widget.R(m.X-u.Pt(4), m.Y-u.Pt(8), u.Pt(8), u.Pt(16)), fmt.Sprintf("%s\n%.0f %% are lower", raw, 100*lower))
}

// title folds the legend by a click, moves it by a drag, and has a menu.
func (q *legendOver) title(v *Scatter, pen ink) {
	u, at := v.View.scene.UI, v.View.State().LegendAt
	word, icon := "Fold the legend; drag it elsewhere", assets.IconChevronDown
	if at.Folded {
		word, icon = "Show the legend; drag it elsewhere", assets.IconChevronRight
	}
	hit := u.LegendTitle("title", pen.rect(q.Head), v.LegendBox.Min(), icon, word)
	q.held = nil
	if hit.Active || hit.Dropped {
		to := q.Moved(float64(hit.To.X-v.Eye.Box.X0)*v.Eye.Ratio, float64(hit.To.Y-v.Eye.Box.Y0)*v.Eye.Ratio)
		if hit.Active {
			q.held = &to
		} else {
			q.change(v, func(l *parts.LegendAt) { l.X, l.Y = to.X, to.Y })
		}
		u.Refresh()
	}
	if hit.Clicked {
		q.change(v, func(l *parts.LegendAt) { l.Folded = !l.Folded })
	}
	if hit.Right {
		u.OpenMenu("legend")
	}
	u.ContextMenu("legend", func() { q.menu(v, at) })
}

// menu is how the legend can stand.
func (q *legendOver) menu(v *Scatter, at parts.LegendAt) {
	u, beside := v.View.scene.UI, q.fit != camera.Margins{}
	for _, c := range []struct {
		label string
		room  parts.LegendRoom
	}{{"Beside the map", parts.LegendBeside}, {"Over the map", parts.LegendOver}} {
		if u.MenuItem(c.label, widget.MenuOpts{Checked: beside == (c.room == parts.LegendBeside)}) {
			q.change(v, func(l *parts.LegendAt) { l.Room = c.room })
		}
	}
	u.MenuSeparator()
	if u.MenuItem("Folded", widget.MenuOpts{Checked: at.Folded}) {
		q.change(v, func(l *parts.LegendAt) { l.Folded = !l.Folded })
	}
	if u.MenuItem("Back to its corner", widget.MenuOpts{Disabled: at.X == 0 && at.Y == 0}) {
		q.change(v, func(l *parts.LegendAt) { l.X, l.Y = 0, 0 })
	}
	if u.MenuItem("Hide", widget.MenuOpts{Shortcut: "G"}) {
		v.View.Edit(func(p *parts.View) { p.Legend = false })
		u.Refresh()
	}
}

// change puts into the document how the legend stands.
func (q *legendOver) change(v *Scatter, f func(*parts.LegendAt)) {
	v.View.Edit(func(p *parts.View) { f(&p.LegendAt) })
	v.View.scene.UI.Refresh()
}

// selectLabel selects the points of a label, or lets go of them where they are what is selected.
func (q *legendOver) selectLabel(v *Scatter, e legend.Entry) {
	doc, order := v.View.scene.Map.Doc, v.View.scene.Map.Table().Order
	n := doc.Data.Points
	words := make([]uint64, (n+63)/64)
	for i, x := range v.Colours.Numbers {
		if x == x && int(x) == e.Label || x != x && e.Label < 0 {
			row := i
			if order != nil {
				row = int(order[i])
			}
			words[row/64] |= 1 << (row % 64)
		}
	}
	v.View.scene.SelectNamed(e.Name, selection.FromBits(n, words))
}
