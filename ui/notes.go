package ui

import "blossom/ui/widget"

// note is a message over the map, with what can be done about it.
type note struct {
	text    string
	sticky  bool
	actions []action
}

type action struct {
	label string
	do    func()
}

// note shows a message over the map for a while, at most as long as the open document is there: what it offers would
// act on another one.
func (a *App) note(n note) {
	t := widget.Toast{Key: n.text, Text: n.text}
	if a.desk != nil {
		t.Of = a.desk.Doc
	}
	if n.sticky {
		t.For = -1
	}
	for _, x := range n.actions {
		t.Actions = append(t.Actions, widget.ToastAction{Label: x.label, Do: x.do})
	}
	a.ui.Toast(t)
}
