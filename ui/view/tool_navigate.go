package view

import (
	"blossom/assets"
	"blossom/ui/shell"
)

func init() {
	Register(&Tool{ID: "navigate", Title: "Navigate", Help: "Drag moves the view, Ctrl+drag a landmark", Key: "1",
		Icon: assets.IconMove, Landmarks: true, Click: (*Hand).clickLandmarks,
		// Whoever looks around must not change the map by it: a landmark is taken on purpose alone.
		Takes: func(held shell.Mods) bool { return held == shell.Ctrl },
		Press: func(g *Hand) gesture {
			if g.At.Lens().Solid() && g.press.mods == shell.Shift {
				return &pan{}
			}
			if g.press.mods == shell.Ctrl {
				if held := g.takeHold(alone); held != nil {
					return held
				}
			}
			begun, decided := g.onLandmarks()
			if decided {
				return begun
			}
			g.press.passedBy = g.press.id >= 0
			if g.At.Lens().Solid() {
				return &turn{}
			}
			return &pan{}
		}})
}
