package ui

import (
	"blossom/ui/view"
)

// active is the view of points that is spoken of, or nil without a map.
func (a *App) active() *view.Scatter {
	if a.desk == nil {
		return nil
	}
	return a.desk.Stage.Scatter()
}
