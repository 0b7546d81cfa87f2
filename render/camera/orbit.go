package camera

import "math"

// Orbit is the camera of three-dimensional positions: an eye that circles a centre and looks at it.
// Turn and Tilt are angles in radians: Turn about the world's y axis, Tilt up from its xz plane.
type Orbit struct {
	Centre     Vec
	Distance   float64 // from the centre to the eye, world units
	Turn, Tilt float64

	w, h   int
	radius float64 // of what is shown; sets the range of the fade and the limits of the distance
}

// fieldOfView is the angle that the smaller side of the viewport covers.
const fieldOfView = 35 * math.Pi / 180

// NewOrbit returns a camera that looks at the unit cube from the front.
func NewOrbit(w, h int) *Orbit {
	c := &Orbit{Distance: 1, Turn: 0.5, Tilt: 0.35}
	c.Resize(w, h)
	c.Fit(Bounds{Max: Vec{1, 1, 1}}, Margins{})
	return c
}

func (c *Orbit) Resize(w, h int)      { c.w, c.h = max(w, 1), max(h, 1) }
func (c *Orbit) Viewport() (w, h int) { return c.w, c.h }

// Rotate turns by so many pixels of a drag: half a turn for the smaller side of the viewport.
func (c *Orbit) Rotate(dx, dy float64) {
	if !finite(dx) || !finite(dy) {
		return
	}
	k := math.Pi / float64(min(c.w, c.h))
	c.Turn = math.Remainder(c.Turn-dx*k, 2*math.Pi)
	c.Tilt = clamp(c.Tilt+dy*k, -math.Pi/2, math.Pi/2)
}

// axes returns the directions of the screen's right and up and from the centre to the eye.
func (c *Orbit) axes() (right, up, back Vec) {
	st, ct := math.Sincos(c.Turn)
	sp, cp := math.Sincos(c.Tilt)
	return Vec{ct, 0, -st}, Vec{-st * sp, cp, -ct * sp}, Vec{st * cp, sp, ct * cp}
}

// focal is the distance from the eye, in pixels, of a screen one pixel of which is one pixel.
func (c *Orbit) focal() float64 { return float64(min(c.w, c.h)) / 2 / math.Tan(fieldOfView/2) }

func (c *Orbit) near() float64 { return c.Distance * 1e-3 }

func (c *Orbit) ScreenFromWorld(p Vec) (x, y float64, ok bool) {
	right, up, back := c.axes()
	d := p.sub(c.Centre)
	depth := c.Distance - d.dot(back)
	if !(depth > c.near()) {
		return 0, 0, false
	}
	f := c.focal() / depth
	x, y = float64(c.w)/2+d.dot(right)*f, float64(c.h)/2-d.dot(up)*f
	return x, y, finite(x) && finite(y)
}

func (c *Orbit) WorldFromScreen(x, y float64) Vec {
	right, up, _ := c.axes()
	k := c.Distance / c.focal()
	return c.Centre.add(right.mul((x - float64(c.w)/2) * k)).add(up.mul((float64(c.h)/2 - y) * k))
}

// ZoomAt moves the eye nearer and the centre towards the point under the pixel, so that it stays.
func (c *Orbit) ZoomAt(x, y, factor float64) {
	d := c.Distance / factor
	if !(d > 0) || math.IsInf(d, 0) || !finite(x) || !finite(y) {
		return
	}
	d = clamp(d, c.radius*1e-3, c.radius*100)
	under := c.WorldFromScreen(x, y)
	c.Distance = d
	c.Centre = c.Centre.add(under.sub(c.WorldFromScreen(x, y)))
}

func (c *Orbit) Pan(dx, dy float64) {
	if !finite(dx) || !finite(dy) {
		return
	}
	right, up, _ := c.axes()
	k := c.Distance / c.focal()
	c.Centre = c.Centre.sub(right.mul(dx * k)).add(up.mul(dy * k))
}

// Fit shows the ball around b, so that turning needs no other fit.
func (c *Orbit) Fit(b Bounds, m Margins) {
	size := b.Max.sub(b.Min)
	radius := math.Sqrt(size.dot(size)) / 2
	if !finite(radius) || !b.Min.finite() {
		return
	}
	if radius <= b.reach()*0x1p-22 {
		radius = math.Max(0.5, b.reach()*0x1p-22)
	}
	c.radius = radius
	w := math.Max(float64(c.w)-m.Left-m.Right, float64(c.w)/8)
	h := math.Max(float64(c.h)-m.Top-m.Bottom, float64(c.h)/8)
	// The ball's outline is seen under asin(radius/distance).
	half := math.Atan(math.Min(w, h) / 2 / c.focal())
	// Off the middle of the view, where margins may push it, a ball looks a little larger.
	c.Distance = 1.03 * radius / math.Sin(half)
	c.Centre = b.centre()
	c.Pan((m.Left-m.Right)/2, (m.Top-m.Bottom)/2)
}

// Framed has the same field of view along the smaller side, so where the shape of the viewport changes
// much it steps back.
func (c *Orbit) Framed(w, h int) Camera {
	f := *c
	f.Resize(w, h)
	grow := math.Min(float64(f.w)/float64(c.w), float64(f.h)/float64(c.h))
	f.Distance = c.Distance * f.focal() / (c.focal() * grow)
	return &f
}

func (c *Orbit) Projection() Projection {
	p := Projection{
		Origin: c.Centre.array32(), W: c.w, H: c.h,
		Reference: float32(c.Distance),
		Near:      float32(math.Max(c.Distance-c.radius, c.near())),
		Far:       float32(c.Distance + c.radius),
		FadeTo:    0.35,
	}
	rest := fromArray32(p.Origin).sub(c.Centre)
	right, up, back := c.axes()
	sx, sy := 2*c.focal()/float64(c.w), -2*c.focal()/float64(c.h)
	row := func(i int, v Vec, s, t float64) {
		p.M[i] = float32(v.X * s)
		p.M[4+i] = float32(v.Y * s)
		p.M[8+i] = float32(v.Z * s)
		p.M[12+i] = float32(rest.dot(v)*s + t)
	}
	row(0, right, sx, 0)
	row(1, up, sy, 0)
	row(3, back, -1, c.Distance)
	return p
}
