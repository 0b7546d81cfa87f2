package legend

import (
	"blossom/render/camera"
	"blossom/render/pen"
)

// Room says whether a map that is fitted leaves room for its legend.
type Room uint8

// Room for legends.
const (
	RoomForNames Room = iota // for a list of names, which would hide much of the map; a bar lies over it
	RoomAlways
	RoomNever
)

// Left says whether room is left for a legend, which is a list of names or not.
func (r Room) Left(names bool) bool { return r == RoomAlways || r == RoomForNames && names }

// staysAside is how much larger a map must become to lie at another side of its legend.
const staysAside = 1.15

// Aside returns the margins within which a map with the box b lies beside a legend in a view of w x h pixels: a strip
// at the side where the map loses least by it. The side that stays accepts is kept unless another is much better, so
// that a map that forms does not leap to and fro; nil: none is.
func Aside(legend pen.Rect, w, h float64, b camera.Bounds, stays func(camera.Margins) bool) (best camera.Margins) {
	wide, high := b.Max.X-b.Min.X, b.Max.Y-b.Min.Y
	if b.Max.Z > b.Min.Z || !(wide > 0 && high > 0) { // a ball, which is turned
		wide, high = 1, 1
	}
	most := 0.0
	for _, m := range []camera.Margins{{Left: legend.X1}, {Bottom: h - legend.Y0}, {Right: w - legend.X0},
		{Top: legend.Y1}} {
		size := min((w-m.Left-m.Right)/wide, (h-m.Top-m.Bottom)/high)
		if stays != nil && stays(m) {
			size *= staysAside
		}
		if size > most {
			best, most = m, size
		}
	}
	return best
}
