package selection

import (
	"context"
	"math"
	"slices"
)

var nan = math.NaN()

// Point is a place on the screen, in pixels.
type Point struct{ X, Y float64 }

// Region is a part of the screen: a rectangle, an ellipse, a lasso, or what a brush has painted over. The zero value is
// empty.
type Region struct {
	lo, hi Point   // box of a rectangle, or around all of it
	round  bool    // the ellipse in the box, not all of it
	path   []Point // corners of a lasso, or the way of a brush; nil for what a box says
	radius float64 // how far a brush reaches; 0: none
	some   bool    // there may be something inside
}

// Rect returns the rectangle with a and b in opposite corners. Its sides belong to it.
func Rect(a, b Point) Region {
	r := Region{lo: Point{min(a.X, b.X), min(a.Y, b.Y)}, hi: Point{max(a.X, b.X), max(a.Y, b.Y)}}
	r.some = r.lo.X <= r.hi.X && r.lo.Y <= r.hi.Y // false for NaN
	return r
}

// The path of a lasso is kept within these, so that nothing overflows in between.
const (
	farthest = 1e9
	least    = 1e-100
)

// Lasso returns what is inside of a closed path by the even-odd rule: where a path that crosses itself goes
// around twice is outside. Less than three points are empty. Vertices that are not finite are left out, and
// coordinates beyond a billion pixels are cut to that. The path is copied.
func Lasso(path []Point) Region {
	r := Region{lo: Point{math.Inf(1), math.Inf(1)}, hi: Point{math.Inf(-1), math.Inf(-1)}}
	tame := func(v float64) float64 {
		if math.Abs(v) < least {
			return 0
		}
		return min(max(v, -farthest), farthest)
	}
	r.path = make([]Point, 0, len(path))
	for _, p := range path {
		if p.X-p.X != 0 || p.Y-p.Y != 0 {
			continue
		}
		p = Point{tame(p.X), tame(p.Y)}
		r.path = append(r.path, p)
		r.lo = Point{min(r.lo.X, p.X), min(r.lo.Y, p.Y)}
		r.hi = Point{max(r.hi.X, p.X), max(r.hi.Y, p.Y)}
	}
	r.some = len(r.path) >= 3
	return r
}

// Contains says whether a place is in the region. This is the definition that Pick keeps to, bit by bit: on
// the path itself, what the formula says. It takes as long as the path is.
func (r Region) Contains(p Point) bool {
	if !r.some {
		return false
	}
	if r.round {
		return r.oval().has(p.X, p.Y)
	}
	if r.path == nil || r.radius > 0 {
		in := p.X >= r.lo.X && p.X <= r.hi.X && p.Y >= r.lo.Y && p.Y <= r.hi.Y
		return in && (r.path == nil || r.painted(p))
	}
	in := false
	for i, j := 0, len(r.path)-1; i < len(r.path); j, i = i, i+1 {
		if crosses(r.path[i], r.path[j], p) {
			in = !in
		}
	}
	return in
}

// Moved returns the region with its corners where move puts them: a shift and a scale, as between the units of two
// screens. A rectangle stays one, and an ellipse does.
func (r Region) Moved(move func(Point) Point) Region {
	switch {
	case !r.some:
		return Region{}
	case r.round:
		return Ellipse(move(r.lo), move(r.hi))
	case r.path == nil:
		return Rect(move(r.lo), move(r.hi))
	}
	path := slices.Clone(r.path)
	for i := range path {
		path[i] = move(path[i])
	}
	if r.radius > 0 {
		from, to := move(Point{}), move(Point{X: r.radius})
		return Brush(path, math.Hypot(to.X-from.X, to.Y-from.Y))
	}
	return Lasso(path)
}

// crosses says whether the ray from p to the right crosses the edge between a and b.
func crosses(a, b, p Point) bool {
	return (a.Y > p.Y) != (b.Y > p.Y) && p.X < (b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y)+a.X
}

// tester says of up to 64 places which are in a region: bit i is place i.
type tester interface{ mask(x, y []float64) uint64 }

// tester prepares the test of about n places. nil: nothing is in.
func (r Region) tester(ctx context.Context, n int) (tester, error) {
	switch {
	case !r.some:
		return nil, ctx.Err()
	case r.round:
		return r.oval(), ctx.Err()
	case r.path == nil:
		return box{r.lo, r.hi}, ctx.Err()
	case r.radius > 0:
		return newStrip(ctx, r)
	}
	return newCells(ctx, r, n)
}

// box tests places against a rectangle.
type box struct{ lo, hi Point }

func (b box) mask(x, y []float64) (m uint64) {
	for i := range x {
		in := bit(x[i] >= b.lo.X) & bit(x[i] <= b.hi.X) & bit(y[i] >= b.lo.Y) & bit(y[i] <= b.hi.Y)
		m |= in << i
	}
	return m
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
