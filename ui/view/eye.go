package view

import (
	"math"
	"time"

	"blossom/model/document/parts"
	"blossom/render/camera"
)

// Eye is the camera of a view with the view's place in the window. It speaks in screen units of the window;
// the camera in framebuffer pixels of the picture.
type Eye struct {
	Cam   camera.Camera
	Box   Box     // place of the picture
	Ratio float64 // framebuffer pixels per screen unit

	flight *flight
	// Moved: the user has moved the camera, so fitting by itself stops. Turned: he has turned it, which a fit keeps.
	Moved, Turned bool

	framing framing
}

// framing is what an eye saw before all around the picture became larger or smaller, so that it sees the same again
// when that becomes as it was.
type framing struct {
	scale float32      // the interface's, when the box was set; 0: it was not
	seen  camera.Place // in a box of w x h
	w, h  float64
	left  camera.Place // where the eye has come to by it
	fits  int          // in so many frames a map that fits by itself is fitted anew
}

// flight is a smooth move of the camera to a place, as fit and the keys do it. The wheel and the hand move it
// directly.
type flight struct {
	from, to camera.Place
	start    time.Time
}

const flightTime = 160 * time.Millisecond

// NewEye returns an eye for positions of dims coordinates.
func NewEye(dims int) *Eye {
	e := &Eye{Ratio: 1}
	e.SetDims(dims)
	return e
}

// SetDims changes to a camera for 2 or 3 coordinates, where it is none already.
func (e *Eye) SetDims(dims int) {
	w, h := 1, 1
	if e.Cam != nil {
		if e.Solid() == (dims == 3) {
			return
		}
		w, h = e.Cam.Viewport()
	}
	e.flight, e.Moved, e.Turned = nil, false, false
	if dims == 3 {
		e.Cam = camera.NewOrbit(w, h)
		return
	}
	e.Cam = camera.NewFlat(w, h)
}

// SetFree says whether the axes of a flat map have units of their own, each of which fills its side of the view.
func (e *Eye) SetFree(free bool) {
	if f, ok := e.Cam.(*camera.Flat); ok {
		f.Free = free
	}
}

// Solid says whether the camera is one of three dimensions.
func (e *Eye) Solid() bool { return e.orbit() != nil }

func (e *Eye) orbit() *camera.Orbit {
	o, _ := e.Cam.(*camera.Orbit)
	return o
}

// SetTurntable says whether 3D turns about the upright axis only.
func (e *Eye) SetTurntable(on bool) {
	o := e.orbit()
	if o == nil || o.Free == !on {
		return
	}
	o.Free = !on
	if on { // the tilt of a free camera comes upright again
		o.SetTurnTilt(o.TurnTilt())
	}
}

// SetBox tells where the picture is. A change of its size keeps what is in its middle.
func (e *Eye) SetBox(b Box, ratio float64) {
	if r := ratio / e.Ratio; r != 1 && r > 0 {
		if f, ok := e.Cam.(*camera.Flat); ok {
			f.Scale *= r // the same picture on a denser screen
		}
	}
	e.Box, e.Ratio = b, ratio
	e.Cam.Resize(int(math.Round(float64(b.W())*ratio)), int(math.Round(float64(b.H())*ratio)))
}

// SetBoxStill is SetBox where something has come to lie over an edge of the picture, or has gone: what is seen stays
// where it is on the screen, at its size. No flight ends by it, and the user has not moved the camera.
func (e *Eye) SetBoxStill(b Box, ratio float64) {
	was, same := e.Box, ratio == e.Ratio
	e.SetBox(b, ratio)
	if !same || was == b || was.W() <= 0 || was.H() <= 0 {
		return
	}
	dx := float64(was.X0+was.X1-b.X0-b.X1) / 2 * ratio
	dy := float64(was.Y0+was.Y1-b.Y0-b.Y1) / 2 * ratio
	move := func(p camera.Place) camera.Place {
		e.Cam.SetPlace(p)
		if o := e.orbit(); o != nil { // it shows as much of the world, whatever its height
			w, h := o.Viewport()
			o.ZoomAt(float64(w)/2, float64(h)/2, float64(min(was.W(), was.H())/min(b.W(), b.H())))
		}
		e.Cam.Pan(dx, dy)
		return e.Cam.Place()
	}
	here := e.Cam.Place()
	if f := e.flight; f != nil {
		e.flight = &flight{from: move(f.from), to: move(f.to), start: f.start}
	}
	move(here)
}

