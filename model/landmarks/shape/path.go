package shape

import (
	"cmp"
	"math"
	"slices"

	"blossom/model/base/problem"
)

// MaxPath is how many points the path of a shape may have.
const MaxPath = 1 << 14

// Trace gives a shape the path of a stroke, in places on the plane of the frame's axes around its centre: the frame
// becomes the box around it. Points that add nothing to its course are left out. A stroke of less than two places is
// a Problem.
func (s Shape) Trace(path [][2]float64) (Shape, error) {
	path = slices.CompactFunc(slices.Clone(path), func(a, b [2]float64) bool { return a == b })
	if len(path) < 2 {
		return s, problem.New("", "draw a longer one", "the stroke is a single point")
	}
	lo, hi := path[0], path[0]
	for _, p := range path {
		for c, x := range p {
			lo[c], hi[c] = math.Min(lo[c], x), math.Max(hi[c], x)
		}
	}
	path = Simplify(path, math.Hypot(hi[0]-lo[0], hi[1]-lo[1])/3000)
	if len(path) > MaxPath {
		return s, problem.New("", "draw a simpler one", "the stroke has %d corners", len(path))
	}
	centre := s.Frame.Out(Vec{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2})
	s.Frame.Centre = centre
	s.Frame.Size[0], s.Frame.Size[1] = hi[0]-lo[0], hi[1]-lo[1]
	s.Path = make([][2]float64, len(path))
	for i, p := range path {
		for c, x := range p {
			if d := hi[c] - lo[c]; d > 0 {
				s.Path[i][c] = math.Max(-0.5, math.Min(0.5, (x-lo[c])/d-0.5))
			}
		}
	}
	return s.Fitted(), s.check()
}

// Simplify leaves out points that lie within a tolerance of the line between those that stay (Ramer, Douglas and
// Peucker).
func Simplify(path [][2]float64, tolerance float64) [][2]float64 {
	keep := make([]bool, len(path))
	keep[0], keep[len(path)-1] = true, true
	todo := [][2]int{{0, len(path) - 1}}
	for len(todo) > 0 {
		a, b := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		far, at := tolerance, -1
		for i := a + 1; i < b; i++ {
			if d := fromLine(path[i], path[a], path[b]); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			todo = append(todo, [2]int{a, at}, [2]int{at, b})
		}
	}
	out := path[:0:0]
	for i, p := range path {
		if keep[i] {
			out = append(out, p)
		}
	}
	return out
}

// fromLine is the distance of p from the stretch between a and b.
func fromLine(p, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = math.Max(0, math.Min(1, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/l))
	}
	return math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy)
}

// path is the path of the shape in units of the map.
func (s Shape) path() [][2]float64 {
	out := make([][2]float64, len(s.Path))
	for i, p := range s.Path {
		q := s.scaled(Vec{p[0], p[1]})
		out[i] = [2]float64{q[0], q[1]}
	}
	return out
}

// along returns n places at even distances along a path, both ends included.
func along(path [][2]float64, n int) []Vec {
	at := make([]float64, len(path)) // how far along
	for i := 1; i < len(path); i++ {
		at[i] = at[i-1] + math.Hypot(path[i][0]-path[i-1][0], path[i][1]-path[i-1][1])
	}
	out := make([]Vec, n)
	seg := 0
	for i := range out {
		want := at[len(at)-1] * float64(i) / math.Max(1, float64(n-1))
		for seg < len(path)-2 && at[seg+1] < want {
			seg++
		}
		t := 0.0
		if d := at[seg+1] - at[seg]; d > 0 {
			t = math.Max(0, math.Min(1, (want-at[seg])/d))
		}
		for c := range path[0] {
			out[i][c] = path[seg][c] + t*(path[seg+1][c]-path[seg][c])
		}
	}
	return out
}

// length is how long a path is.
func length(path [][2]float64) (l float64) {
	for i := 1; i < len(path); i++ {
		l += math.Hypot(path[i][0]-path[i-1][0], path[i][1]-path[i-1][1])
	}
	return l
}

// within returns the stretches of the row at height y that a closed path winds around (the nonzero rule): where an
// outline crosses itself, what it has gone round twice is within as well.
func within(path [][2]float64, y float64) (out []span) {
	type crossing struct {
		x float64
		d int
	}
	var all []crossing
	for i, j := 0, len(path)-1; i < len(path); j, i = i, i+1 {
		a, b := path[j], path[i]
		if (a[1] > y) == (b[1] > y) {
			continue
		}
		d := 1
		if a[1] > y {
			d = -1
		}
		all = append(all, crossing{a[0] + (y-a[1])*(b[0]-a[0])/(b[1]-a[1]), d})
	}
	slices.SortFunc(all, func(a, b crossing) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(b.d, a.d)) })
	winding := 0
	for i, c := range all {
		if winding += c.d; winding != 0 && i+1 < len(all) {
			if n := len(out); n > 0 && out[n-1][1] == c.x {
				out[n-1][1] = all[i+1].x
			} else {
				out = append(out, span{c.x, all[i+1].x})
			}
		}
	}
	return out
}
