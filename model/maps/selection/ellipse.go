package selection

import "math"

// Ellipse returns the ellipse in the box with a and b in opposite corners. Its rim belongs to it. One without a width
// or without a height is empty.
func Ellipse(a, b Point) Region {
	r := Rect(a, b)
	r.round, r.some = true, r.lo.X < r.hi.X && r.lo.Y < r.hi.Y
	return r
}

// oval tests places against the ellipse in a box, given by its middle and its half axes.
type oval struct{ x, y, rx, ry float64 }

func (r Region) oval() oval {
	return oval{(r.lo.X + r.hi.X) / 2, (r.lo.Y + r.hi.Y) / 2, (r.hi.X - r.lo.X) / 2, (r.hi.Y - r.lo.Y) / 2}
}

// has says whether a place is in the ellipse; products are converted, as in project, for the same bits on any machine.
func (o oval) has(x, y float64) bool {
	dx, dy := (x-o.x)/o.rx, (y-o.y)/o.ry
	return float64(dx*dx)+float64(dy*dy) <= 1
}

func (o oval) mask(x, y []float64) (m uint64) {
	for i := range x {
		m |= bit(o.has(x[i], y[i])) << i
	}
	return m
}

// rimCorners are as many as it takes for sides to stay within a pixel of an ellipse as large as a screen.
const rimCorners = 128

// rim is the ellipse as a polygon with its corners on it.
func (o oval) rim() []Point {
	path := make([]Point, rimCorners)
	for i := range path {
		s, c := math.Sincos(2 * math.Pi * float64(i) / rimCorners)
		path[i] = Point{o.x + o.rx*c, o.y + o.ry*s}
	}
	return path
}
