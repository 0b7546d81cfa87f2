package ui

import (
	"strings"

	"blossom/ui/view"
)

// toolCommands are a command for each tool of the views.
func toolCommands() (out []*entry) {
	for _, t := range view.Tools() {
		out = append(out, &entry{ID: t.ID, Menu: "View", Title: t.Title + " tool", Help: t.Help,
			Also: t.Also, Keys: []string{t.Key}, Icon: t.Icon,
			Checked: func(a *App) bool { return a.tools.now == t },
			Run:     func(a *App) { a.setTool(t) }})
	}
	return out
}

// setTool changes what a plain drag in a view does.
func (a *App) setTool(t *view.Tool) {
	a.tools.now, a.tools.former = t, nil
	if a.desk != nil {
		a.desk.Stage.Hand().Tool = t
		a.say(t.Title + ": " + phrase(t.Help))
	}
	if t.Large {
		a.setLandmarks(true)
	}
}

// formerTool chooses the tool again that was there before one that is for a single stroke.
func (a *App) formerTool() {
	if a.tools.former != nil {
		a.setTool(a.tools.former)
	}
}

// straighten chooses the tool for a stroke that the selected landmarks follow.
func (a *App) straighten() {
	former := a.tools.now
	if a.tools.former != nil {
		former = a.tools.former
	}
	a.setTool(view.Straighten)
	a.tools.former = former
}

// phrase is a sentence as it stands after a colon.
func phrase(s string) string { return strings.ToLower(s[:1]) + s[1:] }
