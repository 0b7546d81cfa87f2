package view

import "blossom/assets"

func init() {
	Register(&Tool{ID: "landmarks", Title: "Landmarks", Help: "Drag selects landmarks", Key: "2",
		Icon: assets.IconCircleDot, Landmarks: true, Large: true, Click: (*Hand).clickLandmarks,
		Press: func(g *Hand) gesture {
			switch begun, decided := g.onLandmarks(); {
			case decided:
				return begun
			case g.id >= 0:
				return g.take()
			case g.At.IsMap():
				return &choose{}
			}
			return &turn{}
		}})
}
