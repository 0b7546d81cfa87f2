package ui

import (
	"fmt"

	"blossom/assets"
	"blossom/ui/widget"
)

// historyRows bounds the entries listed: the latest ones, around the present.
const historyRows = 40

func (a *App) historyNote() string {
	if n := a.m.Doc.History().Done(); n > 0 {
		return fmt.Sprint(n)
	}
	return ""
}

func (a *App) historyPanel() {
	h := a.m.Doc.History()
	undo, redo := commandByID("undo"), commandByID("redo")
	if a.ui.Button("Undo", widget.ButtonOpts{Icon: assets.IconUndo2, Tip: undo.tip(), Disabled: !undo.can(a)}) {
		a.undo()
	}
	a.ui.Same()
	if a.ui.Button("Redo", widget.ButtonOpts{Icon: assets.IconRedo2, Tip: redo.tip(), Disabled: !redo.can(a)}) {
		a.redo()
	}
	a.ui.Space(6)
	last := min(h.Len(), h.Done()+historyRows/2)
	first := max(0, last-historyRows)
	for i := last - 1; i >= first; i-- {
		if a.ui.Row(fmt.Sprintf("%s##%d", h.Name(i), i), widget.RowOpts{Selected: i == h.Done()-1, Dim: i >= h.Done(),
			Tip: "Go to the state after this change"}).Clicked {
			a.goTo(i + 1)
			return
		}
	}
	if first > 0 {
		a.ui.Note(fmt.Sprintf("… and %s earlier", grouped(first)))
	}
	if a.ui.Row("Opened "+a.m.Doc.Title+"##start", widget.RowOpts{Selected: h.Done() == 0,
		Tip: "Go back to the beginning"}).Clicked {
		a.goTo(0)
	}
}
