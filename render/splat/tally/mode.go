// Package tally draws points by counting them in cells, squares or hexagons: a cell has the colour of how many points
// lie in it, or of what these have in common. All points count, in whole numbers, and sums are taken in their order, so
// that none hides another and the picture is the same on any number of cores. It knows no OpenGL.
package tally

import (
	"cmp"
	"math"

	"blossom/model/base/registry"
	"blossom/render/camera"
	"blossom/render/pen"
)

// Mode is a way to draw points. It registers itself from the init of its file.
type Mode struct {
	ID    string // as sessions, jobs and the command line have it
	Title string
	Help  string
	Order int // place in menus
	// New parts a picture into cells of a size in pixels; nil: points are drawn one by one.
	New func(p camera.Projection, size float64) Grid
	// Size is that of cells which suit points that lie so many pixels apart on average, with so many pixels per point
	// of length.
	Size func(apart, scale float64) float64
	// Cell is what a cell is, and Unit one of a size in pixels.
	Cell    string
	Smooths bool // their counts can be smoothed
	Unit    func(size float64) string
}

// Points is the ID of the mode in which points are drawn one by one.
const Points = "points"

var modes = registry.New("tally", func(m Mode) string { return m.ID }, func(a, b Mode) int {
	return cmp.Compare(a.Order, b.Order)
})

// Register adds a mode. It panics if its name is taken.
func Register(m Mode) { modes.Add(m) }

// Modes are all modes, in order.
func Modes() []Mode { return modes.All() }

// Names are the IDs of all modes, in order.
func Names() (out []string) {
	for _, m := range Modes() {
		out = append(out, m.ID)
	}
	return out
}

// ByID returns a mode; "" is Points. ok is false where there is none of that name.
func ByID(id string) (m Mode, ok bool) { return modes.Find(cmp.Or(id, Points)) }

// Grid is the cells of a picture.
type Grid interface {
	// Cells is how many there are. Rows is how many of them a row has, and their side in pixels, where they lie in rows
	// of squares, so that they can be smoothed; 0: they do not.
	Cells() int
	Rows() (cols int, side float64)
	// Place sets cells to the cells of places, x and y in pixels; -1: in none.
	Place(cells []int32, places []float64)
	// Paint paints the rows from and to of a picture of w pixels a row, RGBA of 8 bits, with the inks of the cells.
	Paint(dst []uint8, w, from, to int, inks []Ink)
	// Again says that the same cells are painted once more, with other inks.
	Again()
	// Outline is the corners of a cell; nil: cells are pixels.
	Outline(cell int) []pen.Spot
}

// Ink is a premultiplied colour.
type Ink [4]uint8

// anchor is the place that cells are counted from, in pixels: they move with a flat map; in 3D they stand still.
func anchor(p *camera.Projection) (x, y float64) {
	w, h := float64(p.W), float64(p.H)
	if p.Reference > 0 {
		return w / 2, h / 2
	}
	x = ((0-float64(p.Origin[0]))*float64(p.M[0]) + float64(p.M[12]) + 1) * w / 2
	y = ((0-float64(p.Origin[1]))*float64(p.M[5]) + float64(p.M[13]) + 1) * h / 2
	return x, y
}

// below is x less a multiple of a period, below 0 by no more than that.
func below(x, period float64) float64 {
	x = math.Mod(x, period)
	if !(x <= 0) {
		x -= period
	}
	if x-x != 0 {
		return 0
	}
	return x
}
