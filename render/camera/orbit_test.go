package camera

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func norm(v Vec) float64 { return math.Sqrt(v.dot(v)) }

// orthonormal says how far three directions are from being at right angles, of length 1 and right-handed.
func orthonormal(c *Orbit) float64 {
	r, u, b := c.axes()
	return math.Abs(norm(r)-1) + math.Abs(norm(u)-1) + math.Abs(r.dot(u)) + norm(r.cross(u).sub(b))
}

// TestTurntable: the world's y axis stays upright, and tilting ends at the poles.
func TestTurntable(t *testing.T) {
	c := NewOrbit(640, 480)
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range 20000 {
		c.Rotate(rng.NormFloat64()*90, rng.NormFloat64()*60)
		right, up, _ := c.axes()
		if e := orthonormal(c); e > 1e-9 || math.Abs(right.Y) > 1e-9 || up.Y < -1e-9 {
			t.Fatalf("right %v, up %v, off by %g", right, up, e)
		}
	}
	c.SetTurnTilt(1, 0)
	c.Rotate(0, 1e6)
	if turn, tilt := c.TurnTilt(); math.Abs(tilt-math.Pi/2) > 1e-7 || math.Abs(turn-1) > 1e-6 {
		t.Errorf("at the pole: turn %v, tilt %v", turn, tilt)
	}
	c.Rotate(0, -480.0/2) // and back, on the same side
	if turn, tilt := c.TurnTilt(); math.Abs(tilt) > 1e-6 || math.Abs(turn-1) > 1e-6 {
		t.Errorf("back from the pole: turn %v, tilt %v", turn, tilt)
	}
	// A point in front of the centre goes the way of the mouse.
	c.SetTurnTilt(0, 0)
	p := c.Centre.add(Vec{Z: 0.3})
	x0, y0, _ := c.ScreenFromWorld(p)
	c.Rotate(10, 5)
	if x, y, _ := c.ScreenFromWorld(p); !(x > x0 && y > y0) {
		t.Errorf("a drag to the right and down moved a point by (%v, %v)", x-x0, y-y0)
	}
}

// TestFreeOrbit turns through any direction: there is no pole where a drag stops, and rounding does not add up.
func TestFreeOrbit(t *testing.T) {
	c := NewOrbit(640, 480)
	c.Free = true
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	for range 100000 {
		c.Rotate(rng.NormFloat64()*50, rng.NormFloat64()*50)
		c.Roll(rng.NormFloat64())
		// A point in front of the centre moves by the drag, to first order, from wherever one looks.
		p := c.Centre.add(c.facing.turn(Vec{Z: 1e-3 * c.Distance}))
		x0, y0, _ := c.ScreenFromWorld(p)
		d := *c
		d.Rotate(3, -2)
		x, y, _ := d.ScreenFromWorld(p)
		if dx, dy := x-x0, y-y0; !(dx > 0 && dy < 0) || math.Abs(dy/dx+2.0/3) > 1e-3 {
			t.Fatalf("a drag by (3, -2) moved a point by (%v, %v)", dx, dy)
		}
	}
	if e := orthonormal(c); e > 1e-12 {
		t.Errorf("the axes are off by %g after many turns", e)
	}
	before := c.facing
	for range 960 / 5 { // twice around
		c.Rotate(0, 5)
	}
	if d := math.Abs(before.dot(c.facing)); math.Abs(d-1) > 1e-9 {
		t.Errorf("two whole turns end elsewhere: %v", d)
	}
	c.Free = false
	c.Rotate(0, 0)
	if right, up, _ := c.axes(); math.Abs(right.Y) > 1e-9 || up.Y < 0 {
		t.Error("a turntable that was free is not upright")
	}
	c.Reset()
	if c.facing != NewOrbit(9, 9).facing {
		t.Error("reset")
	}
}

// TestDragInThePlaneOfTheScreen: a point follows the mouse and keeps its distance from the eye.
func TestDragInThePlaneOfTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewOrbit(640, 480)
		c.Free = true
		c.Fit(box, Even(10))
		c.Rotate(rapid.Float64Range(-900, 900).Draw(t, "rx"), rapid.Float64Range(-900, 900).Draw(t, "ry"))
		c.Pan(rapid.Float64Range(-90, 90).Draw(t, "px"), 20)
		p := Vec{rapid.Float64Range(-3, 7).Draw(t, "x"), rapid.Float64Range(2, 5).Draw(t, "y"), 1}
		x, y := rapid.Float64Range(-50, 700).Draw(t, "sx"), rapid.Float64Range(-50, 500).Draw(t, "sy")
		q := c.WorldFromScreenAt(x, y, p)
		if e := c.Eye(); math.Abs(e.Depth(p)-e.Depth(q)) > 1e-9 {
			t.Fatalf("depth %v became %v", e.Depth(p), e.Depth(q))
		}
		if sx, sy, ok := c.ScreenFromWorld(q); !ok || math.Hypot(sx-x, sy-y) > 1e-7 {
			t.Fatalf("(%v, %v) is at (%v, %v)", x, y, sx, sy)
		}
		px, py, _ := c.ScreenFromWorld(p)
		if back := c.WorldFromScreenAt(px, py, p); norm(back.sub(p)) > 1e-9 {
			t.Fatalf("a point that is not moved went from %v to %v", p, back)
		}
	})
	c := NewOrbit(640, 480)
	behind := c.Eye().At.add(c.Eye().Back)
	if got := c.WorldFromScreenAt(3, 4, behind); got != behind {
		t.Errorf("a point behind the eye was dragged to %v", got)
	}
	if got := NewFlat(64, 64).WorldFromScreenAt(32, 32, Vec{Z: 3}); math.Abs(got.X-0.5) > 1e-12 || got.Z != 3 {
		t.Errorf("on a flat map: %v", got)
	}
}

