package tally

import (
	"context"
	"image"
	"math"

	"blossom/model/base/par"
	"blossom/model/maps/density"
	"blossom/render/camera"
	"blossom/render/palette"
)

// Known is counts of points in squares of a flat map that somebody else has counted.
type Known struct {
	X, Y       float64 // least coordinates of the first square, in units of the map
	Cell       float64 // side of a square
	Cols, Rows int
	Counts     []int32 // in rows from the least coordinates on
}

// Paint paints the squares that have points as a projection shows them: premultiplied pixels without a ground. A pixel
// has the colour of the square in its middle. levels are the places of the counts on their scale.
func (k *Known) Paint(p camera.Projection, levels *density.Levels, table *palette.Table, opacity float64) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, p.W, p.H))
	if p.Reference > 0 || p.M[0] == 0 || p.M[5] == 0 || k.Cols*k.Rows == 0 {
		return img
	}
	columns := make([]int, p.W) // column of squares that a pixel lies in; -1: none
	for x := range columns {
		clip := (float64(x)+0.5)/float64(p.W)*2 - 1
		columns[x] = cellOf((clip-float64(p.M[12]))/float64(p.M[0])+float64(p.Origin[0]), k.X, k.Cell, k.Cols)
	}
	_, most := levels.Ends()
	few := make([]Ink, min(most+1, 4096))
	ink := func(n int32) Ink {
		return inkOn(table[uint16(levels.At(n)*(palette.Entries-1)+0.5)], opacity, [4]float64{})
	}
	for n := 1; n < len(few); n++ {
		few[n] = ink(int32(n))
	}
	_ = par.Blocks(context.Background(), p.H, 32, func(_, from, to int) {
		for y := from; y < to; y++ {
			clip := (float64(y)+0.5)/float64(p.H)*2 - 1
			row := cellOf((clip-float64(p.M[13]))/float64(p.M[5])+float64(p.Origin[1]), k.Y, k.Cell, k.Rows)
			if row < 0 {
				continue
			}
			counts, out := k.Counts[row*k.Cols:][:k.Cols], img.Pix[y*img.Stride:]
			for x, c := range columns {
				if c < 0 || counts[c] == 0 {
					continue
				}
				if n := counts[c]; int(n) < len(few) {
					copy(out[4*x:], few[n][:])
				} else {
					i := ink(n)
					copy(out[4*x:], i[:])
				}
			}
		}
	})
	return img
}

// cellOf is the square that a coordinate lies in; -1: none of n.
func cellOf(at, low, side float64, n int) int {
	c := math.Floor((at - low) / side)
	if !(c >= 0 && c < float64(n)) {
		return -1
	}
	return int(c)
}
