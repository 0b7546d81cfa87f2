package selection

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/problem"
)

// TestScreen: the projection is that of a view, and what is not seen has none.
func TestScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t, 3)
		p := randomPoints(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), 20, 3, false)
		for i := range p.Len() {
			x, y, w, ok := slowScreen(v, p, i)
			gx, gy, depth, gok := v.Screen(p.Pos[3*i], p.Pos[3*i+1], p.Pos[3*i+2])
			if ok != gok {
				t.Fatalf("point %d is seen: %v, not %v", i, gok, ok)
			}
			if v.M[3] == 0 && v.M[7] == 0 && v.M[11] == 0 { // a flat map, however its numbers are scaled
				w = 1
			}
			near := math.Abs(w) < 1e-3 // near the plane of the eye, where rounding is magnified
			if ok && !near && (math.Hypot(x-gx, y-gy) > 1e-9*(1+math.Hypot(x, y)) || math.Abs(depth-w) > 1e-12) {
				t.Fatalf("point %d is at (%v, %v) %v, not (%v, %v) %v", i, gx, gy, depth, x, y, w)
			}
		}
	})
}

// TestProject: many points at once are where each of them is, and those not seen are at NaN.
func TestProject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.IntRange(2, 3).Draw(t, "dims")
		v := anyView(t, dims)
		n := rapid.SampledFrom(sizes).Draw(t, "n")
		p := randomPoints(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), n, dims, false)
		x, y, depth := make([]float64, n), make([]float64, n), make([]float64, n)
		v.Project(p.Pos, dims, x, y, depth)
		for i := range n {
			var z float32
			if dims == 3 {
				z = p.Pos[3*i+2]
			}
			wx, wy, w, ok := v.Screen(p.Pos[i*dims], p.Pos[i*dims+1], z)
			if ok != seen(x[i], y[i]) || ok && (x[i] != wx || y[i] != wy || depth[i] != w) {
				t.Fatalf("point %d is at (%v, %v) %v, not (%v, %v) %v, %v", i, x[i], y[i], depth[i], wx, wy, w, ok)
			}
		}
	})
}

// TestPick: exactly the points that the textbook's test finds at their places.
func TestPick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		dims := rapid.IntRange(2, 3).Draw(t, "dims")
		n := rapid.SampledFrom(append([]int{block - 1, block, 2*block + 65}, sizes...)).Draw(t, "n")
		v := anyView(t, dims)
		p := randomPoints(r, n, dims, rapid.Bool().Draw(t, "whole"))
		var region Region
		var in func(at Point) bool
		w, h := float64(v.W), float64(v.H)
		switch rapid.SampledFrom([]string{"rectangle", "ellipse", "lasso", "brush"}).Draw(t, "shape") {
		case "brush":
			path := randomPath(r, rapid.IntRange(0, 300).Draw(t, "vertices"), w, h)
			radius := math.Pow(10, 5*r.Float64()-3) * (w + h) / 20
			region = Brush(path, radius)
			in = func(at Point) bool { return slowUnder(path, at, radius) }
		case "rectangle":
			a, b := Point{r.Float64() * w, r.Float64() * h}, Point{r.Float64() * w, r.Float64() * h}
			region = Rect(a, b)
			in = func(at Point) bool {
				return at.X >= min(a.X, b.X) && at.X <= max(a.X, b.X) && at.Y >= min(a.Y, b.Y) && at.Y <= max(a.Y, b.Y)
			}
		case "ellipse":
			a, b := Point{r.Float64() * w, r.Float64() * h}, Point{r.Float64() * w, r.Float64() * h}
			region = Ellipse(a, b)
			in = func(at Point) bool { return slowOval(a, b, at) }
		case "lasso":
			path := randomPath(r, rapid.IntRange(0, 300).Draw(t, "vertices"), w, h)
			region = Lasso(path)
			in = func(at Point) bool { return len(path) > 2 && slowInside(path, at) }
		}
		s, err := Pick(context.Background(), region, v, p)
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() != n {
			t.Fatalf("of %d rows, not %d", s.Len(), n)
		}
		for i := range n {
			z := float32(0)
			if dims == 3 {
				z = p.Pos[3*i+2]
			}
			x, y, _, ok := v.Screen(p.Pos[i*dims], p.Pos[i*dims+1], z)
			want := ok && in(Point{x, y})
			if s.Contains(p.Row(i)) != want || region.Contains(Point{x, y}) != (ok && want) {
				t.Fatalf("point %d at (%v, %v): %v, %v", i, x, y, s.Contains(p.Row(i)), region.Contains(Point{x, y}))
			}
		}
	})
}

