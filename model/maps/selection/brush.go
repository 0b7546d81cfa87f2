package selection

import (
	"context"
	"math"
)

// Brush returns what a round brush paints over as its middle goes along a path: all that is at most radius away from
// it, but not less than what can be told from the places themselves. One point is a disc; a radius that is not above 0,
// or a path without a finite point, is empty. Coordinates are kept within what a lasso is. The path is copied.
func Brush(path []Point, radius float64) Region {
	r := Lasso(path)
	if !(radius > 0) || len(r.path) == 0 {
		return Region{}
	}
	reach := max(math.Abs(r.lo.X), math.Abs(r.lo.Y), math.Abs(r.hi.X), math.Abs(r.hi.Y))
	r.radius = min(max(radius, 1e-12*reach), farthest)
	r.lo = Point{r.lo.X - r.radius, r.lo.Y - r.radius}
	r.hi = Point{r.hi.X + r.radius, r.hi.Y + r.radius}
	r.some = true
	return r
}

// under says whether p is at most radius away from the line from a to b.
func under(a, b, p Point, radius float64) bool {
	dx, dy := b.X-a.X, b.Y-a.Y
	x, y := p.X-a.X, p.Y-a.Y
	if length := dx*dx + dy*dy; length > 0 {
		t := min(max((x*dx+y*dy)/length, 0), 1)
		x, y = x-t*dx, y-t*dy
	}
	return x*x+y*y <= radius*radius
}

// painted says whether a place is under the brush, by looking at the whole path.
func (r Region) painted(p Point) bool {
	for i := range r.path {
		if under(r.path[max(i-1, 0)], r.path[i], p, r.radius) {
			return true
		}
	}
	return false
}

// strip tests places against the path of a brush. The box around it is cut into cells, each with the pieces of the path
// that may reach into it.
type strip struct {
	Region
	nx, ny int
	ix, iy float64 // cells per pixel
	start  []int32 // first of each cell's pieces; there are nx*ny+1
	pieces []int32
}

// A brush's cells are about a radius wide, at most stripSide along a side.
const stripSide = 256

// newStrip prepares the test.
func newStrip(ctx context.Context, r Region) (*strip, error) {
	s := &strip{Region: r}
	w, h := r.hi.X-r.lo.X, r.hi.Y-r.lo.Y
	s.nx, s.ny = int(min(max(w/r.radius, 1), stripSide)), int(min(max(h/r.radius, 1), stripSide))
	s.ix, s.iy = float64(s.nx)/w, float64(s.ny)/h
	s.start = make([]int32, s.nx*s.ny+1)
	if err := s.each(ctx, func(cell, _ int) { s.start[cell+1]++ }); err != nil {
		return nil, err
	}
	for i := range s.nx * s.ny {
		s.start[i+1] += s.start[i]
	}
	s.pieces = make([]int32, s.start[s.nx*s.ny])
	at := append([]int32(nil), s.start...)
	return s, s.each(ctx, func(cell, piece int) {
		s.pieces[at[cell]] = int32(piece)
		at[cell]++
	})
}

// each calls fn for every cell that a piece of the path may reach into, and more of them rather than less.
func (s *strip) each(ctx context.Context, fn func(cell, piece int)) error {
	half := math.Hypot(1/s.ix, 1/s.iy)/2 + s.radius
	half += 1e-9 * (half + max(math.Abs(s.lo.X), math.Abs(s.lo.Y), math.Abs(s.hi.X), math.Abs(s.hi.Y)))
	for i := range s.path {
		if i%abort == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, b := s.path[max(i-1, 0)], s.path[i]
		x0, x1 := s.column(min(a.X, b.X)-half), s.column(max(a.X, b.X)+half)
		y0, y1 := s.row(min(a.Y, b.Y)-half), s.row(max(a.Y, b.Y)+half)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				middle := Point{s.lo.X + (float64(x)+0.5)/s.ix, s.lo.Y + (float64(y)+0.5)/s.iy}
				if under(a, b, middle, half) {
					fn(y*s.nx+x, i)
				}
			}
		}
	}
	return nil
}

func (s *strip) column(x float64) int { return clampCell((x-s.lo.X)*s.ix, s.nx) }
func (s *strip) row(y float64) int    { return clampCell((y-s.lo.Y)*s.iy, s.ny) }

func (s *strip) mask(x, y []float64) (m uint64) {
	for i := range x {
		p := Point{x[i], y[i]}
		if !(p.X >= s.lo.X && p.X <= s.hi.X && p.Y >= s.lo.Y && p.Y <= s.hi.Y) {
			continue
		}
		cell := s.row(p.Y)*s.nx + s.column(p.X)
		for _, k := range s.pieces[s.start[cell]:s.start[cell+1]] {
			if under(s.path[max(k-1, 0)], s.path[k], p, s.radius) {
				m |= 1 << i
				break
			}
		}
	}
	return m
}
