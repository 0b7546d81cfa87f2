package camera

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

var box = Bounds{Vec{-3, 2, -1}, Vec{7, 5, 4}}

func TestZoomAtKeepsThePointUnderTheCursor(t *testing.T) {
	for name, cam := range map[string]Camera{"flat": NewFlat(1280, 800), "orbit": NewOrbit(1280, 800)} {
		cam.Fit(box, Even(30))
		if f, ok := cam.(*Flat); ok {
			f.SetLimits(box)
		}
		r := rand.New(rand.NewPCG(3, 4))
		for i := range 10000 {
			x, y := r.Float64()*1280, r.Float64()*800
			under := cam.WorldFromScreen(x, y)
			cam.ZoomAt(x, y, math.Exp(r.NormFloat64()*0.4))
			sx, sy, ok := cam.ScreenFromWorld(under)
			if !ok || math.Hypot(sx-x, sy-y) > 1e-5 {
				t.Fatalf("%s: after zoom %d the point is %g pixels off", name, i, math.Hypot(sx-x, sy-y))
			}
		}
	}
}

// TestZoomDoesNotDrift: zooming in and out again at one place comes back.
func TestZoomDoesNotDrift(t *testing.T) {
	c := NewFlat(1280, 800)
	c.Fit(box, Margins{})
	want := *c
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		x, y := r.Float64()*1280, r.Float64()*800
		f := math.Exp(r.Float64() * 3)
		c.ZoomAt(x, y, f)
		c.ZoomAt(x, y, 1/f)
	}
	if math.Abs(c.Scale/want.Scale-1) > 1e-10 || math.Hypot(c.Centre.X-want.Centre.X,
		c.Centre.Y-want.Centre.Y)*c.Scale > 1e-6 {
		t.Errorf("%+v, want %+v", c, want)
	}
}

func TestThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cam Camera = NewFlat(640, 480)
		if rapid.Bool().Draw(t, "3d") {
			o := NewOrbit(640, 480)
			o.Rotate(rapid.Float64Range(-500, 500).Draw(t, "rx"), rapid.Float64Range(-500, 500).Draw(t, "ry"))
			cam = o
		}
		cam.Fit(box, Even(rapid.Float64Range(0, 100).Draw(t, "margin")))
		cam.Pan(rapid.Float64Range(-300, 300).Draw(t, "px"), rapid.Float64Range(-300, 300).Draw(t, "py"))
		x, y := rapid.Float64Range(0, 640).Draw(t, "x"), rapid.Float64Range(0, 480).Draw(t, "y")
		sx, sy, ok := cam.ScreenFromWorld(cam.WorldFromScreen(x, y))
		if !ok || math.Hypot(sx-x, sy-y) > 1e-8 {
			t.Fatalf("(%v, %v) comes back as (%v, %v)", x, y, sx, sy)
		}
	})
}

func TestPan(t *testing.T) {
	for _, cam := range []Camera{NewFlat(640, 480), NewOrbit(640, 480)} {
		p := cam.WorldFromScreen(100, 100)
		cam.Pan(17, -9)
		if x, y, _ := cam.ScreenFromWorld(p); math.Hypot(x-117, y-91) > 1e-9 {
			t.Errorf("%T: panned to (%v, %v)", cam, x, y)
		}
	}
}

func TestFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(50, 2000).Draw(t, "w"), rapid.IntRange(50, 2000).Draw(t, "h")
		m := Margins{rapid.Float64Range(0, 10).Draw(t, "l"), rapid.Float64Range(0, 10).Draw(t, "t"),
			rapid.Float64Range(0, 10).Draw(t, "r"), rapid.Float64Range(0, 10).Draw(t, "b")}
		at := rapid.Float64Range(-1e4, 1e4).Draw(t, "at")
		b := Bounds{Vec{at, at, at}, Vec{at + rapid.Float64Range(0.1, 50).Draw(t, "bw"), at +
			rapid.Float64Range(0.1, 50).Draw(t, "bh"), at + 1}}
		for _, cam := range []Camera{NewFlat(w, h), NewOrbit(w, h)} {
			cam.Fit(b, m)
			for i := range 8 {
				p := b.Min
				if i&1 != 0 {
					p.X = b.Max.X
				}
				if i&2 != 0 {
					p.Y = b.Max.Y
				}
				if i&4 != 0 {
					p.Z = b.Max.Z
				}
				x, y, ok := cam.ScreenFromWorld(p)
				if !ok || x < m.Left-0.01 || y < m.Top-0.01 || x > float64(w)-m.Right+0.01 ||
					y > float64(h)-m.Bottom+0.01 {
					t.Fatalf("%T: corner %d is at (%v, %v) of %d x %d with %+v", cam, i, x, y, w, h, m)
				}
			}
		}
	})
}

// TestProjectionIsTheCamera: drawing and input agree, in single precision.
func TestProjectionIsTheCamera(t *testing.T) {
	flat, orbit := NewFlat(900, 700), NewOrbit(900, 700)
	flat.Fit(box, Even(20))
	orbit.Fit(box, Even(20))
	orbit.Rotate(140, -60)
	r := rand.New(rand.NewPCG(1, 1))
	for _, cam := range []Camera{flat, orbit} {
		for _, tile := range [][4]int{{0, 0, 900, 700}, {100, 300, 200, 50}, {-40, -40, 980, 780}} {
			p := cam.Projection().Tile(tile[0], tile[1], tile[2], tile[3])
			for range 100 {
				v := Vec{-3 + 10*r.Float64(), 2 + 3*r.Float64(), 0}
				if cam == Camera(orbit) {
					v.Z = 5*r.Float64() - 1
				}
				wx, wy, _ := cam.ScreenFromWorld(v)
				x, y, w := apply(p, v)
				if math.Hypot(x+float64(tile[0])-wx, y+float64(tile[1])-wy) > 0.01 {
					t.Fatalf("%T: drawn at (%v, %v), is at (%v, %v)", cam, x, y, wx, wy)
				}
				if cam == Camera(flat) && w != 1 {
					t.Fatalf("w %v on a flat map", w)
				}
			}
		}
	}
}

func apply(p Projection, v Vec) (x, y, w float64) {
	d := v.sub(fromArray32(p.Origin))
	at := func(r int) float64 {
		return float64(p.M[r])*d.X + float64(p.M[4+r])*d.Y + float64(p.M[8+r])*d.Z + float64(p.M[12+r])
	}
	w = at(3)
	return (at(0)/w + 1) / 2 * float64(p.W), (at(1)/w + 1) / 2 * float64(p.H), w
}

// TestDeepZoom: neighbours in float32 that are pixels apart on screen are drawn where they belong.
func TestDeepZoom(t *testing.T) {
	c := NewFlat(1000, 800)
	c.SetLimits(Bounds{Vec{0, 0, 0}, Vec{1000, 1000, 0}})
	c.Fit(Bounds{Vec{0, 0, 0}, Vec{1000, 1000, 0}}, Margins{})
	x, y, _ := c.ScreenFromWorld(Vec{700.1, 333.3, 0})
	c.ZoomAt(x, y, 1e9)
	a := float32(700.1)
	for i := range 20 {
		v := Vec{float64(a), float64(float32(333.3)), 0}
		want, _, _ := c.ScreenFromWorld(v)
		d := [3]float32{a - c.Projection().Origin[0]}
		got := (float64(d[0]*c.Projection().M[0]+c.Projection().M[12]) + 1) / 2 * 1000
		if math.Abs(got-want) > 0.02 {
			t.Fatalf("step %d: drawn at %v, is at %v", i, got, want)
		}
		a = math.Nextafter32(a, 1000)
	}
}

