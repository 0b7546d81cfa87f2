package documents

import (
	"time"

	"blossom/ui/dialog"
)

// Quit closes the window, at once or when everything is written, and says whether it is closed. It stays open if
// something could not be written.
func (d *Documents) Quit() bool {
	s := &d.Saving
	if d.closing = s.Busy(); !d.closing {
		d.context.Close()
		return true
	}
	dialog.Closing.Show(d.dialogs, dialog.Saves{
		Progress: func() (path string, done float64, more int, ok bool) {
			d.context.Within(50 * time.Millisecond) // it moves by itself
			path, done, more = s.Files.Progress()
			return path, done, more, d.closing
		},
		CloseNow: func() { s.abandon(); d.Quit() },
		KeepOpen: func() { d.closing = false }})
	d.context.Refresh()
	return false
}
