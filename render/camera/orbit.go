package camera

import "math"

// Orbit is the camera of three-dimensional positions: an eye that circles a centre and looks at it.
type Orbit struct {
	Centre   Vec
	Distance float64 // from the centre to the eye, world units
	// Free lets Rotate turn about the screen's axes, through any direction. Otherwise it is a turntable: about
	// the world's y axis, which stays upright, and up to the poles.
	Free bool

	facing quaternion // takes x, y and z to the screen's right and up and to where the eye is
	w, h   int
	ball   Vec     // centre of what is shown
	radius float64 // radius of what is shown; sets the range of the fade and the limits of the distance
}

// fieldOfView is the angle that the smaller side of the viewport covers. Discs at the near end of what Fit
// shows are then 2.2 times as large as those at the far end.
const fieldOfView = 45 * math.Pi / 180

// fade is the share of the ground in the colour of the farthest points.
const fade = 0.78

// Where Reset turns to: a little from the side and from above.
const startTurn, startTilt = 0.5, 0.35

// NewOrbit returns a camera that looks at the unit cube.
func NewOrbit(w, h int) *Orbit {
	c := &Orbit{Distance: 1, facing: turntable(startTurn, startTilt)}
	c.Resize(w, h)
	c.Fit(Bounds{Max: Vec{1, 1, 1}}, Margins{})
	return c
}

func (c *Orbit) Resize(w, h int)      { c.w, c.h = max(w, 1), max(h, 1) }
func (c *Orbit) Viewport() (w, h int) { return c.w, c.h }

// turntable is Turn about the world's y axis after Tilt up from its xz plane.
func turntable(turn, tilt float64) quaternion {
	return about(Vec{Y: 1}, turn).times(about(Vec{X: 1}, -tilt))
}

// TurnTilt returns the angles of a turntable, in radians, that look from where the eye is.
func (c *Orbit) TurnTilt() (turn, tilt float64) {
	right, _, back := c.axes()
	tilt = math.Asin(clamp(back.Y, -1, 1))
	if math.Hypot(back.X, back.Z) < 1e-9 { // at a pole only the screen's right tells the turn
		return math.Atan2(-right.Z, right.X), tilt
	}
	return math.Atan2(back.X, back.Z), tilt
}

// SetTurnTilt looks from a place of the turntable: Turn about the world's y axis, Tilt up from its xz plane.
func (c *Orbit) SetTurnTilt(turn, tilt float64) {
	if finite(turn) && finite(tilt) {
		c.facing = turntable(turn, clamp(tilt, -math.Pi/2, math.Pi/2))
	}
}

// Rotate turns by so many pixels of a drag: half a turn for the smaller side of the viewport.
func (c *Orbit) Rotate(dx, dy float64) {
	if !finite(dx) || !finite(dy) {
		return
	}
	k := math.Pi / float64(min(c.w, c.h))
	if c.Free {
		// About the screen's own axes. The angle is that of the drag, in its direction.
		if angle := math.Hypot(dx, dy) * k; angle > 0 {
			l := math.Hypot(dx, dy)
			c.facing = c.facing.times(about(Vec{X: -dy / l, Y: -dx / l}, angle)).unit()
		}
		return
	}
	turn, tilt := c.TurnTilt()
	c.SetTurnTilt(math.Remainder(turn-dx*k, 2*math.Pi), tilt+dy*k)
}

// Roll turns the picture by an angle in radians, anticlockwise; a turntable stays upright.
func (c *Orbit) Roll(angle float64) {
	if c.Free && finite(angle) {
		c.facing = c.facing.times(about(Vec{Z: 1}, -angle)).unit()
	}
}

// Reset turns to where a new camera looks from.
func (c *Orbit) Reset() { c.facing = turntable(startTurn, startTilt) }

// axes returns the directions of the screen's right and up and from the centre to the eye.
func (c *Orbit) axes() (right, up, back Vec) {
	return c.facing.turn(Vec{X: 1}), c.facing.turn(Vec{Y: 1}), c.facing.turn(Vec{Z: 1})
}

