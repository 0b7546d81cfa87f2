package population

import (
	"context"
	"encoding/json"
	"math"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/clusters/gating"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

func init() {
	Register(Kind{ID: "gate", Title: "a region of two columns", Order: 35,
		Decode: func(raw []byte, _ int) (Rule, error) {
			var g Gate
			if err := bounded.Unmarshal(raw, (*encodedGate)(&g)); err != nil {
				return nil, problem.New("", "leave it out", "its gate cannot be read (%s)", bounded.Flaw(err))
			}
			if err := g.check(); err != nil {
				return nil, err
			}
			return &g, nil
		}})
}

// Shapes of gates.
const (
	Rectangle = "rectangle" // two corners; its sides belong to it
	Polygon   = "polygon"   // three corners and more, by the even-odd rule
	// Quadrant is one of the four parts around a centre, the first of its path; the second is 1 or -1 for the side of
	// each axis. What lies on a line belongs to the side of 1.
	Quadrant = "quadrant"
)

// Gate is a region of two columns, as a view with them as axes shows it.
type Gate struct {
	X     Axis         `json:"x"`
	Y     Axis         `json:"y"`
	Shape string       `json:"shape"`
	Path  [][2]float64 `json:"path"` // corners, in units of the axes
}

// Axis is a column and the transform that it is shown with, as transform.ParseFile reads it: sides of gates are
// straight there.
type Axis struct {
	Column    string `json:"column"`
	Transform string `json:"transform,omitempty"`
}

type encodedGate Gate

func (g *Gate) Kind() string { return "gate" }
func (g *Gate) Says() string { return "a gate on " + g.X.Column + " and " + g.Y.Column }
func (g *Gate) Needs() Needs { return Needs{Columns: []string{g.X.Column, g.Y.Column}} }

// Renamed returns the gate with another name of a column.
func (g *Gate) Renamed(from, to string) Rule {
	if from != g.X.Column && from != g.Y.Column {
		return g
	}
	out := *g
	for _, a := range []*Axis{&out.X, &out.Y} {
		if a.Column == from {
			a.Column = to
		}
	}
	return &out
}

// MostCorners is how many corners a gate may have.
const MostCorners = gating.MostCorners

// check says what is wrong with a gate.
func (g *Gate) check() error {
	least := map[string]int{Rectangle: 2, Polygon: 3, Quadrant: 2}[g.Shape]
	switch {
	case least == 0:
		return problem.New("", "use a newer program", "there are no gates of the shape %.40q here", g.Shape)
	case len(g.Path) < least || len(g.Path) > MostCorners || g.Shape != Polygon && len(g.Path) != 2:
		return problem.New("", "leave it out", "a %s of %d corners is no gate", g.Shape, len(g.Path))
	case g.Shape == Quadrant && (math.Abs(g.Path[1][0]) != 1 || math.Abs(g.Path[1][1]) != 1):
		return problem.New("", "leave it out", "a quadrant on the sides %g and %g is no gate", g.Path[1][0],
			g.Path[1][1])
	}
	for _, a := range []Axis{g.X, g.Y} {
		if _, err := transform.ParseFile(a.Transform); a.Transform != "" && err != nil {
			return problem.New("", "leave it out", "its axis %.40q has no transform %.40q", a.Column, a.Transform)
		}
	}
	return nil
}

// Region is the gate as selections take it, and a factor for coordinates: regions are of places on a screen, and no
// larger than some 1e8.
func (g *Gate) Region() (r selection.Region, factor float64) {
	most := 1.0
	for _, p := range g.Path {
		most = max(most, math.Abs(p[0]), math.Abs(p[1]))
	}
	factor = 1
	if most > 1e8 {
		factor = math.Ldexp(1, -math.Ilogb(most/1e8)-1) // a power of two: nothing is rounded
	}
	path := make([]selection.Point, len(g.Path))
	for i, p := range g.Path {
		path[i] = selection.Point{X: factor * p[0], Y: factor * p[1]}
	}
	if g.Shape == Rectangle {
		return selection.Rect(path[0], path[1]), factor
	}
	return selection.Lasso(path), factor
}

// Rows returns the rows whose values, transformed as the axes are, lie in the region.
func (g *Gate) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	var values [2][]float32
	for i, a := range []Axis{g.X, g.Y} {
		shown := transform.Column{}
		if a.Transform != "" {
			var err error
			if shown, err = transform.ParseFile(a.Transform); err != nil {
				return nil, err
			}
		}
		if values[i] = in.Shown(a.Column, shown); values[i] == nil {
			return nil, noColumn(a.Column)
		}
	}
	if g.Shape == Quadrant {
		return selection.Where(ctx, in.Rows, func(row int) bool { return g.quartered(values, row) })
	}
	r, factor := g.Region()
	return selection.OnPlane{Region: r, X: values[0], Y: values[1], Factor: factor}.Pick(ctx)
}

