package orders

import (
	"blossom/model/landmarks/landmark"
	"blossom/ui/desk"
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

// Alignments are the IDs of the commands that put landmarks on a line or at even distances, in the order of their menu.
func Alignments() (ids []string) {
	for _, x := range arrangements {
		ids = append(ids, x.id)
	}
	return ids
}

// arrangeCommands are those for several landmarks.
func arrangeCommands() (out []*order) {
	several := func(n int) func(*desk.Desk) bool {
		return func(d *desk.Desk) bool { return len(d.Stage.Hand().Landmarks.Selected) >= n }
	}
	for _, x := range arrangements {
		out = append(out, &order{ID: x.id, Title: x.title, Help: x.help, Below: "rename", Enabled: several(x.least),
			Run: func(d *desk.Desk) {
				hand := d.Stage.Hand()
				if x.to < 0 {
					hand.Landmarks.Distribute(hand.Map, x.title, x.across)
					return
				}
				hand.Landmarks.Align(hand.Map, x.title, x.across, x.to)
			}})
	}
	return append(out, &order{ID: "split-landmarks", Menu: "Edit", Below: "rename", Title: "Split landmarks",
		Help: "Make two of each selected landmark, joined to the same neighbours", Enabled: hasSelection,
		Run: func(d *desk.Desk) { d.Stage.Hand().Landmarks.SplitSelected() }},
		&order{ID: "cut-from-rest", Menu: "Edit", Below: "rename", Title: "Cut from the rest",
			Help: "Cut every edge of the graph between the selected landmarks and the others",
			Also: "edges part separate", Enabled: hasSelection,
			Run: func(d *desk.Desk) { d.Stage.Hand().Landmarks.CutFromRest() }},
		&order{ID: "merge-landmarks", Menu: "Edit", Below: "rename", Title: "Merge landmarks",
			Help: "Make one landmark of those selected, in their middle", Enabled: several(2), Rule: true,
			Run: func(d *desk.Desk) { d.Stage.Hand().Landmarks.MergeSelected() }})
}