// TestCells: places that lie on vertices, on their heights, on edges and beside them by a rounding.
func TestCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		w := rapid.SampledFrom([]float64{1, 1000, 1e6}).Draw(t, "w")
		path := randomPath(r, rapid.SampledFrom([]int{3, 4, 5, 10, 100, 1000}).Draw(t, "vertices"), w, w)
		if rapid.Bool().Draw(t, "far") {
			for i := range path {
				path[i].X += 1e8
			}
		}
		region := Lasso(path)
		test, err := region.tester(context.Background(), rapid.SampledFrom([]int{1, 1000, 10_000_000}).Draw(t, "for"))
		if err != nil {
			t.Fatal(err)
		}
		var x, y []float64
		for range 64 {
			a, b := path[r.IntN(len(path))], path[r.IntN(len(path))]
			i := r.IntN(len(path))
			c, d := path[i], path[(i+1)%len(path)]
			u := r.Float64()
			p := []Point{a, {a.X, b.Y}, {c.X + u*(d.X-c.X), c.Y + u*(d.Y-c.Y)},
				{region.lo.X + u*(region.hi.X-region.lo.X), a.Y}}[r.IntN(4)]
			if cells, ok := test.(*cells); ok && r.IntN(4) == 0 { // where cells meet
				p.X = cells.x0 + float64(r.IntN(cells.side+1))/cells.ix
				p.Y = cells.top(r.IntN(cells.side + 1))
			}
			for range r.IntN(3) {
				p.X = math.Nextafter(p.X, math.Inf(1-2*r.IntN(2)))
				p.Y = math.Nextafter(p.Y, math.Inf(1-2*r.IntN(2)))
			}
			x, y = append(x, p.X), append(y, p.Y)
		}
		m := test.mask(x, y)
		for i := range x {
			if got, want := m>>i&1 != 0, slowInside(path, Point{x[i], y[i]}); got != want {
				t.Fatalf("(%v, %v) in %v: %v", x[i], y[i], path, got)
			}
		}
	})
}

