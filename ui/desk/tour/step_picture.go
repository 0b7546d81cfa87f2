package tour

import "blossom/ui/desk"

func init() {
	Register(&Step{ID: "picture", Order: 80, Title: "Take it with you",
		Words: "Pictures for papers, tables, films and populations are written from the Export panel. Open it from " +
			"the menu File.",
		Keys: "Ctrl+E",
		At: func(*desk.Desk) []string {
			return []string{"side bar/export", "File/export", "menu bar/File"}
		},
		Begin: func(d *desk.Desk) func() bool { return func() bool { return d.UI.Open["export"] } }})
}
