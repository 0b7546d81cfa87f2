package tally

import (
	"math"

	"blossom/render/camera"
	"blossom/render/pen"
)

func init() {
	Register(Mode{ID: "hexagons", Title: "Hexagons", Order: 30,
		Help: "Hexagons have the colour of how many points lie in them: all count",
		New:  func(p camera.Projection, size float64) Grid { return newHexagons(p, size) },
		Size: func(apart, scale float64) float64 { return min(max(2.5*apart, 5*scale), 18*scale) },
		Cell: "hexagon",
		Unit: func(float64) string { return "hexagon" }})
}

// hexagons are regular ones with a corner on top. Their middles are two lattices of rectangles, of the even rows and of
// the odd ones, which lie in the middles of the former.
type hexagons struct {
	wide       float64 // between two sides, as between the middles of neighbours in a row
	step       float64 // between rows
	left, top  float64 // the middle of the first
	cols, rows int
	w, h       float64 // size of the picture
	// How many there are in a pixel, of cells in a row and of pairs of rows.
	perWide, perPair float64
	// plan is the cell of each pixel, edges where a side cuts it, for the rows that are planned; nil: they are painted
	// for the first time.
	plan    []int32
	planned []bool
}

// narrowest is how wide a hexagon is at least, in pixels.
const narrowest = 2

func newHexagons(p camera.Projection, size float64) *hexagons {
	g := &hexagons{wide: max(size, narrowest), w: float64(p.W), h: float64(p.H)}
	g.step = g.wide * math.Sqrt(3) / 2
	g.perWide, g.perPair = 1/g.wide, 1/(2*g.step)
	x, y := anchor(&p)
	g.left, g.top = below(x, g.wide)-g.wide, below(y, 2*g.step)-2*g.step
	g.cols = int(math.Ceil((float64(p.W)-g.left)/g.wide)) + 2
	g.rows = int(math.Ceil((float64(p.H)-g.top)/g.step)) + 2
	return g
}

func (g *hexagons) Cells() int { return g.cols * g.rows }

// Rows implements Grid: hexagons are not smoothed.
func (g *hexagons) Rows() (cols int, side float64) { return 0, 0 }

// middle is that of a cell.
func (g *hexagons) middle(col, row int) (x, y float64) {
	return g.left + (float64(col)+float64(row&1)/2)*g.wide, g.top + float64(row)*g.step
}

// nearest is the cell whose middle is nearest to a place, and how far that lies to the right and below of it.
func (g *hexagons) nearest(x, y float64) (col, row int, dx, dy float64) {
	x, y = x-g.left, y-g.top // both above 0 for what may lie in a cell of the picture
	cols, rows := x*g.perWide, y*g.perPair
	colA, rowA, colB, rowB := int(cols+0.5), int(rows+0.5), int(cols), int(rows)
	ax, ay := x-float64(colA)*g.wide, y-float64(2*rowA)*g.step
	bx, by := x-(float64(colB)+0.5)*g.wide, y-float64(2*rowB+1)*g.step
	if ax*ax+ay*ay <= bx*bx+by*by {
		return colA, 2 * rowA, ax, ay
	}
	return colB, 2*rowB + 1, bx, by
}

// inner is the cell of a place that counts from the middle of the first, where all around are cells: nearest without a
// branch, which the processor would guess wrong for every other point.
func (g *hexagons) inner(x, y float64) int32 {
	cols, rows := x*g.perWide, y*g.perPair
	colA, rowA, colB, rowB := int(cols+0.5), int(rows+0.5), int(cols), int(rows)
	ax, ay := x-float64(colA)*g.wide, y-float64(2*rowA)*g.step
	bx, by := x-(float64(colB)+0.5)*g.wide, y-float64(2*rowB+1)*g.step
	cell := 2*rowA*g.cols + colA
	odd := (2*rowB+1)*g.cols + colB
	if bx*bx+by*by < ax*ax+ay*ay {
		cell = odd
	}
	return int32(cell)
}

// cell is the index of a cell, -1: it is none of the picture's.
func (g *hexagons) cell(col, row int) int32 {
	if col < 0 || row < 0 || col >= g.cols || row >= g.rows {
		return -1
	}
	return int32(row*g.cols + col)
}

