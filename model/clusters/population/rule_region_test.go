package population

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

var someMap = Map{Kind: "embedsom", Dims: 2}

// placesOf are inputs with one map, whose points are in an order where there is one.
func placesOf(rows int, pos []float32, order []int32) Inputs {
	return Inputs{Rows: rows, Places: func(of Map) (Places, error) {
		if of.Key() != someMap.Key() {
			return Places{}, problem.New("", "x", "no such map")
		}
		return Places{pos, order}, nil
	}}
}

// inStroke is the definition: sides belong to a rectangle, and a polygon is filled by the even-odd rule.
func inStroke(s Stroke, x, y float64) (in bool) {
	if s.Shape == Rectangle {
		a, b := s.Path[0], s.Path[1]
		return x >= min(a[0], b[0]) && x <= max(a[0], b[0]) && y >= min(a[1], b[1]) && y <= max(a[1], b[1])
	}
	for i, p := range s.Path {
		q := s.Path[(i+len(s.Path)-1)%len(s.Path)]
		if (p[1] > y) != (q[1] > y) && x < (q[0]-p[0])*(y-p[1])/(q[1]-p[1])+p[0] {
			in = !in
		}
	}
	return in
}

// Regions of random strokes, which cross themselves, have the rows that a plain loop finds, in any order of the points.
func TestARegionHasWhatLiesWithinItsStrokes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 31, 32, 33, 1000, 20_000} {
		pos := make([]float32, 2*n)
		for i := range pos {
			if pos[i] = float32(r.NormFloat64()); r.IntN(50) == 0 {
				pos[i] = float32(math.NaN())
			}
		}
		for round := range 12 {
			var order []int32
			if round%2 == 1 {
				for _, p := range r.Perm(n) {
					order = append(order, int32(p))
				}
			}
			rule := &Region{Of: someMap}
			for range 1 + r.IntN(4) {
				s := Stroke{Does: []string{Adds, Adds, Takes, Intersects}[r.IntN(4)], Shape: Polygon}
				corners := 3 + r.IntN(12)
				if r.IntN(3) == 0 {
					s.Shape, corners = Rectangle, 2
				}
				for range corners {
					s.Path = append(s.Path, [2]float64{1.5 * r.NormFloat64(), 1.5 * r.NormFloat64()})
				}
				rule.Strokes = append(rule.Strokes, s)
			}
			raw, err := EncodeRule(rule)
			if err != nil {
				t.Fatal(err)
			}
			read, err := DecodeRule(raw, n)
			if err != nil || !read.(*Region).Equal(rule) {
				t.Fatalf("read again: %v, %s", err, raw)
			}
			got, err := read.Rows(t.Context(), placesOf(n, pos, order))
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				row, want := i, false
				if order != nil {
					row = int(order[i])
				}
				for _, s := range rule.Strokes {
					in := inStroke(s, float64(pos[2*i]), float64(pos[2*i+1]))
					switch s.Does {
					case Adds:
						want = want || in
					case Takes:
						want = want && !in
					default:
						want = want && in
					}
				}
				if got.Contains(row) != want {
					t.Fatalf("%d points, round %d: row %d at %v: %v", n, round, row, pos[2*i:2*i+2], !want)
				}
			}
		}
	}
}

// Coordinates may be as large as floats are: what is on a screen is not.
func TestARegionFarOut(t *testing.T) {
	far := float64(float32(3e20))
	pos := []float32{0, 0, 3e20, 3e20, 2e20, 1e20}
	rule := &Region{Of: someMap, Strokes: []Stroke{{Adds, Rectangle, [][2]float64{{far / 2, 0}, {far, far}}}}}
	got, err := rule.Rows(t.Context(), placesOf(3, pos, nil))
	if err != nil || got.Contains(0) || !got.Contains(1) || !got.Contains(2) {
		t.Errorf("%v %v", got, err)
	}
}

// All and none: an outline around everything, one around nothing, and one of 10,000 corners, as many as there may be.
func TestARegionOfAllAndOfNone(t *testing.T) {
	const n = 5000
	r := rand.New(rand.NewPCG(1, 2))
	pos := make([]float32, 2*n)
	for i := range pos {
		pos[i] = r.Float32()
	}
	round := Stroke{Adds, Polygon, nil}
	for i := range MostCorners {
		a := 2 * math.Pi * float64(i) / MostCorners
		round.Path = append(round.Path, [2]float64{0.5 + math.Cos(a), 0.5 + math.Sin(a)})
	}
	for _, c := range []struct {
		stroke Stroke
		want   int
	}{
		{Stroke{Adds, Rectangle, [][2]float64{{-1, -1}, {2, 2}}}, n},
		{Stroke{Adds, Rectangle, [][2]float64{{2, 2}, {3, 3}}}, 0},
		{Stroke{Adds, Polygon, [][2]float64{{0, 0}, {1, 1}, {0, 0}}}, 0},
		{Stroke{Takes, Rectangle, [][2]float64{{-1, -1}, {2, 2}}}, 0},
		{round, n},
	} {
		got, err := (&Region{someMap, []Stroke{c.stroke}}).Rows(t.Context(), placesOf(n, pos, nil))
		if err != nil || got.Count() != c.want {
			t.Errorf("%s of %d corners: %d, %v", c.stroke.Shape, len(c.stroke.Path), got.Count(), err)
		}
	}
}

