package gating

import (
	"context"
	"fmt"
	"math"
	"slices"

	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"

	"gonum.org/v1/gonum/mat"
)

// Rows returns the rows of each of some gates, by themselves: without the gates that they lie in. A row that has no
// value of a dimension is in no region of it. The error is a Problem, where a column is missing or a matrix cannot be
// inverted, or that of a cancelled context.
func Rows(ctx context.Context, ds *dataset.Dataset, gates ...*Gate) ([]*selection.Set, error) {
	p := plan{ds: ds, at: ds.Places()}
	tests := make([]test, len(gates))
	for i, g := range gates {
		err := g.Check()
		if err != nil {
			return nil, err
		}
		if tests[i], err = p.test(g); err != nil {
			return nil, err
		}
	}
	words := (ds.Points + 63) / 64
	bits := make([][]uint64, len(gates))
	for i := range bits {
		bits[i] = make([]uint64, words)
	}
	const block = 1 << 14 // rows: whole words, and few enough that all dimensions of them are at hand
	err := par.Blocks(ctx, ds.Points, block, func(_, from, to int) {
		places := p.places(from, to)
		for i, in := range tests {
			for k := range to - from {
				if in(places, k) {
					row := from + k
					bits[i][row/64] |= 1 << (row % 64)
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]*selection.Set, len(gates))
	for i, b := range bits {
		out[i] = selection.FromBits(ds.Points, b)
	}
	return out, nil
}

// Rows returns the rows of each gate of a strategy: its own that those it lies in have too.
func (s *Strategy) Rows(ctx context.Context, ds *dataset.Dataset) ([]*selection.Set, error) {
	gates := make([]*Gate, len(s.Gates))
	for i, g := range s.Gates {
		gates[i] = g.Gate
	}
	sets, err := Rows(ctx, ds, gates...)
	if err != nil {
		return nil, err
	}
	for i, g := range s.Gates {
		if g.Parent >= 0 {
			sets[i] = selection.Intersect(sets[i], sets[g.Parent])
		}
	}
	return sets, nil
}

// plan is how gates are worked out on a table.
type plan struct {
	ds    *dataset.Dataset
	at    map[string]int
	sides []working
}

// working is a dimension that is worked out for blocks of rows.
type working struct {
	side   Side
	values func(from, to int) []float64
	place  func(x float64) float64
}

// test says whether the row k of a block is in, by the places of the block's rows in each dimension.
type test func(places [][]float64, k int) bool

// places are those of the rows from, to in all dimensions.
func (p *plan) places(from, to int) [][]float64 {
	out := make([][]float64, len(p.sides))
	for i, w := range p.sides {
		v := w.values(from, to)
		if w.place != nil {
			for k, x := range v {
				v[k] = w.place(x)
			}
		}
		out[i] = v
	}
	return out
}

// test compiles a gate.
func (p *plan) test(g *Gate) (test, error) {
	var at []int
	for _, s := range g.Sides {
		i, err := p.add(s)
		if err != nil {
			return nil, err
		}
		at = append(at, i)
	}
	var in test
	switch {
	case g.Range != nil:
		in = ranges(g.Range, at)
	case g.Polygon != nil:
		path := g.Polygon
		in = func(places [][]float64, k int) bool { return Within(path, places[at[0]][k], places[at[1]][k]) }
	case g.Ellipse != nil:
		inverse, err := g.Ellipse.inverse(len(at))
		if err != nil {
			return nil, err
		}
		in = g.Ellipse.test(inverse, at)
	default:
		return p.made(g)
	}
	if !g.Outside {
		return in, nil
	}
	return func(places [][]float64, k int) bool {
		for _, i := range at {
			if math.IsNaN(places[i][k]) {
				return false
			}
		}
		return !in(places, k)
	}, nil
}

// made compiles a gate that is made of others.
func (p *plan) made(g *Gate) (test, error) {
	parts := make([]test, len(g.Of))
	for i, part := range g.Of {
		in, err := p.test(part.Gate)
		if err != nil {
			return nil, err
		}
		if parts[i] = in; part.Not {
			parts[i] = func(places [][]float64, k int) bool { return !in(places, k) }
		}
	}
	return func(places [][]float64, k int) bool {
		for _, in := range parts {
			if in(places, k) == g.Any {
				return g.Any
			}
		}
		return !g.Any
	}, nil
}

func ranges(of []Range, at []int) test {
	low, high := make([]float64, len(of)), make([]float64, len(of))
	for i, r := range of {
		if low[i] = math.Inf(-1); r.Low != nil {
			low[i] = *r.Low
		}
		if high[i] = math.Inf(1); r.High != nil {
			high[i] = *r.High
		}
	}
	return func(places [][]float64, k int) bool {
		for i, d := range at {
			if x := places[d][k]; !(x >= low[i] && (x < high[i] || of[i].High == nil)) {
				return false
			}
		}
		return true
	}
}

// Within says whether a place is within a polygon by the even-odd rule; its edges belong to it.
func Within(path [][2]float64, x, y float64) bool {
	if x-x != 0 || y-y != 0 {
		return false
	}
	in := false
	a := path[len(path)-1]
	for _, b := range path {
		if (a[1] > y) != (b[1] > y) {
			// The sign of the area tells the side without a division, which would round once more.
			area := (b[0]-a[0])*(y-a[1]) - (x-a[0])*(b[1]-a[1])
			if area == 0 {
				return true
			}
			if (area > 0) == (b[1] > a[1]) {
				in = !in
			}
		} else if y == a[1] && y == b[1] && min(a[0], b[0]) <= x && x <= max(a[0], b[0]) ||
			x == a[0] && y == a[1] || x == b[0] && y == b[1] {
			return true
		}
		a = b
	}
	return in
}

// inverse is that of the covariance, for n dimensions. It has to have variances above 0 and to be invertible, whatever
// the units of the dimensions are: worst is the condition of correlations. It need be neither symmetric nor positive
// definite: one of the compliance set of the standard is neither, and the points in it are known.
func (e *Ellipse) inverse(n int) (*mat.Dense, error) {
	const worst = 1e14
	bad := func(why string) error { return problem.New("", "leave it out", "an ellipsoid gate %s", why) }
	switch {
	case len(e.Mean) != n || len(e.Covariance) != n:
		return nil, bad("needs a mean and a covariance for its dimensions")
	case !(e.Distance > 0) || math.IsInf(e.Distance, 0):
		return nil, bad(fmt.Sprintf("needs a distance above 0, it has %g", e.Distance))
	}
	deviation := make([]float64, n)
	for i, row := range e.Covariance {
		if len(row) != n {
			return nil, bad("needs a square covariance")
		}
		if !finite(e.Mean[i]) || slices.ContainsFunc(row, func(x float64) bool { return !finite(x) }) {
			return nil, bad("needs finite numbers")
		}
		if !(row[i] > 0) {
			return nil, bad(fmt.Sprintf("has a covariance with the variance %g, which has to be above 0", row[i]))
		}
		deviation[i] = math.Sqrt(row[i])
	}
	correlation := mat.NewDense(n, n, nil)
	for i, row := range e.Covariance {
		for j, x := range row {
			correlation.Set(i, j, x/deviation[i]/deviation[j])
		}
	}
	var lu mat.LU
	var inverse mat.Dense
	if lu.Factorize(correlation); !(lu.Cond() < worst) || inverse.Inverse(correlation) != nil {
		return nil, bad("has a covariance that cannot be inverted")
	}
	out := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			x := inverse.At(i, j) / deviation[i] / deviation[j]
			if !finite(x) {
				return nil, bad("has a covariance too small to be inverted")
			}
			out.Set(i, j, x)
		}
	}
	return out, nil
}

func (e *Ellipse) test(inverse *mat.Dense, at []int) test {
	n := len(at)
	c := slices.Clone(inverse.RawMatrix().Data)
	return func(places [][]float64, k int) bool {
		sum := 0.0
		for i, d := range at {
			x, row := places[d][k]-e.Mean[i], 0.0
			for j, o := range at {
				row += c[i*n+j] * (places[o][k] - e.Mean[j])
			}
			sum += x * row
		}
		return sum <= e.Distance
	}
}

// add returns the number of a dimension, which it adds where it is not there yet.
func (p *plan) add(s Side) (int, error) {
	for i, w := range p.sides {
		if same(w.side, s) {
			return i, nil
		}
	}
	w := working{side: s}
	var err error
	if w.values, err = p.values(s); err != nil {
		return 0, err
	}
	if w.place, err = s.Place(); err != nil {
		return 0, err
	}
	p.sides = append(p.sides, w)
	return len(p.sides) - 1, nil
}

// Place is where a value lies on the scale of a dimension; nil: where it is.
func (s *Side) Place() (func(x float64) float64, error) {
	var place func(x float64) float64
	if s.Scale != "" {
		c, err := transform.ParseFile(s.Scale)
		if err != nil {
			return nil, err
		}
		place = Scale(c)
	}
	if s.Low == nil && s.High == nil {
		return place, nil
	}
	low, high := math.Inf(-1), math.Inf(1)
	if s.Low != nil {
		low = *s.Low
	}
	if s.High != nil {
		high = *s.High
	}
	return func(x float64) float64 {
		if place != nil {
			x = place(x)
		}
		return min(max(x, low), high) // NaN stays
	}, nil
}

// Scale is a scale with all of its numbers as gates have it: of those of Gating-ML places run to 1 at the top, of
// others they are those of the transform.
func Scale(c transform.Column) func(x float64) float64 {
	f := transform.FunctionOf(&dataset.Column{}, c)
	o := transform.ByID(c.Op)
	if o.Standard == nil {
		return f.Forward
	}
	s := o.Standard(f.Params)
	switch {
	case s.Name == "":
		return f.Forward
	case s.Gate != nil:
		return s.Gate
	}
	return func(x float64) float64 { return s.Place(f.Forward(x)) }
}