func TestLimits(t *testing.T) {
	c := NewFlat(1000, 800)
	c.SetLimits(box)
	c.Fit(box, Margins{})
	for range 100 {
		c.ZoomAt(3, 5, 1e10)
	}
	if !(c.Scale < 1e9) {
		t.Errorf("scale %v", c.Scale)
	}
	for range 100 {
		c.ZoomAt(3, 5, 1e-10)
	}
	if !(c.Scale > 0.1) {
		t.Errorf("scale %v", c.Scale)
	}
	c.Fit(box, Margins{})
	c.Pan(1e12, -1e12)
	x0, y0, _ := c.ScreenFromWorld(box.Min)
	x1, y1, _ := c.ScreenFromWorld(box.Max)
	if x0 > 1000 || x1 < 0 || y1 > 800 || y0 < 0 {
		t.Errorf("nothing left in view: (%v, %v) to (%v, %v)", x0, y0, x1, y1)
	}
}

func TestNonsense(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, cam := range []Camera{NewFlat(640, 480), NewOrbit(640, 480)} {
		cam.ZoomAt(1, 1, 0)
		cam.ZoomAt(1, 1, -3)
		cam.ZoomAt(1, 1, nan)
		cam.ZoomAt(1, 1, inf)
		cam.ZoomAt(nan, 1, 2)
		cam.Pan(nan, inf)
		cam.Fit(Bounds{Vec{nan, 0, 0}, Vec{1, 1, 1}}, Margins{})
		cam.Fit(Bounds{Vec{0, 0, 0}, Vec{inf, 1, 1}}, Margins{})
		cam.Fit(Bounds{Vec{5, 5, 5}, Vec{5, 5, 5}}, Even(1e9)) // one point, no room
		if x, y, ok := cam.ScreenFromWorld(Vec{5, 5, 5}); !ok || math.Hypot(x-320, y-240) > 1e-6 {
			t.Errorf("%T: a single point is at (%v, %v)", cam, x, y)
		}
		cam.Resize(0, -4)
		if w, h := cam.Viewport(); w != 1 || h != 1 {
			t.Errorf("%T: %d x %d", cam, w, h)
		}
		if _, _, ok := cam.ScreenFromWorld(Vec{nan, 0, 0}); ok {
			t.Errorf("%T: NaN has a pixel", cam)
		}
		for _, m := range cam.Projection().M {
			if math.IsNaN(float64(m)) {
				t.Fatalf("%T: %v", cam, cam.Projection().M)
			}
		}
	}
}

func TestFramed(t *testing.T) {
	for _, cam := range []Camera{NewFlat(640, 480), NewOrbit(640, 480)} {
		cam.Fit(box, Even(10))
		for _, wh := range [][2]int{{1280, 960}, {100, 2000}, {3000, 200}} {
			f := cam.Framed(wh[0], wh[1])
			for _, corner := range [][2]float64{{0, 0}, {640, 0}, {0, 480}, {640, 480}} {
				x, y, ok := f.ScreenFromWorld(cam.WorldFromScreen(corner[0], corner[1]))
				if !ok || x < -0.5 || y < -0.5 || x > float64(wh[0])+0.5 || y > float64(wh[1])+0.5 {
					t.Errorf("%T in %v: corner %v at (%v, %v)", cam, wh, corner, x, y)
				}
			}
		}
	}
}

func TestBoundsOf(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	if b, ok := BoundsOf([]float32{nan, 1, 2, -3, inf, 9, 5, 6}, 2); !ok || b != (Bounds{Vec{2, -3, 0}, Vec{5, 6, 0}}) {
		t.Errorf("%v %v", b, ok)
	}
	if b, ok := BoundsOf([]float32{1, 2, 3, 1, 2, nan}, 3); !ok || b != (Bounds{Vec{1, 2, 3}, Vec{1, 2, 3}}) {
		t.Errorf("%v %v", b, ok)
	}
	for _, none := range [][]float32{nil, {nan, nan}, {1}} {
		if _, ok := BoundsOf(none, 2); ok {
			t.Errorf("%v has bounds", none)
		}
	}
}
