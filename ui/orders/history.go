package orders

import (
	"blossom/assets"
	"blossom/ui/desk"
)

// historyCommands go back and forth in the history.
var historyCommands = []*order{
	{ID: "undo", Menu: "Edit", Title: "Undo", Help: "Take back the last change", Keys: []string{"Ctrl+Z"},
		Icon: assets.IconUndo2, Repeat: true,
		Enabled: func(d *desk.Desk) bool { return d.Doc.History().CanUndo() != "" },
		Object:  func(d *desk.Desk) string { return d.Doc.History().CanUndo() }, Run: undo},
	{ID: "redo", Menu: "Edit", Title: "Redo", Help: "Do again what was taken back",
		Keys: []string{"Ctrl+Shift+Z", "Ctrl+Y"}, Icon: assets.IconRedo2, Repeat: true,
		Enabled: func(d *desk.Desk) bool { return d.Doc.History().CanRedo() != "" },
		Object:  func(d *desk.Desk) string { return d.Doc.History().CanRedo() }, Run: redo},
}

func undo(d *desk.Desk) {
	d.Moving(func() {
		d.Keep() // where a run has come to is there again when it is done again
		if name := d.Doc.Undo(); name != "" {
			d.Window.Say("undone: " + name)
		}
	})
}

func redo(d *desk.Desk) {
	d.Moving(func() {
		if name := d.Doc.Redo(); name != "" {
			d.Window.Say("done again: " + name)
		}
	})
}
