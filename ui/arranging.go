package ui

import (
	"blossom/model/landmarks/landmark"
	"blossom/ui/widget"
)

// arrangements are what can be done to the places of several selected landmarks, in the order of the menu.
var arrangements = []struct {
	id, title, help string
	across          bool // along the screen's x, else y
	to              landmark.Side
	least           int
}{
	{"align-left", "Align left", "Put the selected landmarks on one vertical line, at the leftmost", true,
		landmark.Lowest, 2},
	{"align-centre", "Align centres", "Put the selected landmarks on one vertical line, in their middle", true,
		landmark.Middle, 2},
	{"align-right", "Align right", "Put the selected landmarks on one vertical line, at the rightmost", true,
		landmark.Highest, 2},
	{"align-top", "Align top", "Put the selected landmarks on one level line, at the topmost", false,
		landmark.Highest, 2},
	{"align-middle", "Align middles", "Put the selected landmarks on one level line, in their middle", false,
		landmark.Middle, 2},
	{"align-bottom", "Align bottom", "Put the selected landmarks on one level line, at the lowest", false,
		landmark.Lowest, 2},
	{"distribute-across", "Distribute across", "Make the gaps from left to right even; the outermost landmarks stay",
		true, -1, 3},
	{"distribute-down", "Distribute down", "Make the gaps from top to bottom even; the outermost landmarks stay",
		false, -1, 3},
}

func init() {
	several := func(n int) func(*App) bool {
		return func(a *App) bool { return a.desk != nil && len(a.desk.Stage.Hand().Landmarks.Selected) >= n }
	}
	for _, x := range arrangements {
		commands.Add(&entry{ID: x.id, Title: x.title, Help: x.help, Below: "rename", Enabled: several(x.least),
			Run: func(a *App) {
				if x.to < 0 {
					hand := a.desk.Stage.Hand()
					hand.Landmarks.Distribute(hand.Map, x.title, x.across)
					return
				}
				hand := a.desk.Stage.Hand()
				hand.Landmarks.Align(hand.Map, x.title, x.across, x.to)
			}})
	}
	commands.Add(&entry{ID: "split-landmarks", Menu: "Edit", Below: "rename", Title: "Split landmarks",
		Help: "Make two of each selected landmark, joined to the same neighbours", Enabled: hasSelection,
		Run: func(a *App) { a.desk.Stage.Hand().Landmarks.SplitSelected() }})
	commands.Add(&entry{ID: "cut-from-rest", Menu: "Edit", Below: "rename", Title: "Cut from the rest",
		Help: "Cut every edge of the graph between the selected landmarks and the others", Also: "edges part separate",
		Enabled: hasSelection, Run: func(a *App) { a.desk.Stage.Hand().Landmarks.CutFromRest() }})
	commands.Add(&entry{ID: "merge-landmarks", Menu: "Edit", Below: "rename", Title: "Merge landmarks",
		Help: "Make one landmark of those selected, in their middle", Enabled: several(2), Rule: true,
		Run: func(a *App) { a.desk.Stage.Hand().Landmarks.MergeSelected() }})
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
		for _, x := range arrangements {
			if x.id == "distribute-across" {
				e.u.MenuSeparator()
			}
			e.commands(x.id)
		}
	})
}