// SetBoxFramed is SetBox where all that stands around the picture has become larger or smaller, as at another scale of
// the interface: what was seen before that, and before other such changes, is seen. A flight ends where it went to.
func (e *Eye) SetBoxFramed(b Box, ratio float64) {
	f := &e.framing
	here := e.goal()
	w, h := float64(e.Box.W()), float64(e.Box.H())
	if e.flight != nil || here != f.left {
		e.flight, f.seen, f.w, f.h = nil, here, w, h
	}
	e.SetBox(b, ratio)
	if w <= 0 || h <= 0 || b.W() <= 0 || b.H() <= 0 {
		return
	}
	to := f.seen
	if flat, ok := e.Cam.(*camera.Flat); !ok || !flat.Free { // a span is that of the shorter side
		w, h := float64(b.W()), float64(b.H())
		was, is := min(f.w, f.h), min(w, h)
		to.Span *= max(f.w/was/(w/is), f.h/was/(h/is))
	}
	e.Cam.SetPlace(to)
	f.left = e.Cam.Place()
}

// Contains says whether a screen place is on the picture.
func (e *Eye) Contains(sx, sy float64) bool {
	b := e.Box
	return sx >= float64(b.X0) && sy >= float64(b.Y0) && sx < float64(b.X1) && sy < float64(b.Y1)
}

// Screen returns the screen place of a world point; ok is false for one that has none.
func (e *Eye) Screen(p camera.Vec) (sx, sy float64, ok bool) {
	x, y, ok := e.Cam.ScreenFromWorld(p)
	return float64(e.Box.X0) + x/e.Ratio, float64(e.Box.Y0) + y/e.Ratio, ok
}

// Sight is where the picture is on the screen.
func (e *Eye) Sight() Limits {
	return Limits{float64(e.Box.X0), float64(e.Box.Y0), float64(e.Box.X1), float64(e.Box.Y1)}
}

func (e *Eye) pixel(sx, sy float64) (x, y float64) {
	return (sx - float64(e.Box.X0)) * e.Ratio, (sy - float64(e.Box.Y0)) * e.Ratio
}

// World returns the world point under a screen place; in 3D on the plane through the centre that faces the eye.
func (e *Eye) World(sx, sy float64) camera.Vec { return e.Cam.WorldFromScreen(e.pixel(sx, sy)) }

// WorldAt is World on the plane of another point that is parallel to the screen: where that point is dragged to.
func (e *Eye) WorldAt(sx, sy float64, p camera.Vec) camera.Vec {
	x, y := e.pixel(sx, sy)
	return e.Cam.WorldFromScreenAt(x, y, p)
}

// Pan moves the picture by screen units.
func (e *Eye) Pan(dsx, dsy float64) {
	e.flight, e.Moved = nil, true
	e.Cam.Pan(dsx*e.Ratio, dsy*e.Ratio)
}

// ZoomAt zooms at a screen place.
func (e *Eye) ZoomAt(sx, sy, factor float64) {
	e.flight, e.Moved = nil, true
	x, y := e.pixel(sx, sy)
	e.Cam.ZoomAt(x, y, factor)
}

// Rotate turns 3D by screen units of a drag. What is seen stays in the middle: a map that forms is followed further.
func (e *Eye) Rotate(dsx, dsy float64) {
	if o := e.orbit(); o != nil {
		e.flight, e.Turned = nil, true
		o.Rotate(dsx*e.Ratio, dsy*e.Ratio)
	}
}

// CentreOn moves a world point into the middle, smoothly.
func (e *Eye) CentreOn(p camera.Vec) {
	e.Moved = true
	to := e.goal()
	to.Centre = p
	e.fly(to)
}

