package view

import (
	"blossom/assets"
	"blossom/ui/shell"
)

func init() {
	Register(&Tool{ID: "navigate", Title: "Navigate", Help: "Drag moves the view", Key: "1", Icon: assets.IconMove,
		Landmarks: true, Click: (*Hand).clickLandmarks,
		Press: func(g *Hand) gesture {
			if g.At.Solid() && g.mods.Has(shell.Shift) && !g.mods.Has(shell.Ctrl) {
				return &pan{}
			}
			switch begun, decided := g.onLandmarks(); {
			case decided:
				return begun
			case g.At.Solid():
				return &turn{}
			case g.id >= 0:
				return g.take()
			}
			return &pan{}
		}})
}