// The place that is kept of a camera brings the same picture back, also in a window of another size.
func TestACameraComesBack(t *testing.T) {
	flat, orbit := NewFlat(640, 480), NewOrbit(640, 480)
	orbit.Free = true
	for _, c := range []Camera{flat, orbit} {
		c.Fit(box, Even(10))
		c.Pan(40, -30)
		c.ZoomAt(100, 100, 1.7)
	}
	orbit.Rotate(333, 200)
	orbit.Roll(1)
	for i, c := range []Camera{flat, orbit} {
		text, err := json.Marshal(c.Place())
		if err != nil {
			t.Fatal(err)
		}
		var p Place
		if err := json.Unmarshal(text, &p); err != nil || p != c.Place() {
			t.Fatalf("%s: %+v, %v", text, p, err)
		}
		again := []Camera{NewFlat(1280, 960), NewOrbit(1280, 960)}[i]
		again.SetPlace(p)
		for range 50 {
			v := Vec{10*rand.Float64() - 3, 3*rand.Float64() + 2, 0}
			x, y, _ := c.ScreenFromWorld(v)
			ax, ay, ok := again.ScreenFromWorld(v)
			if !ok || math.Hypot(2*x-ax, 2*y-ay) > 1e-8 {
				t.Fatalf("%T: (%v, %v) of half the size is at (%v, %v)", c, x, y, ax, ay)
			}
		}
		want := again.Place()
		for _, bad := range []Place{{}, {Span: -1}, {Span: math.NaN()}, {Span: math.Inf(1)},
			{Centre: Vec{X: math.NaN()}, Span: 1}} {
			if again.SetPlace(bad); again.Place() != want {
				t.Errorf("%T went to %+v", c, bad)
			}
		}
	}
}

func TestMix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Place {
			c := NewOrbit(300, 200)
			c.Free = true
			c.Fit(box, Even(10))
			c.Rotate(rapid.Float64Range(-900, 900).Draw(t, name+" x"), rapid.Float64Range(-900, 900).Draw(t, name+" y"))
			c.ZoomAt(rapid.Float64Range(0, 300).Draw(t, name+" at"), 50,
				rapid.Float64Range(0.1, 20).Draw(t, name+" zoom"))
			return c.Place()
		}
		a, b := draw("a"), draw("b")
		if Mix(a, b, 0) != a || Mix(a, b, 1) != b || Mix(a, b, -1) != a || Mix(a, b, math.NaN()) != a {
			t.Fatal("the ends")
		}
		last, turned := a, 0.0
		for i := 1; i <= 100; i++ {
			p := Mix(a, b, float64(i)/100)
			if r := p.Span / last.Span; math.Abs(r-math.Pow(b.Span/a.Span, 0.01)) > 1e-9 {
				t.Fatalf("step %d zooms by %v", i, r)
			}
			q, _ := fromArray(p.Facing)
			l, _ := fromArray(last.Facing)
			turned += 2 * math.Acos(math.Min(math.Abs(q.dot(l)), 1))
			last = p
		}
		if turned > math.Pi+1e-3 {
			t.Fatalf("turned by %v", turned)
		}
	})
	// A zoom at a pixel keeps what is under it there all the way.
	c := NewFlat(400, 300)
	from := c.Place()
	under := c.WorldFromScreen(90, 40)
	c.ZoomAt(90, 40, 30)
	to := c.Place()
	for i := range 11 {
		c.SetPlace(Mix(from, to, float64(i)/10))
		if x, y, _ := c.ScreenFromWorld(under); math.Hypot(x-90, y-40) > 1e-6 {
			t.Errorf("at %d tenths the point is at (%v, %v)", i, x, y)
		}
	}
	if got := Mix(from, Place{}, 0.5); got != from {
		t.Errorf("to nowhere: %+v", got)
	}
}

// TestDegenerateBounds: one point, a line, a plane: all cameras stay finite and see the middle.
func TestDegenerateBounds(t *testing.T) {
	for _, b := range []Bounds{{}, {Vec{5, 5, 5}, Vec{5, 5, 5}}, {Vec{1e30, 0, 0}, Vec{1e30, 0, 0}},
		{Vec{0, 1, 2}, Vec{9, 1, 2}}, {Vec{0, 1, 2}, Vec{9, 4, 2}}, {Vec{0, 0, 0}, Vec{0, 0, 1e-30}}, {Vec{-1e18, 0, 0},
			Vec{1e18, 1, 1}}} {
		for _, c := range []Camera{NewFlat(300, 200), NewOrbit(300, 200)} {
			c.Fit(b, Even(20))
			c.SetLimits(b)
			c.ZoomAt(150, 100, 3)
			if x, y, ok := c.ScreenFromWorld(b.centre()); !ok || math.Hypot(x-150, y-100) > 1e-3 {
				t.Errorf("%T, %v: the middle is at (%v, %v)", c, b, x, y)
			}
			p := c.Projection()
			for _, m := range append(p.M[:], p.Near, p.Far, p.Reference) {
				if m-m != 0 {
					t.Errorf("%T, %v: %v", c, b, p)
					break
				}
			}
			if !c.Place().valid() {
				t.Errorf("%T, %v: place %+v", c, b, c.Place())
			}
		}
	}
}
