package ui

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

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
	a.alignMenu()
	a.ui.ContextMenu("map", func() {
		if a.desk == nil {
			return
		}
		hand := a.desk.Stage.Hand()
		n := len(hand.Selected)
		if m.id >= 0 && n > 0 {
			title := fmt.Sprintf("Landmark %d", m.id+1)
			if n > 1 {
				title = fmt.Sprintf("%d landmarks", n)
			}
			a.ui.MenuTitle(title)
			a.commandItem(commandByID("rename"))
			if n == 1 {
				if a.ui.MenuItem("Duplicate", widget.MenuOpts{Shortcut: "Ctrl+click"}) {
					hand.Duplicate(m.id)
				}
			}
			a.edgeItems(hand.Two())
			a.commandItem(commandByID("pin"))
			a.commandItem(commandByID("straighten"))
			a.commandItem(commandByID("remove"))
			a.arrangeMenu(n)
			a.ui.MenuSeparator()
			a.commandItem(commandByID("select-none"))
			return
		}
		if hand.At == nil {
			return
		}
		if m.id < 0 && hand.Edge.Some() {
			a.ui.MenuTitle(fmt.Sprintf("Edge of landmarks %d and %d", hand.Edge.A+1, hand.Edge.B+1))
			a.edgeItems(hand.Edge)
			a.ui.MenuSeparator()
		}
		if n > 1 { // what is done with them is sought where they are, not only on one of them
			a.ui.MenuTitle(fmt.Sprintf("%d selected landmarks", n))
			a.commandItem(commandByID("pin"))
			a.commandItem(commandByID("straighten"))
			a.commandItem(commandByID("remove"))
			a.arrangeMenu(n)
			a.ui.MenuSeparator()
		}
		if hand.At.IsMap() && a.ui.MenuItem("Add a landmark here", widget.MenuOpts{Shortcut: "Ctrl+click"}) {
			hand.AddAt(m.x, m.y)
		}
		if a.ui.MenuItem("Centre here", widget.MenuOpts{Shortcut: "Middle click"}) {
			hand.At.CentreOn(hand.At.World(m.x, m.y))
		}
		a.commandItem(commandByID("fit"))
		a.ui.MenuSeparator()
		a.commandItem(commandByID("select-all"))
		a.commandItem(commandByID("show-landmarks"))
		a.commandItem(commandByID("show-names"))
		a.commandItem(commandByID("show-legend"))
		a.commandItem(commandByID("show-tree"))
	})
}

// edgeItems are what can be done with the edge of two landmarks, whether there is one or not.
func (a *App) edgeItems(p view.Pair) {
	if !p.Some() {
		return
	}
	hand := a.desk.Stage.Hand()
	joined, locked := hand.Joined(p)
	if !joined {
		if a.ui.MenuItem("Join", widget.MenuOpts{}) {
			hand.JoinEdge(p)
		}
		return
	}
	if a.ui.MenuItem("Cut edge", widget.MenuOpts{}) {
		hand.CutEdge(p)
	}
	word := "Lock edge"
	if locked {
		word = "Unlock edge"
	}
	if a.ui.MenuItem(word, widget.MenuOpts{}) {
		hand.LockEdge(p, !locked)
	}
}