// Eye is where a camera looks from: its place, and the directions of the screen's right, up and towards the eye.
type Eye struct{ At, Right, Up, Back Vec }

// Depth returns how far in front of the eye a point lies.
func (e Eye) Depth(p Vec) float64 { return e.At.sub(p).dot(e.Back) }

// Eye returns where the camera looks from.
func (c *Orbit) Eye() Eye {
	right, up, back := c.axes()
	return Eye{c.Centre.add(back.mul(c.Distance)), right, up, back}
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

func (c *Orbit) WorldFromScreen(x, y float64) Vec { return c.WorldFromScreenAt(x, y, c.Centre) }

// WorldFromScreenAt is on the plane through depthOf; that point itself where it is behind the eye.
func (c *Orbit) WorldFromScreenAt(x, y float64, depthOf Vec) Vec {
	right, up, back := c.axes()
	ahead := depthOf.sub(c.Centre).dot(back)
	depth := c.Distance - ahead
	if !(depth > c.near()) || !finite(x) || !finite(y) {
		return depthOf
	}
	k := depth / c.focal()
	return c.Centre.add(back.mul(ahead)).add(right.mul((x - float64(c.w)/2) * k)).add(up.mul((float64(c.h)/2 - y) * k))
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

// SetLimits tells what is shown, without moving the eye: points fade from the near to the far side of the ball
// around b, and zooming stays within reason of its size.
func (c *Orbit) SetLimits(b Bounds) {
	size := b.Max.sub(b.Min)
	radius := math.Sqrt(size.dot(size)) / 2
	if !finite(radius) || !b.Min.finite() {
		return
	}
	if least := b.reach() * 0x1p-22; radius <= least { // one point, but for rounding
		radius = math.Max(0.5, least)
	}
	c.ball, c.radius = b.centre(), radius
}

// Fit shows the ball around b, so that turning needs no other fit.
func (c *Orbit) Fit(b Bounds, m Margins) {
	if size := b.Max.sub(b.Min); !finite(size.dot(size)) || !b.Min.finite() {
		return
	}
	c.SetLimits(b)
	w := math.Max(float64(c.w)-m.Left-m.Right, float64(c.w)/8)
	h := math.Max(float64(c.h)-m.Top-m.Bottom, float64(c.h)/8)
	// The ball's outline is seen under asin(radius/distance).
	half := math.Atan(math.Min(w, h) / 2 / c.focal())
	// Off the middle of the view, where margins may push it, a ball looks a little larger.
	c.Distance = 1.03 * c.radius / math.Sin(half)
	c.Centre = c.ball
	c.Pan((m.Left-m.Right)/2, (m.Top-m.Bottom)/2)
}

// Framed has the same field of view along the smaller side, so where the shape of the viewport changes
// much it steps back.
func (c *Orbit) Framed(w, h int) Camera {
	f := *c
	f.Resize(w, h)
	if f.w == c.w && f.h == c.h {
		return &f
	}
	grow := math.Min(float64(f.w)/float64(c.w), float64(f.h)/float64(c.h))
	f.Distance = c.Distance * f.focal() / (c.focal() * grow)
	return &f
}

func (c *Orbit) Projection() Projection {
	right, up, back := c.axes()
	middle := c.Distance - c.ball.sub(c.Centre).dot(back)
	p := Projection{
		Origin: c.Centre.array32(), W: c.w, H: c.h,
		Reference: float32(c.Distance),
		Near:      float32(math.Max(middle-c.radius, c.near())),
		Far:       float32(math.Max(middle+c.radius, c.near())),
		Fade:      fade,
	}
	rest := fromArray32(p.Origin).sub(c.Centre)
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

func (c *Orbit) Place() Place {
	return Place{Centre: c.Centre, Span: 2 * c.Distance * math.Tan(fieldOfView/2), Facing: c.facing.array()}
}

func (c *Orbit) SetPlace(p Place) {
	if !p.valid() {
		return
	}
	c.Centre, c.Distance = p.Centre, p.Span/2/math.Tan(fieldOfView/2)
	if q, ok := fromArray(p.Facing); ok {
		c.facing = q
	}
}
