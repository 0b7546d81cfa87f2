package selection

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// Ellipses hold exactly the points that the plain formula says, among a million, flat and in space.
func TestAnEllipseHoldsWhatTheFormulaSays(t *testing.T) {
	for dims, v := range map[int]View{2: flatView(0.1, -0.2, 300, 900, 700), 3: spaceView(0.4, 0.3, 3, 900, 700)} {
		p := randomPoints(rand.New(rand.NewPCG(3, uint64(dims))), 1_000_000, dims, false)
		a, b := Point{700, 180}, Point{250, 590}
		s, err := Pick(context.Background(), Ellipse(a, b), v, p)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := range p.Len() {
			z := float32(0)
			if dims == 3 {
				z = p.Pos[3*i+2]
			}
			x, y, _, ok := v.Screen(p.Pos[i*dims], p.Pos[i*dims+1], z)
			in := ok && slowOval(a, b, Point{x, y})
			if in {
				n++
			}
			if s.Contains(p.Row(i)) != in {
				t.Fatalf("%dD: point %d at (%v, %v): in %v", dims, i, x, y, s.Contains(p.Row(i)))
			}
		}
		if s.Count() != n || n < 1000 {
			t.Errorf("%dD: %d points, not %d", dims, s.Count(), n)
		}
	}
}

// Ellipses without an area, and those that are no places, hold nothing.
func TestEllipsesWithoutAnAreaHoldNothing(t *testing.T) {
	v := flatView(0, 0, 100, 400, 400)
	p := randomPoints(rand.New(rand.NewPCG(1, 2)), 5000, 2, true)
	inf := math.Inf(1)
	for _, r := range []Region{Ellipse(Point{100, 100}, Point{100, 300}), Ellipse(Point{100, 200}, Point{300, 200}),
		Ellipse(Point{200, 200}, Point{200, 200}), Ellipse(Point{nan, 0}, Point{400, 400}),
		Ellipse(Point{-inf, -inf}, Point{inf, inf})} {
		s, err := Pick(context.Background(), r, v, p)
		if err != nil || !s.Empty() {
			t.Errorf("%v holds %d points, %v", r, s.Count(), err)
		}
		if r.Contains(Point{200, 200}) {
			t.Errorf("%v holds its middle", r)
		}
	}
}

// Corners of an ellipse as a polygon lie on its rim, and its sides stay near it.
func TestAnEllipseAsAPolygonHasItsShape(t *testing.T) {
	a, b := Point{100, 200}, Point{900, 600}
	path, rectangle := Ellipse(a, b).Outline()
	if rectangle || len(path) < 16 {
		t.Fatalf("%d corners, a rectangle: %v", len(path), rectangle)
	}
	for i, p := range path {
		q := path[(i+1)%len(path)]
		x, y := (p.X+q.X-1000)/2/400, (p.Y+q.Y-800)/2/200
		px, py := (p.X-500)/400, (p.Y-400)/200
		if d := math.Hypot(px, py); math.Abs(d-1) > 1e-12 || 1-math.Hypot(x, y) > 1e-3 {
			t.Errorf("corner %v: %v, and the middle of its side %v", p, d, math.Hypot(x, y))
		}
	}
}
