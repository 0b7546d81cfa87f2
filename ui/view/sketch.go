package view

import (
	"image/color"
	"math"

	"blossom/render/camera"
	"blossom/render/palette"
)

// Sketch draws a small picture of the whole view, as the eye has turned it, of at most so many of its points: x and y
// from 0 to 1 in a picture of that width to height, from the left and from the top. It draws nothing while the
// positions are not at hand.
func (v *Scatter) Sketch(most int, ratio float64, dot func(x, y float32, c color.NRGBA)) {
	points, ok := v.SelectionPoints()
	if !ok || v.field == nil {
		return
	}
	n, d := min(most, v.field.Shown()), points.Dims // the points are in a random order: the first are a fair sample
	x, y := make([]float64, n), make([]float64, n)
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range n {
		p := points.Pos[i*d : (i+1)*d]
		at := camera.Vec{X: float64(p[0]), Y: float64(p[1])}
		if d > 2 {
			at.Z = float64(p[2])
		}
		var ok bool
		if x[i], y[i], ok = v.Eye.Cam.ScreenFromWorld(at); !ok || x[i]-x[i] != 0 || y[i]-y[i] != 0 {
			x[i] = math.NaN()
			continue
		}
		lo[0], hi[0] = min(lo[0], x[i]), max(hi[0], x[i])
		lo[1], hi[1] = min(lo[1], y[i]), max(hi[1], y[i])
	}
	size := max((hi[0]-lo[0])/ratio, hi[1]-lo[1], 1e-9) / 0.94 // the height of the picture
	c := v.Colouring()
	var table palette.Table
	c.Fill(&table)
	lookup := c.Lookup()
	for i := range n {
		if x[i] != x[i] {
			continue
		}
		entry := uint16(0)
		switch {
		case lookup.Mode == palette.ModeFlat:
		case v.Colours.Values == nil || i >= len(v.Colours.Numbers):
			entry = palette.MissingEntry
		default:
			entry = lookup.Entry(v.Colours.Numbers[i])
		}
		dot(float32(0.5+(x[i]-(lo[0]+hi[0])/2)/(size*ratio)), float32(0.5+(y[i]-(lo[1]+hi[1])/2)/size), table[entry])
	}
}
