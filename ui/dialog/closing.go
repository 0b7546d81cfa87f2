package dialog

import (
	"fmt"

	"blossom/ui/widget"
)

// Saves are files that are written before the window closes.
type Saves struct {
	// Progress is the file that is being written, "" while that gets ready, how much of it is, and how many wait. It is
	// not ok when nothing is to be waited for any more.
	Progress func() (path string, done float64, more int, ok bool)
	CloseNow func() // without what is not written
	KeepOpen func()
}

// Closing is shown while the window waits to close.
var Closing = Register(Kind[Saves]{ID: "closing", Title: "Saving before the window closes", Width: 460,
	New: func(w Window, s Saves) Dialog { return &closing{w: w, Saves: s} }})

type closing struct {
	Saves
	w    Window
	path string // the last one that was written
	done float64
	more int
}

func (c *closing) Face() (f Face, ok bool) {
	path, done, more, ok := c.Progress()
	if c.done, c.more = done, more; path != "" {
		c.path = path
	}
	f.Buttons = []Button{{Label: "Close now", Do: c.CloseNow,
		Tip: "Close without writing the file. The work is kept, and offered next time"},
		{Label: "Keep open", Kind: widget.Primary, Do: c.KeepOpen, Tip: "Go on saving, and leave the window open"}}
	f.Cancel = c.KeepOpen
	return f, ok
}

func (c *closing) Draw() func() {
	u := c.w.UI()
	u.Wrapped(widget.Strong, u.Theme().Text, c.path)
	u.Space(8)
	u.Progress(float32(c.done), 0)
	text := "getting ready"
	if c.done > 0 {
		text = fmt.Sprintf("%.0f %%", 100*c.done)
	}
	if c.more > 0 {
		text += fmt.Sprintf(", and %d more", c.more)
	}
	u.Space(4)
	u.Wrapped(widget.Body, u.Theme().Muted, text)
	return nil
}
