package selection

import (
	"context"
	"math"
)

// cells tests places against a path. The box around the path is cut into side x side cells. Of a cell that
// no edge comes near, all is inside or all is outside. In the others a place is tested against the edges
// near its cell alone; what the edges to the right of the cell add is known beforehand, as follows.
//
// An edge between a and b is crossed by the ray to the right from a place left of it if exactly one of
// a.Y > y and b.Y > y is true. So the parity of all edges right of the cell is the parity, over the vertices
// where an odd number of those edges ends, of v.Y > y. Within a row of cells that is the same for all y but
// for vertices in that row, and a vertex in that row with one edge right of the cell has another that comes
// near it. That edge's entry in the cell's list tells to add v.Y > y; the rest is one bit of the cell. The
// result is exactly that of the formula, whatever is rounded in it: an edge is right of a cell or left of it
// only by more than rounding could bridge.
type cells struct {
	path     []Point // edge i is from path[i] (b) to path[i+1] (a)
	x0, y0   float64 // corner of the first cell
	ix, iy   float64 // cells per pixel
	side     int
	limit    float64 // side
	kind     []uint8
	start    []int32 // first of each cell's entries; there are side*side+1
	entries  []uint32
	margin   float64
	heights  float64 // height of a row
	spans    []span  // spans of edge i in its rows, from spanAt[i] on
	spanAt   []int32
	firstRow []uint16
}

// kind of a cell: odd, the parity there of what is right of it; near, it has entries.
const (
	odd  = 1
	near = 2
)

// Flags of an entry, whose higher bits are the edge: the edge that follows at a, or goes before at b, is
// right of the cell.
const (
	flipA = 1 << iota
	flipB
	entryShift = iota
)

// span is the columns of cells that an edge comes near to in a row.
type span struct{ from, to uint16 }

// A lasso costs this, in nanoseconds as measured: a test of a place against an edge, a cell that an edge
// comes near to, a cell. Only the speed depends on them.
const (
	testCost  = 2.5
	entryCost = 12
	cellCost  = 1.5

	maxSide    = 1024
	maxEntries = 1 << 27
)

// newCells prepares the test of about n places.
func newCells(ctx context.Context, r Region, n int) (*cells, error) {
	m := len(r.path)
	c := &cells{path: make([]Point, m+1)}
	c.path[0] = r.path[m-1]
	copy(c.path[1:], r.path)

	reach := max(math.Abs(r.lo.X), math.Abs(r.lo.Y), math.Abs(r.hi.X), math.Abs(r.hi.Y))
	c.margin = max(reach*1e-12, 1e-90) // some hundred times what rounding can do
	w, h := r.hi.X-r.lo.X+2*c.margin, r.hi.Y-r.lo.Y+2*c.margin
	length := 0.0
	for i := range m {
		a, b := c.path[i+1], c.path[i]
		length += math.Abs(a.X-b.X)/w + math.Abs(a.Y-b.Y)/h
	}
	c.side = bestSide(float64(n), float64(m), length)
	c.limit = float64(c.side)
	c.x0, c.y0 = r.lo.X-c.margin, r.lo.Y-c.margin
	c.ix, c.iy, c.heights = c.limit/w, c.limit/h, h/c.limit
	if err := c.findSpans(ctx); err != nil {
		return nil, err
	}
	if err := c.list(ctx); err != nil {
		return nil, err
	}
	c.spans, c.spanAt, c.firstRow = nil, nil, nil
	return c, nil
}

// bestSide returns the number of cells along a side with the least cost for n places and m edges, whose
// lengths are so many times the box around them.
func bestSide(n, m, length float64) int {
	best, least := 4, math.Inf(1)
	for side := 4; side <= maxSide; side *= 2 {
		s := float64(side)
		entries := 2*m + length*s
		cost := n*entries/(s*s)*testCost + entries*entryCost + s*s*cellCost
		if cost < least && (entries < maxEntries || side == 4) {
			best, least = side, cost
		}
	}
	return best
}

// column and row return the cell of a coordinate, the first or last if it lies beyond. They never fall where
// the coordinate grows, which is what makes a place and the vertices around it agree.
func (c *cells) column(x float64) int { return clampCell((x-c.x0)*c.ix, c.side) }
func (c *cells) row(y float64) int    { return clampCell((y-c.y0)*c.iy, c.side) }

func clampCell(f float64, side int) int { return int(min(max(f, 0), float64(side-1))) }

// top is where a row begins, but for rounding.
func (c *cells) top(row int) float64 { return c.y0 + float64(row)*c.heights }

// before is less than any y in a row, by half the margin: a vertex that is before it, or behind the row,
// ends no edge that comes near the row only by its other end.
func (c *cells) before(row int) float64 { return c.top(row) - c.margin/2 }

// abort is how many edges are done between looks at the context.
const abort = 1 << 14

