package orders

import (
	"blossom/assets"
	"blossom/ui/desk"
)

// copyCommands put what is looked at into the clipboard, for other programs.
var copyCommands = []*order{
	{ID: "copy-picture", Menu: "Edit", Title: "Copy picture", Also: "clipboard image png figure slide paste",
		Help: "Put the active view into the clipboard as it is looked at, for slides and texts",
		Keys: []string{"Ctrl+Shift+C"}, Icon: assets.IconImage, Rule: true,
		Enabled: func(d *desk.Desk) bool { return !d.Output.Drawing() },
		Run:     func(d *desk.Desk) { d.Output.CopyPicture() }},
	{ID: "copy-rows", Menu: "Edit", Title: "Copy selected rows",
		Also: "clipboard points table spreadsheet text paste",
		Help: "Put the selected points into the clipboard as a table for spreadsheets: data, coordinates, " +
			"populations and the columns chosen in the Export panel",
		Keys: []string{"Ctrl+C"}, Icon: assets.IconCopy,
		Enabled: func(d *desk.Desk) bool { return !d.Stage.Selected().Empty() },
		Run:     func(d *desk.Desk) { d.Output.CopyRows() }},
}