// quartered says whether a row is in a quadrant.
func (g *Gate) quartered(values [2][]float32, row int) bool {
	for i, of := range values {
		x, centre := float64(of[row]), g.Path[0][i]
		if x != x || (x >= centre) != (g.Path[1][i] > 0) {
			return false
		}
	}
	return true
}

// Quarters returns the four quadrants around a centre, from the upper left on with the clock.
func Quarters(x, y Axis, at [2]float64) (out [4]*Gate) {
	for i, side := range [4][2]float64{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}} {
		out[i] = &Gate{X: x, Y: y, Shape: Quadrant, Path: [][2]float64{at, side}}
	}
	return out
}

// Beside says whether two gates are quadrants around one centre.
func (g *Gate) Beside(o *Gate) bool {
	return g.Shape == Quadrant && o.Shape == Quadrant && g.X == o.X && g.Y == o.Y && g.Path[0] == o.Path[0]
}

// Moved returns the gate with a corner at another place. A rectangle has four of them, which move two sides each.
func (g *Gate) Moved(corner int, x, y float64) *Gate {
	out := *g
	out.Path = append([][2]float64(nil), g.Path...)
	if g.Shape == Rectangle {
		out.Path[[]int{0, 1, 1, 0}[corner]][0] = x
		out.Path[[]int{0, 0, 1, 1}[corner]][1] = y
		return &out
	}
	if g.Shape == Quadrant {
		corner = 0
	}
	out.Path[corner] = [2]float64{x, y}
	return &out
}

// Shifted returns the gate at another place, so far away in units of its axes.
func (g *Gate) Shifted(dx, dy float64) *Gate {
	out := *g
	out.Path = shifted(g.Path, dx, dy)
	if g.Shape == Quadrant { // the second is no place
		out.Path[1] = g.Path[1]
	}
	return &out
}

func shifted(path [][2]float64, dx, dy float64) [][2]float64 {
	out := make([][2]float64, len(path))
	for i, p := range path {
		out[i] = [2]float64{p[0] + dx, p[1] + dy}
	}
	return out
}

// Slid returns a rectangle with a side at another place: the side from the corner of that number to the next.
func (g *Gate) Slid(side int, x, y float64) *Gate {
	out := *g
	out.Path = append([][2]float64(nil), g.Path...)
	if side%2 == 0 {
		out.Path[side/2%2][1] = y
	} else {
		out.Path[(side/2+1)%2][0] = x
	}
	return &out
}

// Corners are all corners around the region, in order; of a quadrant its centre.
func (g *Gate) Corners() [][2]float64 {
	switch g.Shape {
	case Quadrant:
		return g.Path[:1]
	case Polygon:
		return g.Path
	}
	a, b := g.Path[0], g.Path[1]
	return [][2]float64{a, {b[0], a[1]}, b, {a[0], b[1]}}
}

// Move returns the tree with a corner of the gate of a population at another place; of quadrants around one centre all
// four move.
func (t Tree) Move(id ID, corner int, x, y float64) Tree {
	p, _ := t.Find(id)
	g, ok := p.Rule.(*Gate)
	if !ok {
		return t
	}
	out := t.Redefine(id, g.Moved(corner, x, y))
	for _, o := range t.list {
		if of, is := o.Rule.(*Gate); is && o.ID != id && o.Parent == p.Parent && g.Beside(of) {
			out = out.Redefine(o.ID, of.Moved(corner, x, y))
		}
	}
	return out
}

// MarshalJSON encodes the gate.
func (g *Gate) MarshalJSON() ([]byte, error) { return json.Marshal((*encodedGate)(g)) }
