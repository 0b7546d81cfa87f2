package view

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// gateMove moves a gate by a corner, by a side, or as a whole.
type gateMove struct {
	still
	view *Scatter
	id   population.ID
	by   gatePart
	at   int        // which corner or side
	last [2]float64 // the place under the hand, in units of the gate
}

// gatePart is what of a gate is taken hold of.
type gatePart uint8

const (
	byCorner gatePart = iota
	bySide
	byWhole
)

// takeGate begins to move the chosen gate by the corner, its middle or the side that a press is on, or any quadrants by
// their centre; nil: it is on none.
func (g *Hand) takeGate() gesture {
	v, ok := g.At.(*Scatter)
	if !ok || g.press.mods != 0 {
		return nil
	}
	near := func(p imgui.Vec2) bool {
		return math.Hypot(float64(p.X)-g.press.at.x, float64(p.Y)-g.press.at.y) <= g.Reach
	}
	chosen := v.View.scene.Gating.Chosen
	for _, x := range (gated{v}).shown() {
		if x.ID != chosen && !x.quarter() {
			continue
		}
		m := &gateMove{view: v, id: x.ID}
		for i, p := range x.handles() {
			if len(x.corners) <= mostHandles && near(p) {
				m.at = i
				return m
			}
		}
		if x.quarter() {
			continue
		}
		if m.by = byWhole; near(x.middle()) {
			return m
		}
		if m.at = x.side(g.press.at, g.Reach); m.at >= 0 {
			if x.gate != nil && x.gate.Shape == population.Rectangle {
				m.by = bySide
			}
			return m
		}
	}
	return nil
}

// middle is where a gate is moved as a whole.
func (g gateShown) middle() imgui.Vec2 {
	low, high := g.corners[0], g.corners[0]
	for _, p := range g.corners {
		low = imgui.Vec2{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
		high = imgui.Vec2{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	return imgui.Vec2{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}
}

// side is the side of the outline that a place is on, from corner to corner; -1: none.
func (g gateShown) side(at point, reach float64) int {
	each := max(len(g.outline)/max(len(g.corners), 1), 1)
	for i, s := range g.sides() {
		if apartFrom(at, s[0], s[1]) <= reach {
			return i / each
		}
	}
	return -1
}

// under is what lies at a place of the window in units of a rule's gate; ok is false where that is not in the view.
func (m *gateMove) under(p point, r population.Rule) (at [2]float64, ok bool) {
	v := m.view
	world := v.Eye.World(p.x, p.y)
	x, y := world.X, world.Y
	switch r := r.(type) {
	case *population.Region:
		ok = (gated{v}).shows(r.Of)
	case *population.Gate:
		axes, shown := gated{v}.axes()
		switch {
		case !shown:
		case r.X.Column == axes[0].Column && r.Y.Column == axes[1].Column:
			x, y, ok = axes[0].to(r.X, x), axes[1].to(r.Y, y), true
		case r.X.Column == axes[1].Column && r.Y.Column == axes[0].Column:
			x, y, ok = axes[1].to(r.X, y), axes[0].to(r.Y, x), true
		}
	}
	return [2]float64{x, y}, ok && x-x == 0 && y-y == 0
}

func (m *gateMove) start(g *Hand) {
	doc := m.view.View.scene.Map.Doc
	p, _ := parts.Populations.Of(doc.State()).Find(m.id)
	what := "gate "
	if _, is := p.Rule.(*population.Region); is {
		what = "region "
	}
	m.view.View.scene.Gating.Chosen = m.id
	doc.Begin("Move " + what + population.Brief(p.Name))
	m.last, _ = m.under(g.press.at, p.Rule)
}

func (m *gateMove) move(g *Hand, _ point) {
	doc := m.view.View.scene.Map.Doc
	tree := parts.Populations.Of(doc.State())
	p, ok := tree.Find(m.id)
	if !ok || !doc.Open() {
		return // taken back meanwhile
	}
	at, ok := m.under(g.Cursor, p.Rule)
	if !ok {
		return
	}
	dx, dy := at[0]-m.last[0], at[1]-m.last[1]
	m.last = at
	switch r := p.Rule.(type) {
	case *population.Region:
		next := r.Moved(m.at, at[0], at[1])
		if m.by != byCorner {
			next = r.Shifted(dx, dy)
		}
		tree = tree.Redefine(m.id, next)
	case *population.Gate:
		switch {
		case m.by == byWhole:
			tree = tree.Redefine(m.id, r.Shifted(dx, dy))
		case m.at >= len(r.Corners()):
			return
		case m.by == bySide:
			tree = tree.Redefine(m.id, r.Slid(m.at, at[0], at[1]))
		default:
			tree = tree.Move(m.id, m.at, at[0], at[1])
		}
	}
	doc.Change(func(s *state.State) { parts.Populations.Put(s, tree) })
}

func (m *gateMove) end(_ *Hand, how ending) {
	if doc := m.view.View.scene.Map.Doc; how == takenBack {
		doc.Cancel()
	} else {
		doc.Commit()
	}
}

// clickGate chooses the gate whose outline a click is on, and says whether there is one.
func (g *Hand) clickGate() bool {
	v, ok := g.At.(*Scatter)
	if !ok {
		return false
	}
	for _, x := range (gated{v}).shown() {
		for _, side := range x.sides() {
			if apartFrom(g.press.at, side[0], side[1]) <= g.Reach {
				v.View.scene.Gating.Chosen = x.ID
				v.View.scene.UI.Refresh()
				return true
			}
		}
	}
	return false
}

// apartFrom is how far a place is from the line between two others.
func apartFrom(p point, a, b imgui.Vec2) float64 {
	ax, ay := float64(a.X), float64(a.Y)
	dx, dy := float64(b.X)-ax, float64(b.Y)-ay
	t := 0.0
	if d := dx*dx + dy*dy; d > 0 {
		t = min(max(((p.x-ax)*dx+(p.y-ay)*dy)/d, 0), 1)
	}
	return math.Hypot(p.x-ax-t*dx, p.y-ay-t*dy)
}
