package view

import (
	"blossom/assets"
	"blossom/ui/shell"
)

func init() {
	Register(&Tool{ID: "landmarks", Title: "Landmarks", Also: "move connect join edge", Key: "2",
		Help: "Drag moves a landmark, or selects those in a rectangle", Icon: assets.IconCircleDot,
		Landmarks: true, Large: true, Handles: true, Click: (*Hand).clickLandmarks,
		Takes: func(held shell.Mods) bool { return held == 0 || held == shell.Ctrl },
		Press: func(g *Hand) gesture {
			if grabbed := g.grab(); grabbed != nil {
				return grabbed
			}
			with := ofLandmark
			if g.press.mods.Has(shell.Ctrl) {
				with = alone
			}
			if g.press.mods&^shell.Ctrl == 0 {
				if held := g.takeHold(with); held != nil {
					return held
				}
			}
			switch begun, decided := g.onLandmarks(); {
			case decided:
				return begun
			case g.press.id >= 0:
				return g.take()
			case g.At.IsMap():
				return &choose{}
			}
			return &turn{}
		}})
}