func (g *hexagons) Place(cells []int32, places []float64) {
	half, side := g.wide/2, g.wide/math.Sqrt(3)
	for i := range cells {
		x, y := places[2*i], places[2*i+1]
		cells[i] = -1
		if !(x > -g.wide && x < g.w+g.wide && y > -2*side && y < g.h+2*side) {
			continue
		}
		if x > g.wide && x < g.w-g.wide && y > g.wide && y < g.h-g.wide {
			cells[i] = g.inner(x-g.left, y-g.top)
			continue
		}
		// A cell that cannot be seen at all is none of the picture, and says nothing of its scale.
		col, row, dx, dy := g.nearest(x, y)
		if mx, my := x-dx, y-dy; mx > -half && mx < g.w+half && my > -side && my < g.h+side {
			cells[i] = g.cell(col, row)
		}
	}
}

// edges stands in a plan for a pixel of two cells.
const edges = -1

// Again implements Grid: a landmark is dragged, and each pixel is of the same cell in every frame.
func (g *hexagons) Again() {
	if g.plan == nil {
		g.plan, g.planned = make([]int32, int(g.w)*int(g.h)), make([]bool, int(g.h))
	}
}

// Paint implements Grid. A pixel that a side cuts is of both cells, by its distance from the side.
func (g *hexagons) Paint(dst []uint8, w, from, to int, inks []Ink) {
	for y := from; y < to; y++ {
		out := dst[4*w*y : 4*w*(y+1)]
		var plan []int32
		known := false
		if g.plan != nil {
			plan, known = g.plan[w*y:w*(y+1)], g.planned[y]
			g.planned[y] = true
		}
		for px := range w {
			if known && plan[px] != edges {
				copy(out[4*px:4*px+4], inks[plan[px]][:])
				continue
			}
			cell, beside, share := g.pixel(px, y)
			ink := inks[cell]
			if share > 0 {
				if cell = edges; beside >= 0 && inks[beside] != ink {
					ink = ink.with(inks[beside], share)
				}
			}
			if plan != nil {
				plan[px] = cell
			}
			copy(out[4*px:4*px+4], ink[:])
		}
	}
}

// pixel is the cell of a pixel, and the share that the one beside it has of it; -1: none of the picture's.
func (g *hexagons) pixel(px, y int) (cell, beside int32, share float64) {
	col, row, dx, dy := g.nearest(float64(px)+0.5, float64(y)+0.5)
	// Towards the six neighbours: those beside it, and those below and above at either hand.
	slope, odd := math.Sqrt(3)/2, row&1
	ahead, falls, rises := dx, dx/2+slope*dy, dx/2-slope*dy
	a, f, r := math.Abs(ahead), math.Abs(falls), math.Abs(rises)
	cell = int32(row*g.cols + col)
	edge := g.wide/2 - max(a, f, r)
	switch {
	case edge >= 0.5:
		return cell, -1, 0
	case a >= f && a >= r:
		beside = g.cell(col+signed(ahead), row)
	case f >= r && falls > 0:
		beside = g.cell(col+odd, row+1)
	case f >= r:
		beside = g.cell(col-1+odd, row-1)
	case rises > 0:
		beside = g.cell(col+odd, row-1)
	default:
		beside = g.cell(col-1+odd, row+1)
	}
	return cell, beside, 0.5 - edge
}

func signed(x float64) int {
	if x < 0 {
		return -1
	}
	return 1
}

// with is an ink with a share of another.
func (k Ink) with(o Ink, share float64) Ink {
	for i := range k {
		k[i] = uint8(float64(k[i])*(1-share) + float64(o[i])*share + 0.5)
	}
	return k
}

// Outline is the corners of a cell, from the top.
func (g *hexagons) Outline(cell int) []pen.Spot {
	x, y := g.middle(cell%g.cols, cell/g.cols)
	side, half := g.wide/math.Sqrt(3), g.wide/2
	return []pen.Spot{{X: x, Y: y - side}, {X: x + half, Y: y - side/2}, {X: x + half, Y: y + side/2},
		{X: x, Y: y + side}, {X: x - half, Y: y + side/2}, {X: x - half, Y: y - side/2}}
}
