package ui

import (
	"time"

	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/documents"
)

// filing is what the user wants in files, and the window that waits for it: it closes when all is written, and stays
// open if one could not be.
type filing struct {
	documents.Filing
	asked   *desk.Desk // a save of it waits in App.waiting
	closing bool       // the window is to close when the last is written
}

// filing says whether something that the user wants in a file is not there yet.
func (a *App) filing() bool {
	f := &a.files
	return f.Busy() || f.asked != nil && f.asked == a.desk && len(a.later.steps) > 0
}

// quit closes the window, at once or when everything is written.
func (a *App) quit() bool {
	f := &a.files
	if f.closing = a.filing(); !f.closing {
		a.ctx.Close()
		return true
	}
	dialog.Closing.Show(a.dialogs, dialog.Saves{
		Progress: func() (path string, done float64, more int, ok bool) {
			a.ctx.Within(50 * time.Millisecond) // it moves by itself
			path, done, more = f.Progress()
			return path, done, more, f.closing
		},
		CloseNow: func() { f.Abandon(); f.asked = nil; a.quit() },
		KeepOpen: func() { f.closing = false }})
	a.ctx.Refresh()
	return false
}
