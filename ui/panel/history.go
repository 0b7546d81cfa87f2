package panel

import (
	"fmt"

	"blossom/assets"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "history", Title: "History", Key: "Alt+H", Order: 110, Closed: true,
		Help: "Every change of the map, to go back to", New: func(d *desk.Desk) Panel { return history{d} }})
}

type history struct{ *desk.Desk }

// historyRows bounds the entries listed: the latest ones, around the present.
const historyRows = 40

func (p history) Note() string {
	if n := p.Doc.History().Done(); n > 0 {
		return fmt.Sprint(n)
	}
	return ""
}

func (p history) Draw() {
	u, h := p.UI, p.Doc.History()
	undo, redo := p.Window.Command("undo"), p.Window.Command("redo")
	if u.Button("Undo", widget.ButtonOpts{Icon: assets.IconUndo2, Tip: undo.Tip, Disabled: !undo.Can}) {
		undo.Run()
	}
	u.Same()
	if u.Button("Redo", widget.ButtonOpts{Icon: assets.IconRedo2, Tip: redo.Tip, Disabled: !redo.Can}) {
		redo.Run()
	}
	u.Space(6)
	last := min(h.Len(), h.Done()+historyRows/2)
	first := max(0, last-historyRows)
	for i := last - 1; i >= first; i-- {
		if u.Row(fmt.Sprintf("%s##%d", h.Name(i), i), widget.RowOpts{Selected: i == h.Done()-1, Dim: i >= h.Done(),
			Tip: "Go to the state after this change"}).Clicked {
			p.goTo(i+1, undo.Run, redo.Run)
			return
		}
	}
	if first > 0 {
		u.Note(fmt.Sprintf("… and %s earlier", widget.Grouped(first)))
	}
	if u.Row("Opened "+p.Doc.Title+"##start", widget.RowOpts{Selected: h.Done() == 0,
		Tip: "Go back to the beginning"}).Clicked {
		p.goTo(0, undo.Run, redo.Run)
	}
}

// goTo undoes or redoes until so many entries are done.
func (p history) goTo(done int, undo, redo func()) {
	for i := p.Doc.History().Done(); i > done; i-- {
		undo()
	}
	for i := p.Doc.History().Done(); i < done; i++ {
		redo()
	}
}
