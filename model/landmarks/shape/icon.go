package shape

import "math"

// Icon is a small drawing of a kind: strokes on a square from -0.5 to 0.5, y downwards.
type Icon []Stroke

// Stroke is a line of an icon. A Width of 0 fills what it encloses, which is convex then.
type Stroke struct {
	Path   [][2]float64
	Width  float64 // as a share of the side of the square
	Closed bool
}

// pen is the width of most strokes of icons.
const pen = 0.085

// closed is a line through x and y, x and y, ..., back to its beginning; open ends where it ends.
func closed(at ...float64) Stroke { return Stroke{Path: pairs(at), Width: pen, Closed: true} }
func open(at ...float64) Stroke   { return Stroke{Path: pairs(at), Width: pen} }

func pairs(at []float64) (path [][2]float64) {
	for i := 0; i+1 < len(at); i += 2 {
		path = append(path, [2]float64{at[i], at[i+1]})
	}
	return path
}

// oval is an ellipse around the middle of the square, by half its width and height.
func oval(rx, ry, width float64) Stroke {
	const corners = 32
	s := Stroke{Width: width, Closed: true}
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		s.Path = append(s.Path, [2]float64{rx * cos, ry * sin})
	}
	return s
}
