package tour

import "blossom/ui/desk"

func init() {
	Register(&Step{ID: "undo", Order: 40, Title: "Undo it",
		Words: "Nothing that you try is lost: every change is in the history, and can be undone and done again. Undo " +
			"the last one.",
		Keys: "Ctrl+Z, and Ctrl+Shift+Z does it again",
		At:   func(*desk.Desk) []string { return []string{"tools/undo", "menu bar/Edit"} },
		Begin: func(d *desk.Desk) func() bool {
			most := d.Doc.History().Done()
			return func() bool {
				now := d.Doc.History().Done()
				most = max(most, now)
				return now < most
			}
		},
		Needs: func(d *desk.Desk) string {
			if h := d.Doc.History(); h.CanUndo() != "" || h.CanRedo() != "" {
				return ""
			}
			return "There is nothing to undo yet: go back and move a landmark, or skip this."
		}})
}
