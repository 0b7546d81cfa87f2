package ui

import (
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/panel"
	"blossom/ui/widget"
)

func init() {
	if !oneFile {
		return
	}
	panel.Register(panel.Kind{ID: "memo", Title: "Memo", Help: "A line of text", Key: "Alt+M", Order: 130, Closed: true,
		New: func(d *desk.Desk) panel.Panel { return memos{d} }})
}

type memos struct{ *desk.Desk }

func (p memos) Note() string { return memoPart.Of(p.Doc.State()) }

func (p memos) Draw() {
	if p.UI.Button("Write", widget.ButtonOpts{}) {
		p.Doc.Do("Write a memo", func(s *state.State) { memoPart.Put(s, "from the panel") })
	}
}
