package ui

import (
	"strings"

	"blossom/ui/view"
)

// toolCommands are a command for each tool of the views.
func toolCommands() (out []*command) {
	for _, t := range view.Tools() {
		out = append(out, &command{id: t.ID, menu: "View", title: t.Title + " tool", help: t.Help,
			keys: []string{t.Key}, icon: t.Icon, checked: func(a *App) bool { return a.tool == t },
			run: func(a *App) { a.setTool(t) }})
	}
	return out
}

// setTool changes what a plain drag in a view does.
func (a *App) setTool(t *view.Tool) {
	a.tool = t
	if a.desk != nil {
		a.desk.Stage.Hand().Tool = t
		a.say(t.Title + ": " + phrase(t.Help))
	}
	if t.Large {
		a.setLandmarks(true)
	}
}

// phrase is a sentence as it stands after a colon.
func phrase(s string) string { return strings.ToLower(s[:1]) + s[1:] }
