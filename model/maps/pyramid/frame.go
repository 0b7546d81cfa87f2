// Package pyramid counts points on a fixed square of the map, in whole numbers, so that counts of parts add up to those
// of all points whatever the parts are and in whatever order they come. Counts of all points are kept in tiles at
// several levels, from fine to coarse, of which a picture reads those that it shows.
package pyramid

import (
	"math"
	"slices"
)

// Side is how many cells a side of the finest level has, and Coarsest one of the coarsest; in between each level has
// half as many as the one below. TileSide is how many a side of a tile has.
const (
	Side     = 4096
	Coarsest = 256
	TileSide = 256
)

// Sides are those of the levels, the finest first.
func Sides() (sides []int) {
	for side := Side; side >= Coarsest; side /= 2 {
		sides = append(sides, side)
	}
	return sides
}

// Frame is the square of the map that points are counted in, in the map's units.
type Frame struct {
	X    float64 `json:"x"` // its least coordinates
	Y    float64 `json:"y"`
	Side float64 `json:"side"`
}

// more is how much a frame has beyond the box of the landmarks on each side, of the longer side of that.
const more = 0.1

// FrameOf is a square about places on a flat map, x and y of one after the other, with a tenth more on each side. ok is
// false where no place is finite.
func FrameOf(places []float32) (f Frame, ok bool) {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := 0; i+1 < len(places); i += 2 {
		if x, y := float64(places[i]), float64(places[i+1]); x-x == 0 && y-y == 0 {
			low[0], high[0] = min(low[0], x), max(high[0], x)
			low[1], high[1] = min(low[1], y), max(high[1], y)
		}
	}
	if low[0] > high[0] {
		return f, false
	}
	side := max(high[0]-low[0], high[1]-low[1])
	if side == 0 {
		side = max(1, math.Abs(low[0]), math.Abs(low[1])) // one place: float32 tells points about it apart
	}
	f.Side = side * (1 + 2*more)
	f.X, f.Y = (low[0]+high[0]-f.Side)/2, (low[1]+high[1]-f.Side)/2
	return f, f.Sound()
}

// Sound says whether points can be counted in the frame.
func (f Frame) Sound() bool {
	return !slices.ContainsFunc([]float64{f.X, f.Y, f.Side, Side / f.Side, f.X + f.Side, f.Y + f.Side},
		func(x float64) bool { return x-x != 0 }) && f.Side > 0
}

// cell is the cell of a place; -1: it lies outside.
func (f Frame) cell(x, y float64) int {
	scale := Side / f.Side
	// One rounding at a time: no processor may join the difference and the product.
	cx, cy := math.Floor(float64((x-f.X)*scale)), math.Floor(float64((y-f.Y)*scale))
	if !(cx >= 0 && cx < Side && cy >= 0 && cy < Side) {
		return -1
	}
	return int(cy)*Side + int(cx)
}
