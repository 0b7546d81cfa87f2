package ui

import (
	"blossom/model/base/problem"
	"blossom/ui/dialog"
)

// troubled is the problem that is shown, or nil.
func (a *App) troubled() *problem.Problem {
	if t, ok := a.dialogs.Open("problem").(*dialog.Trouble); ok {
		return t.Problem
	}
	return nil
}
