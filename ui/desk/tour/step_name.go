package tour

import (
	"blossom/model/document/parts"
	"blossom/ui/desk"
)

func init() {
	Register(&Step{ID: "name", Order: 60, Title: "Give them a name",
		Words: "Make a population of what is selected: press New population and type what these cells are, or any " +
			"name.",
		Keys: "Ctrl+G, a name, Enter",
		At:   func(*desk.Desk) []string { return []string{"options/New population", "menu bar/Edit"} },
		Begin: func(d *desk.Desk) func() bool {
			least := parts.Populations.Of(d.Doc.State()).Len()
			return func() bool {
				now := parts.Populations.Of(d.Doc.State()).Len()
				least = min(least, now)
				return now > least
			}
		},
		Needs: func(d *desk.Desk) string {
			if !d.Stage.Selected().Empty() || len(d.Stage.Hand().Landmarks.Selected) > 0 {
				return ""
			}
			return "Nothing is selected: draw around some cells with the Select tool first, or skip this."
		}})
}