func TestStrangeRegions(t *testing.T) {
	ctx := context.Background()
	v := flatView(0, 0, 100, 400, 400)
	p := randomPoints(rand.New(rand.NewPCG(1, 2)), 5000, 2, true)
	nan, inf := math.NaN(), math.Inf(1)
	square := []Point{{100, 100}, {300, 100}, {300, 300}, {100, 300}}
	want, _ := Pick(ctx, Lasso(square), v, p)
	if want.Empty() {
		t.Fatal("nothing in the square")
	}
	for name, c := range map[string]struct {
		r    Region
		want *Set
	}{
		"zero":      {Region{}, nil},
		"no path":   {Lasso(nil), nil},
		"one":       {Lasso(square[:1]), nil},
		"two":       {Lasso(square[:2]), nil},
		"NaN":       {Lasso([]Point{{nan, 1}, {2, nan}, {inf, 3}, {4, -inf}}), nil},
		"some NaN":  {Lasso([]Point{square[0], {nan, 1}, square[1], square[2], {inf, inf}, square[3]}), want},
		"closed":    {Lasso([]Point{square[0], square[1], square[2], square[3], square[0]}), want},
		"twice":     {Lasso(append(append([]Point{}, square...), square...)), nil},
		"one place": {Lasso([]Point{{200, 200}, {200, 200}, {200, 200}, {200, 200}}), nil},
		"rect NaN":  {Rect(Point{nan, 0}, Point{400, 400}), nil},
		"all":       {Rect(Point{-inf, -inf}, Point{inf, inf}), nil},
		"huge":      {Lasso([]Point{{-1e300, -1e300}, {1e300, -1e300}, {1e300, 1e300}, {-1e300, 1e300}}), nil},
		"tiny":      {Lasso([]Point{{0, 0}, {5e-324, 0}, {0, 5e-324}}), nil},
	} {
		got, err := Pick(ctx, c.r, v, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "all" || name == "huge" {
			for i := range p.Len() {
				_, _, _, ok := v.Screen(p.Pos[2*i], p.Pos[2*i+1], 0)
				if got.Contains(p.Row(i)) != ok {
					t.Fatalf("%s: point %d", name, i)
				}
			}
			continue
		}
		if !Equal(got, c.want) {
			t.Errorf("%s: %d points", name, got.Count())
		}
	}
}

// A lasso of 100,000 points, that crosses itself and one that does not.
func TestLongLasso(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	v := flatView(0, 0, 400, 1000, 1000)
	p := randomPoints(r, 700, 2, false)
	for name, path := range map[string][]Point{
		"round": longRound(100_000), "scribble": randomPath(r, 100_000, 1000, 1000),
	} {
		region := Lasso(path)
		s, err := Pick(context.Background(), region, v, p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Len() {
			x, y, _, ok := v.Screen(p.Pos[2*i], p.Pos[2*i+1], 0)
			if s.Contains(p.Row(i)) != (ok && slowInside(path, Point{x, y})) {
				t.Fatalf("%s: point %d", name, i)
			}
		}
	}
}

// longRound is a lasso around the middle of a 1000 x 1000 screen, with a hand that trembles.
func longRound(m int) []Point {
	path := make([]Point, m)
	for i := range path {
		a := 2 * math.Pi * float64(i) / float64(m)
		d := 300 + 40*math.Sin(7*a) + 5*math.Sin(2000*a)
		path[i] = Point{500 + d*math.Cos(a), 500 + d*math.Sin(a)}
	}
	return path
}

// TestCores: the same bits on any number of cores.
func TestCores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	v := spaceView(0.4, 0.3, 3, 800, 600)
	p := randomPoints(r, 5*block+77, 3, false)
	p.Order = nil
	for _, row := range r.Perm(p.Len()) {
		p.Order = append(p.Order, int32(row))
	}
	region := Lasso(longRound(60))
	pick := func(cores int) *Set {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		s, err := Pick(context.Background(), region, v, p)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if a, b := pick(1), pick(7); !Equal(a, b) || a.Empty() {
		t.Errorf("%d and %d points", a.Count(), b.Count())
	}
}

// A region that is moved encloses what is moved with it, be it a rectangle or a lasso.
func TestMovedRegion(t *testing.T) {
	move := func(p Point) Point { return Point{2*p.X - 80, 2*p.Y - 60} }
	for name, r := range map[string]Region{
		"rectangle": Rect(Point{90, 10}, Point{20, 70}), "lasso": Lasso([]Point{{20, 10}, {90, 15}, {55, 70}}),
	} {
		moved, in := r.Moved(move), 0
		rng := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			p := Point{rng.Float64() * 100, rng.Float64() * 100}
			if r.Contains(p) != moved.Contains(move(p)) {
				t.Fatalf("%s: %v and where it is moved to differ", name, p)
			}
			if r.Contains(p) {
				in++
			}
		}
		if in < 200 || in > 1800 {
			t.Fatalf("%s: %d of 2000 points inside", name, in)
		}
	}
	if (Region{}).Moved(move).Contains(Point{-80, -60}) || Lasso(nil).Moved(move).Contains(Point{-80, -60}) {
		t.Fatal("an empty region has got something inside")
	}
}
func TestRefused(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	all := Rect(Point{-1e9, -1e9}, Point{1e9, 1e9})
	v := flatView(0, 0, 1, 10, 10)
	for name, p := range map[string]Points{
		"no dims": {Pos: make([]float32, 4)}, "four dims": {Pos: make([]float32, 4), Dims: 4},
		"odd": {Pos: make([]float32, 5), Dims: 2}, "order": {Pos: make([]float32, 4), Dims: 2, Order: []int32{0}},
		"rows": {Pos: make([]float32, 4), Dims: 2, Order: []int32{0, 2}},
		"less": {Pos: make([]float32, 4), Dims: 2, Order: []int32{0, -1}},
	} {
		var problems *problem.Problem
		if _, err := Pick(ctx, all, v, p); !errors.As(err, &problems) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cancel()
	p := randomPoints(rand.New(rand.NewPCG(1, 1)), 3*block, 2, false)
	for _, r := range []Region{{}, all, Lasso(longRound(100))} {
		if _, err := Pick(ctx, r, v, p); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}
