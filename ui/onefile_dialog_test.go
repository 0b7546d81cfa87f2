package ui

import (
	"blossom/model/document/state"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

func init() {
	if !oneFile {
		return
	}
	asks := dialog.Register(dialog.Kind[string]{ID: "memo-dialog", Title: "A memo", Width: 300,
		New: func(w dialog.Window, text string) dialog.Dialog { return &memoDialog{w, text} }})
	commands.Add(&entry{ID: "ask-memo", Title: "Ask for a memo", Keys: []string{"Ctrl+Shift+J"}, Enabled: hasMap,
		Run: func(a *App) { asks.Show(a.dialogs, "from the dialog") }})
}

type memoDialog struct {
	w    dialog.Window
	text string
}

func (m *memoDialog) Face() (dialog.Face, bool) {
	return dialog.Face{Buttons: []dialog.Button{{Label: "Cancel"}, {Label: "Write", Kind: widget.Primary, Do: func() {
		m.w.Desk().Doc.Do("Answer", func(s *state.State) { memoPart.Put(s, m.text) })
	}}}}, true
}

func (m *memoDialog) Draw() func() {
	m.w.UI().Note(m.text)
	return nil
}
