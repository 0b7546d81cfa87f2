package ui

import (
	"blossom/assets"
	"blossom/ui/desk"
	"blossom/ui/dock"
	"blossom/ui/widget"
)

func init() {
	if !oneFile {
		return
	}
	dock.Register(dock.Kind{ID: "wide", Title: "Wide memo", Help: "The memo over the whole width", Key: "Alt+W",
		Icon: assets.IconTable, Order: 130, Height: 120, New: func(d *desk.Desk) dock.Dock { return wide{d} }})
}

type wide struct{ *desk.Desk }

func (w wide) Head() widget.DockHead {
	return widget.DockHead{Note: memoPart.Of(w.Doc.State()), Actions: []widget.DockAction{
		{ID: "forget", Label: "Forget", Icon: assets.IconTrash2}}}
}

func (w wide) Act(id string, _ widget.Rect) { w.Window.Say(id) }

func (w wide) Draw(r widget.Rect) { w.UI.Mark("wide body", r) }
