// Package shape makes the places of landmarks from shapes that somebody draws: grids, rings, lines, filled outlines,
// silhouettes, and in 3D boxes, spheres and tori. A Shape is a handful of parameters; Net turns it into positions and
// the edges between them, the same for the same parameters. Each kind of shape is a file that registers it.
package shape

import (
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/registry"
	"blossom/model/base/step"
)

// Most is how many landmarks a shape may have: what the engines take in the window.
const Most = 4096

// Packing is how landmarks fill an area.
type Packing uint8

const (
	Hexagonal Packing = iota // six neighbours: odd rows shifted by half, rows sqrt(3)/2 apart
	Square                   // four neighbours
)

var packings = [...]string{"hexagonal", "square"}

func (p Packing) String() string { return packings[min(p, Square)] }

// height is the distance of rows at unit spacing, shift that of the odd ones to the right.
func (p Packing) height() float64 { return [...]float64{math.Sqrt(3) / 2, 1}[min(p, Square)] }
func (p Packing) shift() float64  { return [...]float64{0.5, 0}[min(p, Square)] }

// By is how a shape comes about under the hand.
type By uint8

const (
	ByFrame   By = iota // its frame is dragged
	ByStroke            // along a freehand stroke
	ByOutline           // around an area
	ByPiece             // from landmarks that are there
	ByImage             // from a picture
)

// Shape is a shape as parameters.
type Shape struct {
	Kind    string // ID of a Kind
	Frame   Frame
	Packing Packing
	Spacing float64     // between neighbouring landmarks, in units of the map
	Values  step.Values // values of the kind's own parameters; missing ones are the defaults
	Path    [][2]float64
	Piece   *Piece
	Mask    *Mask
}

// Piece is landmarks and their edges, each coordinate from -0.5 to 0.5 of the frame's.
type Piece struct {
	At    []Vec
	Edges [][2]int32
}

// Net is what becomes of a shape: places and the edges a < b between them.
type Net struct {
	At    []Vec
	Edges [][2]int32
	Solid bool // has three dimensions
}

// Dims is the number of coordinates that the net needs.
func (n *Net) Dims() int {
	if n.Solid {
		return 3
	}
	return 2
}

// Matrix returns the places with 2 or 3 coordinates, g x dims.
func (n *Net) Matrix(dims int) matrix.Matrix32 {
	m := matrix.New(len(n.At), dims)
	for i, p := range n.At {
		for c := range m.Row(i) {
			m.Row(i)[c] = float32(p[c])
		}
	}
	return m
}

// Thin says whether no landmark is joined to more than two, as along a line or around a ring.
func (n *Net) Thin() bool {
	joined := make([]int, len(n.At))
	for _, e := range n.Edges {
		for _, i := range e {
			if joined[i]++; joined[i] > 2 {
				return false
			}
		}
	}
	return len(n.Edges) > 0
}

// Kind is a registered kind of shape.
type Kind struct {
	ID    string // "grid"
	Title string // "Grid"
	Help  string
	Icon  Icon // nil: the window has one for all shapes
	By    By
	Solid bool // needs a map in three dimensions
	// Packs and Spaced say whether the packing and the spacing mean anything to it.
	Packs, Spaced bool
	Params        []step.Param // parameters of its own
	// Points returns the places in the frame: around 0, in units of the map, not turned.
	Points func(Shape) (*Net, error)
	// Fit adapts what follows from the size of the frame and the spacing, as the columns of a grid do. It may be nil.
	Fit func(*Shape)
	// Size is the size of the frame that the values ask for at the spacing. It may be nil.
	Size func(Shape) Vec

	Order int // place in lists, rising
}

var kinds = registry.New("shape", func(k Kind) string { return k.ID },
	func(a, b Kind) int { return a.Order - b.Order })

// Register adds a kind of shape, from the init of its file. It panics if the ID is taken.
func Register(k Kind) { kinds.Add(k) }