// findSpans finds out which cells each edge comes near to.
func (c *cells) findSpans(ctx context.Context) error {
	m := len(c.path) - 1
	c.spanAt, c.firstRow = make([]int32, m+1), make([]uint16, m)
	for i := range m {
		if i%abort == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, b := c.path[i+1], c.path[i]
		if a.Y > b.Y {
			a, b = b, a
		}
		slope := 0.0
		if b.Y > a.Y {
			slope = (b.X - a.X) / (b.Y - a.Y)
		}
		left, right := min(a.X, b.X), max(a.X, b.X)
		from, to := c.row(a.Y-c.margin), c.row(b.Y+c.margin)
		c.firstRow[i], c.spanAt[i] = uint16(from), int32(len(c.spans))
		for r := from; r <= to; r++ {
			x1, x2 := left, right
			if slope != 0 {
				lo, hi := max(a.Y, c.top(r)-c.margin), min(b.Y, c.top(r+1)+c.margin)
				x1, x2 = a.X+slope*(lo-a.Y), a.X+slope*(hi-a.Y)
				x1, x2 = max(min(x1, x2), left), min(max(x1, x2), right)
			}
			c.spans = append(c.spans, span{uint16(c.column(x1 - c.margin)), uint16(c.column(x2 + c.margin))})
		}
	}
	c.spanAt[m] = int32(len(c.spans))
	return nil
}

// in returns the columns that edge i comes near to in a row; ok is false if it does not come near the row.
func (c *cells) in(i, row int) (s span, ok bool) {
	at := int(c.spanAt[i]) + row - int(c.firstRow[i])
	if row < int(c.firstRow[i]) || at >= int(c.spanAt[i+1]) {
		return span{}, false
	}
	return c.spans[at], true
}

// rightOf returns the first column that edge i comes near to in a row, 0 if it does not come near the row:
// the edge is right of the columns before.
func (c *cells) rightOf(i, row int) int {
	m := len(c.path) - 1
	s, _ := c.in((i+m)%m, row)
	return int(s.from)
}

// list makes the cells' lists, and finds out what is right of them.
func (c *cells) list(ctx context.Context) error {
	m := len(c.path) - 1
	c.kind = make([]uint8, c.side*c.side)
	c.start = make([]int32, c.side*c.side+1)
	for i := range m {
		if i%abort == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, b := c.path[i+1], c.path[i]
		for k, s := range c.spans[c.spanAt[i]:c.spanAt[i+1]] {
			row := int(c.firstRow[i]) + k
			first := row * c.side
			for at := first + int(s.from); at <= first+int(s.to); at++ {
				c.start[at+1]++
			}
			if y := c.before(row); s.from > 0 && (a.Y > y) != (b.Y > y) {
				c.kind[first+int(s.from)-1] ^= odd // and all cells left of it, below
			}
		}
	}
	for at := len(c.kind) - 2; at >= 0; at-- {
		if (at+1)%c.side != 0 {
			c.kind[at] ^= c.kind[at+1]
		}
	}
	for at := range c.kind {
		c.start[at+1] += c.start[at]
	}
	c.entries = make([]uint32, c.start[len(c.kind)])
	for i := range m {
		if i%abort == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, b := c.path[i+1], c.path[i]
		for k, s := range c.spans[c.spanAt[i]:c.spanAt[i+1]] {
			row := int(c.firstRow[i]) + k
			y := c.before(row)
			rightA, rightB := c.rightOf(i+1, row), c.rightOf(i-1, row)
			for col := int(s.from); col <= int(s.to); col++ {
				at := row*c.side + col
				e := uint32(i) << entryShift
				if rightA > col {
					e |= flipA
					c.kind[at] ^= uint8(bit(a.Y > y))
				}
				if rightB > col {
					e |= flipB
					c.kind[at] ^= uint8(bit(b.Y > y))
				}
				c.kind[at] |= near
				c.entries[c.start[at]] = e
				c.start[at]++ // its end, which is put right below
			}
		}
	}
	copy(c.start[1:], c.start[:len(c.kind)])
	c.start[0] = 0
	return nil
}

func (c *cells) mask(x, y []float64) (m uint64) {
	for i := range x {
		fx, fy := (x[i]-c.x0)*c.ix, (y[i]-c.y0)*c.iy
		if !(fx >= 0 && fx < c.limit && fy >= 0 && fy < c.limit) {
			continue
		}
		at := int(fy)*c.side + int(fx)
		k := uint64(c.kind[at])
		if k >= near {
			k ^= c.parity(at, Point{x[i], y[i]})
		}
		m |= k & odd << i
	}
	return m
}

// parity is what the entries of a cell add for a place in it.
func (c *cells) parity(at int, p Point) (in uint64) {
	for _, e := range c.entries[c.start[at]:c.start[at+1]] {
		a, b := c.path[e>>entryShift+1], c.path[e>>entryShift]
		upA, upB := a.Y > p.Y, b.Y > p.Y
		if upA != upB && crosses(a, b, p) {
			in ^= 1
		}
		in ^= bit(upA)&uint64(e) ^ bit(upB)&uint64(e>>1)
	}
	return in & 1
}
