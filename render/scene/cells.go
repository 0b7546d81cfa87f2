package scene

import (
	"image/color"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/graph"
	"blossom/render"
	"blossom/render/legend"
)

// Cells is a U-matrix as patches behind the points of a flat map: around each landmark the places that are nearest to
// it, the darker the farther its landmark is, in the space of the data, from those that it is joined to.
type Cells struct {
	Lo, Hi  float64
	Patches []render.Cell
	theme   render.Theme
}

// CellsOf returns the patches of a graph over positions of 2 coordinates.
func CellsOf(g graph.Graph, pos matrix.Matrix32, t render.Theme) Cells {
	c := Cells{theme: t}
	if pos.Cols != 2 || pos.Rows != g.N {
		return c
	}
	heights := g.Around()
	known := slices.DeleteFunc(slices.Clone(heights), func(x float32) bool { return x != x })
	if len(known) == 0 {
		return c
	}
	c.Lo, c.Hi = between(known)
	outlines := voronoi(pos)
	for i, o := range outlines {
		if len(o) < 6 || heights[i] != heights[i] {
			continue
		}
		row := pos.Row(i)
		c.Patches = append(c.Patches, render.Cell{X: row[0], Y: row[1], Outline: o,
			Colour: c.shade(c.level(float64(heights[i])))})
	}
	return c
}

// level is where a height stands between the lowest and the highest, 0 to 1.
func (c Cells) level(h float64) float64 {
	if !(c.Hi > c.Lo) {
		return 0
	}
	return min(1, max(0, (h-c.Lo)/(c.Hi-c.Lo)))
}

func (c Cells) shade(t float64) color.NRGBA {
	ink := c.theme.TextDim
	ink.A = uint8(math.Round(255 * (0.04 + 0.56*t)))
	return ink
}

// Key says what the patches mean; ok is false where there are none that differ.
func (c Cells) Key() (k legend.Key, ok bool) {
	if !(c.Hi > c.Lo) || len(c.Patches) == 0 {
		return k, false
	}
	k.Title = "cell: distance to neighbours"
	k.Ends = [2]string{written(c.Lo, c.Hi-c.Lo), written(c.Hi, c.Hi-c.Lo)}
	for i := range 33 {
		k.Ramp = append(k.Ramp, over(c.shade(float64(i)/32), c.theme.Background))
	}
	return k, true
}

// over is a colour laid on an opaque one.
func over(c, ground color.NRGBA) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*int(c.A) + int(b)*(255-int(c.A)) + 127) / 255) }
	return color.NRGBA{R: mix(c.R, ground.R), G: mix(c.G, ground.G), B: mix(c.B, ground.B), A: 255}
}
