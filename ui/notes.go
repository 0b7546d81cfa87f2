package ui

import (
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// note shows a message over the map.
func (a *App) note(n desk.Note) {
	t := widget.Toast{Key: n.Text, Text: n.Text}
	if a.desk != nil {
		t.Of = a.desk.Doc
	}
	if n.Sticky {
		t.For = -1
	}
	for _, x := range n.Actions {
		t.Actions = append(t.Actions, widget.ToastAction{Label: x.Label, Do: x.Do})
	}
	a.ui.Toast(t)
}
