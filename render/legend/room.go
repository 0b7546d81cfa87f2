package legend

import (
	"blossom/render/camera"
	"blossom/render/pen"
)

// Room says whether a map that is fitted leaves room for its legend.
type Room uint8

// Room for legends.
const (
	RoomThatSuits Room = iota // always for a list of names; for a bar where the map stays about as large
	RoomAlways
	RoomNever
)

// A map must become staysAside times as large to lie at another side of its legend, and keeps barKeeps of its size
// beside a bar, or lies under it.
const staysAside, barKeeps = 1.15, 0.8

// Aside returns the margins that a legend is left by the rule r: none, or those of aside. names says whether it is a
// list of names.
func (r Room) Aside(names bool, legend pen.Rect, w, h float64, b camera.Bounds,
	stays func(camera.Margins) bool) camera.Margins {
	if r == RoomNever {
		return camera.Margins{}
	}
	m, keeps := aside(legend, w, h, b, stays)
	if r == RoomThatSuits && !names && keeps < barKeeps {
		return camera.Margins{}
	}
	return m
}

// aside returns the margins within which a map with the box b lies beside a legend in a view of w x h pixels: a strip
// at the side where the map loses least by it. The side that stays accepts is kept unless another is much better, so
// that a map that forms does not leap to and fro; nil: none is. keeps is how much of its size it has there.
func aside(legend pen.Rect, w, h float64, b camera.Bounds, stays func(camera.Margins) bool) (best camera.Margins,
	keeps float64) {
	wide, high := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y
	if b.Max.Z > b.Min.Z || !(wide > 0 && high > 0) { // a ball, which is turned
		wide, high = 1, 1
	}
	most := 0.0
	for _, m := range []camera.Margins{{Left: legend.X1}, {Bottom: h - legend.Y0}, {Right: w - legend.X0},
		{Top: legend.Y1}} {
		size := min((w-m.Left-m.Right)/wide, (h-m.Top-m.Bottom)/high)
		as := size
		if stays != nil && stays(m) {
			as *= staysAside
		}
		if as > most {
			best, most, keeps = m, as, size/min(w/wide, h/high)
		}
	}
	return best, keeps
}
