package ui

import (
	"blossom/model/live"
	"blossom/ui/view"
)

// active is the active view, or nil without a map.
func (a *App) active() *view.View {
	if a.desk == nil {
		return nil
	}
	return a.desk.Stage.Active()
}

// current is the map of the open document, or nil.
func (a *App) current() *live.Map {
	if a.desk == nil {
		return nil
	}
	return a.desk.Map
}
