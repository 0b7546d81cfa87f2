package ui

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/desk"
	"blossom/ui/orders"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// mapMenu is the menu of what can be done at a place of the map.
type mapMenu struct {
	u     *widget.UI
	items func(ids ...string) // draws entries of commands

	desk  *desk.Desk // the desk of this frame; nil without a document
	x, y  float64
	id    int
	asked bool

	aligns bool // the menu of alignments has been asked for
}

// open is called by a right click; the menu opens in this frame.
func (m *mapMenu) open(x, y float64, id int) { m.x, m.y, m.id, m.asked = x, y, id, true }

// draw draws the menu while it is open.
func (m *mapMenu) draw(d *desk.Desk) {
	m.desk = d
	if m.asked {
		m.asked = false
		m.u.OpenMenuAt("map", imgui.Vec2{X: float32(m.x), Y: float32(m.y)})
	}
	m.alignments()
	m.u.ContextMenu("map", func() {
		switch {
		case m.desk == nil:
		case m.id >= 0 && len(m.desk.Stage.Hand().Landmarks.Selected) > 0:
			m.ofLandmark()
		case m.desk.Stage.Hand().At != nil:
			m.ofPlace()
		}
	})
}

// ofLandmark are the entries on a landmark, for all that are selected.
func (m *mapMenu) ofLandmark() {
	hand := m.desk.Stage.Hand()
	n := len(hand.Landmarks.Selected)
	title := fmt.Sprintf("Landmark %d", m.id+1)
	if n > 1 {
		title = fmt.Sprintf("%d landmarks", n)
	}
	m.u.MenuTitle(title)
	m.items("rename")
	if n == 1 && m.u.MenuItem("Duplicate", widget.MenuOpts{Shortcut: "Ctrl+click"}) {
		hand.Landmarks.Duplicate(hand.At, m.id, view.Aside*hand.Reach)
	}
	m.ofEdge(hand.Landmarks.Two())
	m.items("pin", "straighten", "remove")
	m.ofSeveral(n)
	m.u.MenuSeparator()
	m.ofPoints()
	m.items("select-none")
}

// ofPoints are the entries for the points that are selected, sought anywhere on the map as landmarks are.
func (m *mapMenu) ofPoints() {
	n := m.desk.Stage.Selected().Count()
	if n == 0 {
		return
	}
	m.u.MenuTitle(fmt.Sprintf("%s selected %ss", widget.Grouped(n), m.desk.Doc.Data.PointWord()))
	m.items("new-population", "pin-points", "invert", "no-points")
	m.u.MenuSeparator()
}

// ofPlace are the entries on a place without a landmark.
func (m *mapMenu) ofPlace() {
	hand := m.desk.Stage.Hand()
	if m.id < 0 && hand.Edge.Some() {
		m.u.MenuTitle(fmt.Sprintf("Edge of landmarks %d and %d", hand.Edge.A+1, hand.Edge.B+1))
		m.ofEdge(hand.Edge)
		m.u.MenuSeparator()
	}
	if n := len(hand.Landmarks.Selected); n > 1 { // they are sought where they are, not only on one of them
		m.u.MenuTitle(fmt.Sprintf("%d selected landmarks", n))
		m.items("pin", "straighten", "remove")
		m.ofSeveral(n)
		m.u.MenuSeparator()
	}
	m.ofPoints()
	if hand.At.IsMap() && m.u.MenuItem("Add a landmark here", widget.MenuOpts{Shortcut: "Ctrl+click"}) {
		hand.Landmarks.AddAt(hand.At, m.x, m.y)
	}
	if m.u.MenuItem("Centre here", widget.MenuOpts{Shortcut: "Middle click"}) {
		hand.At.Lens().CentreOn(hand.At.Lens().World(m.x, m.y))
	}
	m.items("fit")
	m.u.MenuSeparator()
	m.items("select-all", "show-landmarks", "show-names", "show-legend", "show-tree")
}

// ofEdge is what can be done with the edge of two landmarks, whether there is one or not.
func (m *mapMenu) ofEdge(p view.Pair) {
	if !p.Some() {
		return
	}
	hand := m.desk.Stage.Hand()
	joined, locked := hand.Landmarks.Joined(p)
	if !joined {
		if m.u.MenuItem("Join", widget.MenuOpts{}) {
			hand.Landmarks.JoinEdge(p)
		}
		return
	}
	if m.u.MenuItem("Cut edge", widget.MenuOpts{}) {
		hand.Landmarks.CutEdge(p)
	}
	word := "Lock edge"
	if locked {
		word = "Unlock edge"
	}
	if m.u.MenuItem(word, widget.MenuOpts{}) {
		hand.Landmarks.LockEdge(p, !locked)
	}
}

// ofSeveral are the entries for several landmarks.
func (m *mapMenu) ofSeveral(n int) {
	m.u.MenuSeparator()
	if n > 1 {
		m.items("merge-landmarks")
	}
	m.items("split-landmarks", "cut-from-rest")
	if n < 2 {
		return
	}
	if m.u.MenuItem("Align…", widget.MenuOpts{Tip: "Put the selected landmarks on a line, or at even distances"}) {
		m.aligns = true
	}
}

// alignments is the menu of alignments; it opens where the one that it was chosen from was.
func (m *mapMenu) alignments() {
	if m.aligns {
		m.aligns = false
		m.u.OpenMenu("align")
	}
	m.u.ContextMenu("align", func() {
		for _, id := range orders.Alignments() {
			if id == "distribute-across" {
				m.u.MenuSeparator()
			}
			m.items(id)
		}
	})
}
