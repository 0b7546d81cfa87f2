package density

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// Tenths are the shares of points that contours enclose which part them into tenths.
var Tenths = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// narrow is how much narrower contours smooth than Scott's rule, which is for one cloud of points: maps have many.
const narrow = 2.0 / 3

// Lines are closed lines of equal density on the plane.
type Lines struct {
	Places matrix.Matrix32 // n x 2: the corners of all lines
	Pieces []Piece         // the sides between them, by level
}

// Piece is the side of a line between two rows of Places.
type Piece struct {
	A, B  int32
	Level int // the index of the share of points that the line encloses
}

// Contours returns the lines of equal density within which lie these shares of points on the plane, len(pos) / 2 of two
// coordinates each, as their density over the box from low to high has it. Points outside of the box lie outside of all
// lines; those that are not finite are none. There are no lines where the box has no extent. The error is ctx's.
func Contours(ctx context.Context, pos []float32, low, high [2]float64, shares []float64) (*Lines, error) {
	out := &Lines{Places: matrix.Matrix32{Cols: 2}}
	var inside []float32
	for i := 0; i+1 < len(pos); i += 2 {
		x, y := float64(pos[i]), float64(pos[i+1])
		if x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] {
			inside = append(inside, pos[i], pos[i+1])
		}
	}
	if len(inside) == 0 || !(high[0] > low[0] && high[1] > low[1]) {
		return out, ctx.Err()
	}
	from, to := room(low, high, len(inside)/2)
	f, err := smoothed(ctx, inside, 2, from, to, narrow)
	if err != nil {
		return nil, err
	}
	var values []float64
	for i := 0; i+1 < len(pos); i += 2 {
		if v := f.At(pos[i : i+2]); v == v {
			values = append(values, v*f.mean)
		}
	}
	slices.Sort(values)
	for i, share := range shares {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := tracing{Field: f, level: above(values, share), to: out, at: i}
		l.trace()
	}
	return out, nil
}

// room widens a box so far that what n points in it are smoothed to is 0 at its edges: lines end nowhere.
func room(low, high [2]float64, n int) (from, to [3]float64) {
	edge := reach(width(flatCells, n, 2, narrow)) + 2
	for c := range low {
		cell := (high[c] - low[c]) / float64(flatCells-1-2*edge)
		from[c], to[c] = low[c]-float64(edge)*cell, high[c]+float64(edge)*cell
	}
	return from, to
}

// above returns the level that a share of rising values lie above.
func above(values []float64, share float64) float64 {
	k := len(values) - int(math.Ceil(share*float64(len(values))))
	if k <= 0 {
		return values[0] / 2
	}
	return (values[k-1] + values[min(k, len(values)-1)]) / 2
}

// tracing follows the lines of one level through the cells of a grid, row by row (marching squares).
type tracing struct {
	*Field
	level float64
	to    *Lines
	at    int
}

// The sides of a cell.
const (
	lower = iota
	right
	upper
	left
)

func (t *tracing) trace() {
	n := t.grid.cells
	below, above := make([]int32, n), make([]int32, n) // corners of lines on the edges of the grid along x
	for y := range n - 1 {
		var sides [4]int32
		for x := range n - 1 {
			if y == 0 {
				below[x] = t.corner(x, y, 1, 0)
			}
			above[x] = t.corner(x, y+1, 1, 0)
			if x == 0 {
				sides[right] = t.corner(x, y, 0, 1)
			}
			sides[left], sides[right] = sides[right], t.corner(x+1, y, 0, 1)
			sides[lower], sides[upper] = below[x], above[x]
			t.cell(x, y, sides)
		}
		below, above = above, below
	}
}

// cell joins the corners on the sides of a cell. Where all four have one, the mean of its ends says which ends hang
// together.
func (t *tracing) cell(x, y int, sides [4]int32) {
	var on [4]int32
	n := 0
	for _, s := range sides {
		if s >= 0 {
			on[n] = s
			n++
		}
	}
	switch n {
	case 2:
		t.join(on[0], on[1])
	case 4:
		middle := (t.value(x, y) + t.value(x+1, y) + t.value(x, y+1) + t.value(x+1, y+1)) / 4
		if (middle > t.level) == (t.value(x, y) > t.level) {
			t.join(sides[lower], sides[right])
			t.join(sides[upper], sides[left])
		} else {
			t.join(sides[lower], sides[left])
			t.join(sides[upper], sides[right])
		}
	}
}

func (t *tracing) join(a, b int32) { t.to.Pieces = append(t.to.Pieces, Piece{a, b, t.at}) }

func (t *tracing) value(x, y int) float64 { return t.grid.count[y*t.grid.cells+x] }

// corner adds the place between a node of the grid and the next one at which the density is that of the level, and
// returns its row; -1: it is nowhere between them.
func (t *tracing) corner(x, y, dx, dy int) int32 {
	a, b := t.value(x, y), t.value(x+dx, y+dy)
	if (a > t.level) == (b > t.level) {
		return -1
	}
	share := (t.level - a) / (b - a)
	p, box := &t.to.Places, &t.box
	for c, at := range [2]float64{float64(x) + share*float64(dx), float64(y) + share*float64(dy)} {
		p.Data = append(p.Data, float32(box.low[c]+at/float64(box.cells-1)*(box.high[c]-box.low[c])))
	}
	p.Rows++
	return int32(p.Rows - 1)
}
