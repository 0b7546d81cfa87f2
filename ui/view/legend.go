package view

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/render/legend"
	"blossom/ui/widget"
)

// legendOver is a legend over a view, and what the mouse does with it.
type legendOver struct {
	legend.Over
	of   *legend.Legend // nil: none is shown
	fold legend.Fold
	last widget.Rect // where it was painted last
	told bool        // a view before this one shows the same legend
}

// lit is a label that the mouse is on in a legend: points of it stand out in all views that are coloured by it.
type lit struct {
	column string
	label  int // 1 is the first, 0 none
}

// Light has the points of a label stand out in this frame, in all views that are coloured by its column: the mouse is
// on it elsewhere. The first label is 0.
func (s *Stage) Light(column string, label int) { s.Scene.asked = lit{column, label + 1} }

// draw draws the legend, unless a view before this one tells the same.
func (q *legendOver) draw(v *Scatter, over *render.Overlay, p ink) {
	v.LegendBox, v.key.Over, v.key.of = widget.Rect{}, legend.Over{}, nil
	if v.key.told = over.Legend != nil && v.View.scene.told(over.Legend); v.key.told || over.Legend == nil {
		return
	}
	if v.key.ghostUnder(v, v.key.last) { // what is being drawn is taken hold of there
		return
	}
	v.key.Over = over.PaintLegend(p)
	if v.key.Box.Empty() {
		return
	}
	v.key.of = over.Legend
	v.LegendBox = p.rect(v.key.Box)
	v.key.last = v.LegendBox
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

// Legends lets the mouse work on the legends: a title folds its legend, a name shows where its points are, and selects
// them, the wheel goes through many names.
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
	u, k := v.View.scene.UI, &v.key
	area := v.LegendBox
	names := len(k.Rows) > 0
	pen := inkOver(nil, v.View.scene, v.Eye)
	if !names { // the bar lets drags through to the map
		area = pen.rect(k.Head)
	}
	u.Area("legend"+v.View.ID.Key(), area, widget.AreaOpts{Clear: true}, func() {
		word, icon := "Fold the legend", assets.IconChevronDown
		if k.fold.Closed {
			word, icon = "Show the legend", assets.IconChevronRight
		}
		if u.LegendHit("title", pen.rect(k.Head), icon, word).Clicked {
			k.fold.Closed = !k.fold.Closed
			u.Refresh()
		}
		for _, r := range k.Rows {
			e := k.of.Entries[r.Entry]
			tip := e.Name + ": " + grouped(e.Count) + "\nA click selects them; Shift adds, Alt takes away."
			hit := u.LegendHit(fmt.Sprintf("label%d", e.Label), pen.rect(r.Rect), "", tip)
			if hit.Hovered {
				*now = lit{v.Colours.Column, e.Label + 1}
			}
			if hit.Clicked {
				v.key.selectLabel(v, e)
			}
		}
		if wheel := imgui.CurrentIO().MouseWheel(); wheel != 0 && k.Most > 0 && imgui.IsWindowHovered() {
			k.fold.First = min(max(k.First-int(3*wheel), 0), k.Most)
			u.Refresh()
		}
	})
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
	old, set, name := parts.Selection.Of(doc.State()), selection.FromBits(n, words), "Select "+e.Name
	io := imgui.CurrentIO()
	switch {
	case io.KeyShift():
		set, name = selection.Union(old, set), "Add "+e.Name+" to the selection"
	case io.KeyAlt():
		set, name = selection.Subtract(old, set), "Take "+e.Name+" from the selection"
	case selection.Equal(old, set):
		set, name = selection.None(n), "Select nothing"
	}
	v.View.scene.SetSelection(name, selection.Replace(old, set))
}

// Told says that a view beside this one shows the same legend, so that this one has none.
func (v *Scatter) Told() bool { return v.key.told }