// A rule that is no region costs itself alone, and says why.
func TestWhatIsNoRegionIsRefused(t *testing.T) {
	many := "[1,2]" + strings.Repeat(",[1,2]", MostCorners)
	for _, raw := range []string{`{}`, `[]`, `"x"`, `{"map":{"kind":"pca","dims":3},"strokes":[]}`,
		`{"map":{"kind":"pca","dims":2},"strokes":[]}`,
		`{"map":{"kind":"pca","dims":2},"strokes":[{"does":"add","shape":"polygon","path":[[0,0],[1,1]]}]}`,
		`{"map":{"kind":"pca","dims":2},"strokes":[{"does":"add","shape":"rectangle","path":[[0,0],[1,1],[2,2]]}]}`,
		`{"map":{"kind":"pca","dims":2},"strokes":[{"does":"add","shape":"quadrant","path":[[0,0],[1,1]]}]}`,
		`{"map":{"kind":"pca","dims":2},"strokes":[{"does":"","shape":"rectangle","path":[[0,0],[1,1]]}]}`,
		`{"map":{"kind":"pca","dims":2},"strokes":[{"does":"add","shape":"rectangle","path":[[0,0],[1,1e300]]}]}`,
		`{"map":{"kind":"pca","dims":2},"strokes":[{"does":"add","shape":"polygon","path":[` + many + `]}]}`,
		`{"map":{"kind":"","dims":2},"strokes":[{"does":"add","shape":"rectangle","path":[[0,0],[1,1]]}]}`} {
		_, err := DecodeRule([]byte(`{"region":`+raw+`}`), 10)
		if p := (*problem.Problem)(nil); !errors.As(err, &p) || p.Remedy == "" {
			t.Errorf("%.120s: %v", raw, err)
		}
	}
}

// Without its map a region says so, and with one of other points, too.
func TestARegionWithoutItsMap(t *testing.T) {
	rule := &Region{Map{Kind: "pca", Dims: 2}, []Stroke{{Adds, Rectangle, [][2]float64{{0, 0}, {1, 1}}}}}
	here := &Region{someMap, rule.Strokes}
	for _, c := range []struct {
		rule *Region
		in   Inputs
	}{{rule, Inputs{Rows: 3}}, {rule, placesOf(3, make([]float32, 6), nil)},
		{here, placesOf(4, make([]float32, 6), nil)}} {
		if _, err := c.rule.Rows(t.Context(), c.in); err == nil {
			t.Error("no error")
		}
	}
	var tree Tree
	tree, up, _ := tree.Add(Population{Name: "gone", Rule: rule})
	tree, _, _ = tree.Add(Population{Name: "in it", Parent: up, Rule: Of(selection.All(3))})
	l, err := LabelRows(t.Context(), tree, Inputs{Rows: 3})
	if err != nil || l.Why[0] == nil || !l.Sets[1].Empty() || l.None != 3 {
		t.Errorf("%+v %v", l, err)
	}
	merged := &Any{[]Rule{rule, here, here}}
	tree, _, _ = tree.Add(Population{Name: "merged", Rule: merged})
	if maps := tree.Needs().Maps; len(maps) != 2 {
		t.Errorf("maps %v", maps)
	}
}

// Corners are moved through all strokes; the region before stays as it was.
func TestCornersOfRegionsMove(t *testing.T) {
	r := &Region{someMap, []Stroke{{Adds, Rectangle, [][2]float64{{0, 0}, {1, 1}}},
		{Takes, Polygon, [][2]float64{{0, 0}, {1, 0}, {0, 1}}}}}
	moved := r.Moved(2, 5, 6)
	if moved.Strokes[0].Path[1] != [2]float64{5, 6} || r.Strokes[0].Path[1] != [2]float64{1, 1} {
		t.Errorf("%v %v", moved.Strokes, r.Strokes)
	}
	if moved = r.Moved(4+2, 7, 8); moved.Strokes[1].Path[2] != [2]float64{7, 8} {
		t.Errorf("%v", moved.Strokes)
	}
	if r.Moved(99, 1, 1); !r.Equal(&Region{someMap, r.Strokes}) {
		t.Error("a corner that there is not")
	}
}
