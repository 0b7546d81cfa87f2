package ui

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/orders"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// mapMenu is the menu of what can be done at a place of the map.
type mapMenu struct {
	x, y  float64
	id    int
	asked bool

	aligns bool // the menu of alignments has been asked for
}

// open is called by a right click; the menu opens in this frame.
func (m *mapMenu) open(x, y float64, id int) { m.x, m.y, m.id, m.asked = x, y, id, true }

func (a *App) mapMenu() {
	m := &a.menu
	if m.asked {
		m.asked = false
		a.ui.OpenMenuAt("map", imgui.Vec2{X: float32(m.x), Y: float32(m.y)})
	}
	e := mapEntries{a, a.ui, m}
	e.alignments()
	a.ui.ContextMenu("map", func() {
		switch {
		case a.desk == nil:
		case m.id >= 0 && len(a.desk.Stage.Hand().Landmarks.Selected) > 0:
			e.ofLandmark()
		case a.desk.Stage.Hand().At != nil:
			e.ofPlace()
		}
	})
}

// mapEntries are the entries of the map's menu, of one frame.
type mapEntries struct {
	a    *App
	u    *widget.UI
	menu *mapMenu
}

// commands are entries of commands, by their IDs.
func (e mapEntries) commands(ids ...string) {
	for _, id := range ids {
		e.a.commandItem(commandByID(id))
	}
}

// ofLandmark are the entries on a landmark, for all that are selected.
func (e mapEntries) ofLandmark() {
	hand := e.a.desk.Stage.Hand()
	n := len(hand.Landmarks.Selected)
	title := fmt.Sprintf("Landmark %d", e.menu.id+1)
	if n > 1 {
		title = fmt.Sprintf("%d landmarks", n)
	}
	e.u.MenuTitle(title)
	e.commands("rename")
	if n == 1 && e.u.MenuItem("Duplicate", widget.MenuOpts{Shortcut: "Ctrl+click"}) {
		hand.Landmarks.Duplicate(hand.At, e.menu.id, view.Aside*hand.Reach)
	}
	e.ofEdge(hand.Landmarks.Two())
	e.commands("pin", "straighten", "remove")
	e.ofSeveral(n)
	e.u.MenuSeparator()
	e.commands("select-none")
}

// ofPlace are the entries on a place without a landmark.
func (e mapEntries) ofPlace() {
	hand := e.a.desk.Stage.Hand()
	if e.menu.id < 0 && hand.Edge.Some() {
		e.u.MenuTitle(fmt.Sprintf("Edge of landmarks %d and %d", hand.Edge.A+1, hand.Edge.B+1))
		e.ofEdge(hand.Edge)
		e.u.MenuSeparator()
	}
	if n := len(hand.Landmarks.Selected); n > 1 { // they are sought where they are, not only on one of them
		e.u.MenuTitle(fmt.Sprintf("%d selected landmarks", n))
		e.commands("pin", "straighten", "remove")
		e.ofSeveral(n)
		e.u.MenuSeparator()
	}
	if hand.At.IsMap() && e.u.MenuItem("Add a landmark here", widget.MenuOpts{Shortcut: "Ctrl+click"}) {
		hand.Landmarks.AddAt(hand.At, e.menu.x, e.menu.y)
	}
	if e.u.MenuItem("Centre here", widget.MenuOpts{Shortcut: "Middle click"}) {
		hand.At.Lens().CentreOn(hand.At.Lens().World(e.menu.x, e.menu.y))
	}
	e.commands("fit")
	e.u.MenuSeparator()
	e.commands("select-all", "show-landmarks", "show-names", "show-legend", "show-tree")
}

// ofEdge is what can be done with the edge of two landmarks, whether there is one or not.
func (e mapEntries) ofEdge(p view.Pair) {
	if !p.Some() {
		return
	}
	hand := e.a.desk.Stage.Hand()
	joined, locked := hand.Landmarks.Joined(p)
	if !joined {
		if e.u.MenuItem("Join", widget.MenuOpts{}) {
			hand.Landmarks.JoinEdge(p)
		}
		return
	}
	if e.u.MenuItem("Cut edge", widget.MenuOpts{}) {
		hand.Landmarks.CutEdge(p)
	}
	word := "Lock edge"
	if locked {
		word = "Unlock edge"
	}
	if e.u.MenuItem(word, widget.MenuOpts{}) {
		hand.Landmarks.LockEdge(p, !locked)
	}
}

// ofSeveral are the entries for several landmarks.
func (e mapEntries) ofSeveral(n int) {
	e.u.MenuSeparator()
	if n > 1 {
		e.commands("merge-landmarks")
	}
	e.commands("split-landmarks", "cut-from-rest")
	if n < 2 {
		return
	}
	if e.u.MenuItem("Align…", widget.MenuOpts{Tip: "Put the selected landmarks on a line, or at even distances"}) {
		e.menu.aligns = true
	}
}

// alignments is the menu of alignments; it opens where the one that it was chosen from was.
func (e mapEntries) alignments() {
	if e.menu.aligns {
		e.menu.aligns = false
		e.u.OpenMenu("align")
	}
	e.u.ContextMenu("align", func() {
		for _, id := range orders.Alignments() {
			if id == "distribute-across" {
				e.u.MenuSeparator()
			}
			e.commands(id)
		}
	})
}
