package ui

import (
	"blossom/model/live"
	"blossom/ui/view"
)

// active is the view of points that is spoken of, or nil without a map.
func (a *App) active() *view.Scatter {
	if a.desk == nil {
		return nil
	}
	return a.desk.Stage.Scatter()
}

// current is the map of the open document, or nil.
func (a *App) current() *live.Map {
	if a.desk == nil {
		return nil
	}
	return a.desk.Map
}
