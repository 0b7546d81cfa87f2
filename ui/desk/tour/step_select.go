package tour

import (
	"blossom/model/document/parts"
	"blossom/ui/desk"
	"blossom/ui/view"
)

func init() {
	Register(&Step{ID: "select", Order: 50, Title: "Draw around some cells",
		Words: "Take the Select tool and draw a line around a group of cells. The bar above the map says how many " +
			"they are.",
		Keys: "4, then Ctrl+A selects all",
		At: func(d *desk.Desk) []string {
			if d.Stage.Hand().Tool == view.ToolByID("select") {
				return []string{SpotMap}
			}
			return []string{"tools/select"}
		},
		Begin: func(d *desk.Desk) func() bool {
			from := parts.Selection.Rev(d.Doc.State())
			return func() bool {
				return !d.Stage.Selected().Empty() && parts.Selection.Rev(d.Doc.State()) != from
			}
		}})
}
