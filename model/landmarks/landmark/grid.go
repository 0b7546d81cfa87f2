package landmark

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Topology is how the landmarks of a grid are arranged.
type Topology uint8

const (
	Rect Topology = iota // neighbours left, right, above and below
	Hex                  // six neighbours: odd rows shifted by half, rows sqrt(3)/2 apart
)

func (t Topology) String() string { return [...]string{"rect", "hex"}[min(t, Hex)] }

// ParseTopology reads "rect" or "hex" (also "rectangular", "hexagonal").
func ParseTopology(text string) (Topology, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "rect", "rectangular":
		return Rect, nil
	case "hex", "hexagonal":
		return Hex, nil
	}
	return Rect, problem.New("", "use rect or hex", "topology %q is not known", text)
}

// Shape is the size of a grid; Layers above 1 make it three-dimensional.
type Shape struct{ Cols, Rows, Layers int }

// Len returns the number of landmarks.
func (s Shape) Len() int { return s.Cols * s.Rows * max(1, s.Layers) }

// Dims returns 2, or 3 for more than one layer.
func (s Shape) Dims() int {
	if s.Layers > 1 {
		return 3
	}
	return 2
}

func (s Shape) String() string {
	if s.Layers > 1 {
		return fmt.Sprintf("%dx%dx%d", s.Cols, s.Rows, s.Layers)
	}
	return fmt.Sprintf("%dx%d", s.Cols, s.Rows)
}

// ParseShape reads "20x20" (columns x rows) or "8x8x6" (with layers).
func ParseShape(text string) (Shape, error) {
	const remedy = "write COLUMNSxROWS, for example 20x20"
	s := Shape{Layers: 1}
	parts := strings.FieldsFunc(strings.ToLower(strings.TrimSpace(text)),
		func(r rune) bool { return r == 'x' || r == '×' })
	if len(parts) != 2 && len(parts) != 3 {
		return s, problem.New("", remedy, "%q is not the size of a grid", text)
	}
	for i, to := range []*int{&s.Cols, &s.Rows, &s.Layers}[:len(parts)] {
		x, err := strconv.Atoi(strings.TrimSpace(parts[i]))
		if err != nil || x < 1 || x > MaxLandmarks {
			return s, problem.New("", remedy, "%q is not the size of a grid", text)
		}
		*to = x
	}
	if n := s.Len(); n > MaxLandmarks {
		return s, problem.New("", "use a smaller grid", "a grid of %s has %d landmarks, more than %d", s, n,
			MaxLandmarks)
	}
	return s, nil
}

// DefaultSide is the side of the square grid that a map has where nothing else is asked for.
const DefaultSide = 20

// SideFor returns the side of a square grid for n points: DefaultSide from some thousand points on, less
// where there are too few points to tell so many landmarks apart.
func SideFor(n int) int {
	return max(2, min(DefaultSide, int(math.Sqrt(float64(n)/10))))
}

// ShapeFor returns a shape of about g landmarks whose sides are as equal as can be, in 2 or 3 dimensions.
func ShapeFor(g, dims int) Shape {
	near := func(x float64) int { return max(1, int(math.Round(x))) }
	s := Shape{Layers: 1}
	if dims == 3 {
		s.Layers = near(math.Cbrt(float64(g)))
	}
	rest := float64(g) / float64(s.Layers)
	s.Rows = near(math.Sqrt(rest))
	s.Cols = near(rest / float64(s.Rows))
	return s
}

// Grid returns positions with unit spacing, centred at 0, and the edges between neighbours. Columns
// run along x, rows along y, layers (stacked at unit distance) along z.
func Grid(s Shape, t Topology) (pos matrix.Matrix32, edges [][2]int32) {
	dims, layers := s.Dims(), max(1, s.Layers)
	pos = matrix.New(s.Len(), dims)
	height, shift := 1.0, 0.0
	if t == Hex {
		height, shift = math.Sqrt(3)/2, 0.5
	}
	width := float64(s.Cols - 1)
	if s.Rows > 1 {
		width += shift
	}
	id := func(c, r, l int) int { return (l*s.Rows+r)*s.Cols + c }
	join := func(i, c, r, l int) {
		if c >= 0 && c < s.Cols && r < s.Rows && l < layers {
			edges = append(edges, [2]int32{int32(i), int32(id(c, r, l))})
		}
	}
	for l := range layers {
		for r := range s.Rows {
			odd := r % 2
			for c := range s.Cols {
				i := id(c, r, l)
				p := pos.Row(i)
				p[0] = float32(float64(c) + shift*float64(odd) - width/2)
				p[1] = float32(height * (float64(r) - float64(s.Rows-1)/2))
				if dims == 3 {
					p[2] = float32(float64(l) - float64(layers-1)/2)
				}
				join(i, c+1, r, l)
				join(i, c, r+1, l)
				if t == Hex {
					join(i, c-1+2*odd, r+1, l)
				}
				join(i, c, r, l+1)
			}
		}
	}
	return pos, edges
}