// Kinds returns the kinds in the order in which they are offered.
func Kinds() []Kind { return kinds.All() }

// ByID returns the kind with this ID.
func ByID(id string) (Kind, bool) { return kinds.Find(id) }

// Value is the value of the kind's parameter of that ID.
func (s Shape) Value(id string) float64 {
	k, _ := ByID(s.Kind)
	for _, p := range k.Params {
		if p.ID == id {
			return s.Values.Get(p)
		}
	}
	return 0
}

// With returns the shape with a parameter of its kind changed.
func (s Shape) With(id string, v float64) Shape {
	next := step.Values{}
	for k, x := range s.Values {
		next[k] = x
	}
	next[id] = v
	s.Values = next
	return s
}

// Fitted returns the shape with what follows from its frame and spacing.
func (s Shape) Fitted() Shape {
	if k, ok := ByID(s.Kind); ok && k.Fit != nil {
		k.Fit(&s)
	}
	return s
}

// Sized returns the shape with the frame that its values ask for at its spacing, its signs kept.
func (s Shape) Sized() Shape {
	if k, ok := ByID(s.Kind); ok && k.Size != nil {
		for c, x := range k.Size(s) {
			s.Frame.Size[c] = math.Copysign(x, s.Frame.Size[c])
		}
	}
	return s
}

// Net returns the landmarks of the shape, at least one and at most Most. The error is a Problem: parameters that are
// no numbers, too many landmarks or none.
func (s Shape) Net() (*Net, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	k, _ := ByID(s.Kind)
	net, err := k.Points(s)
	if err != nil {
		return nil, err
	}
	switch n := len(net.At); {
	case n == 0:
		return nil, problem.New("", "lower the spacing or make it larger", "no landmark fits into the shape")
	case n > Most:
		return nil, tooMany()
	}
	net.Solid = k.Solid || !s.Frame.Flat() || net.Solid
	for i, p := range net.At {
		net.At[i] = s.Frame.out(p)
	}
	return net, nil
}

// tooMany is the Problem of a shape of more landmarks than there may be.
func tooMany() error {
	return problem.New("", "raise the spacing or make it smaller",
		"the shape would have more than %d landmarks, which is all that a map takes in the window", Most)
}

// check refuses what no shape can be made of.
func (s Shape) check() error {
	k, ok := ByID(s.Kind)
	if !ok {
		return problem.New("", "use one that this program knows", "there is no shape %q", s.Kind)
	}
	if err := s.Frame.check(); err != nil {
		return err
	}
	if k.Spaced && !(s.Spacing > 0 && s.Spacing < farthest) {
		return problem.New("", "give a number above 0 and below a million", "a spacing of %g", s.Spacing)
	}
	for _, p := range s.Path {
		if !(math.Abs(p[0]) <= 1 && math.Abs(p[1]) <= 1) {
			return problem.New("", "give numbers from -0.5 to 0.5", "a point of the path lies at %g, %g", p[0], p[1])
		}
	}
	return nil
}

// size is the size of the frame without signs, which mirror.
func (s Shape) size() Vec {
	return Vec{math.Abs(s.Frame.Size[0]), math.Abs(s.Frame.Size[1]), math.Abs(s.Frame.Size[2])}
}

// scaled is a place of -0.5 to 0.5 in units of the map.
func (s Shape) scaled(p Vec) Vec {
	z := s.size()
	return Vec{p[0] * z[0], p[1] * z[1], p[2] * z[2]}
}

// join returns the edge of two landmarks, the lower one first.
func join(a, b int) [2]int32 { return [2]int32{int32(min(a, b)), int32(max(a, b))} }

// steps is how many times a length goes into another, at least least.
func steps(length, spacing float64, least int) int {
	return max(least, int(math.Min(math.Round(length/spacing), 2*Most)))
}

// unique sorts edges and leaves each once.
func unique(edges [][2]int32) [][2]int32 {
	slices.SortFunc(edges, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(edges)
}