// Glide pans smoothly by a share of the view, for the keys.
func (e *Eye) Glide(dx, dy float64) {
	e.Moved = true
	e.flyWith(func(c camera.Camera) {
		w, h := c.Viewport()
		c.Pan(-dx*float64(w), -dy*float64(h))
	})
}

// GlideZoom zooms smoothly at the middle, for the keys.
func (e *Eye) GlideZoom(factor float64) {
	e.Moved = true
	e.flyWith(func(c camera.Camera) {
		w, h := c.Viewport()
		c.ZoomAt(float64(w)/2, float64(h)/2, factor)
	})
}

// Fit shows all of b, leaving room for what lies over the picture.
func (e *Eye) Fit(b camera.Bounds, m camera.Margins, smooth bool) {
	e.Moved = false
	if o := e.orbit(); o != nil {
		o.SetLimits(b)
	}
	if smooth {
		e.flyWith(func(c camera.Camera) { c.Fit(b, m) })
		return
	}
	e.flight = nil
	e.Cam.Fit(b, m)
}

// flyWith flies to where change would move the camera from the end of the flight under way.
func (e *Eye) flyWith(change func(camera.Camera)) {
	here, goal := e.Cam.Place(), e.goal()
	e.Cam.SetPlace(goal)
	change(e.Cam)
	to := e.Cam.Place()
	e.Cam.SetPlace(here)
	e.fly(to)
}

func (e *Eye) goal() camera.Place {
	if e.flight != nil {
		return e.flight.to
	}
	return e.Cam.Place()
}

func (e *Eye) fly(to camera.Place) {
	if e.Cam.Place() == to {
		e.flight = nil
		return
	}
	e.flight = &flight{from: e.Cam.Place(), to: to}
}

// Flying says whether a flight is under way.
func (e *Eye) Flying() bool { return e.flight != nil }

// Land ends a flight under way where it is.
func (e *Eye) Land() { e.flight = nil }

// Update moves a flight on.
func (e *Eye) Update(now time.Time) {
	f := e.flight
	if f == nil {
		return
	}
	if f.start.IsZero() {
		f.start = now
	}
	t := min(1, float64(now.Sub(f.start))/float64(flightTime))
	e.Cam.SetPlace(camera.Mix(f.from, f.to, 1-(1-t)*(1-t)*(1-t)))
	if t >= 1 {
		e.Cam.SetPlace(f.to)
		e.flight = nil
	}
}

// Saved returns the camera as sessions keep it: lengths in screen units.
func (e *Eye) Saved() parts.Camera {
	p := e.Cam.Place()
	c := parts.Camera{X: p.Centre.X, Y: p.Centre.Y, Z: p.Centre.Z}
	if f, ok := e.Cam.(*camera.Flat); ok {
		c.Scale = f.Scale / e.Ratio
		return c
	}
	c.Span, c.Turn = p.Span, p.Facing
	return c
}

// Kept is what the user has made of the camera: where it is, only how it is turned, or nothing where it fits by itself.
func (e *Eye) Kept() parts.Camera {
	switch {
	case e.Moved:
		return e.Saved()
	case e.Turned && e.Solid():
		return parts.Camera{Turn: e.Saved().Turn}
	}
	return parts.Camera{}
}

// Load puts the camera where a session had it, if that is a place for it.
func (e *Eye) Load(c parts.Camera) {
	switch f := e.Cam.(type) {
	case *camera.Flat:
		if !(c.Scale > 0) {
			return
		}
		f.Centre, f.Scale = camera.Vec{X: c.X, Y: c.Y}, c.Scale*e.Ratio
	default:
		if !(c.Span > 0) {
			if c.Turn != [4]float64{} { // it fits by itself, turned so
				p := e.Cam.Place()
				p.Facing = c.Turn
				e.Cam.SetPlace(p)
				e.Turned = true
			}
			return
		}
		e.Cam.SetPlace(camera.Place{Centre: camera.Vec{X: c.X, Y: c.Y, Z: c.Z}, Span: c.Span, Facing: c.Turn})
	}
	e.flight, e.Moved = nil, true
}
