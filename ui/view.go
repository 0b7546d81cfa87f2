package ui

import (
	"math"
	"time"

	"blossom/model/parts"
	"blossom/render/camera"
)

// view is the camera of the map with the place of the canvas in the window. Gestures and overlays
// speak in screen units of the window; the camera in framebuffer pixels of the canvas.
type view struct {
	cam   *camera.Flat
	x, y  float64 // top left of the canvas, screen units
	w, h  float64 // its size
	ratio float64 // framebuffer pixels per screen unit

	flight *flight
	moved  bool // the user has moved the view: fitting by itself stops
}

// flight is a smooth move of the view to a place, as fit and the keys do it. The wheel and the hand
// move it directly.
type flight struct {
	from, to place
	start    time.Time
	lasts    time.Duration
	byItself bool
}

type place struct{ x, y, scale float64 }

const flightTime = 160 * time.Millisecond

func newView() *view { return &view{cam: camera.NewFlat(1, 1), ratio: 1} }

// setCanvas tells where the canvas is. A change of its size keeps what is in its middle.
func (v *view) setCanvas(x, y, w, h, ratio float64) {
	if r := ratio / v.ratio; r != 1 && r > 0 {
		v.cam.Scale *= r // the same picture on a denser screen
	}
	v.x, v.y, v.w, v.h, v.ratio = x, y, w, h, ratio
	v.cam.Resize(int(math.Round(w*ratio)), int(math.Round(h*ratio)))
}

// contains says whether a screen place is on the canvas.
func (v *view) contains(sx, sy float64) bool {
	return sx >= v.x && sy >= v.y && sx < v.x+v.w && sy < v.y+v.h
}

func (v *view) ScreenFromWorld(x, y float64) (sx, sy float64) {
	px, py, _ := v.cam.ScreenFromWorld(camera.Vec{X: x, Y: y})
	return v.x + px/v.ratio, v.y + py/v.ratio
}

func (v *view) WorldFromScreen(sx, sy float64) (x, y float64) {
	p := v.cam.WorldFromScreen((sx-v.x)*v.ratio, (sy-v.y)*v.ratio)
	return p.X, p.Y
}

func (v *view) Pan(dsx, dsy float64) {
	v.flight, v.moved = nil, true
	v.cam.Pan(dsx*v.ratio, dsy*v.ratio)
}

func (v *view) ZoomAt(sx, sy, factor float64) {
	v.flight, v.moved = nil, true
	v.cam.ZoomAt((sx-v.x)*v.ratio, (sy-v.y)*v.ratio, factor)
}

func (v *view) CentreOn(x, y float64) {
	v.moved = true
	v.fly(place{x, y, v.cam.Scale}, false)
}

// glide pans smoothly by a part of the canvas, for the keys.
func (v *view) glide(dx, dy float64) {
	v.moved = true
	p := v.goal()
	v.fly(place{p.x + dx*v.w*v.ratio/p.scale, p.y - dy*v.h*v.ratio/p.scale, p.scale}, false)
}

// glideZoom zooms smoothly at the middle, for the keys.
func (v *view) glideZoom(factor float64) {
	v.moved = true
	p := v.goal()
	v.fly(place{p.x, p.y, p.scale * factor}, false)
}

// fit shows all of b, leaving room for what lies over the canvas.
func (v *view) fit(b camera.Bounds, m camera.Margins, smooth bool) {
	v.moved = false
	c := *v.cam
	c.Fit(b, m)
	to := place{c.Centre.X, c.Centre.Y, c.Scale}
	if smooth {
		v.fly(to, true)
		return
	}
	v.flight = nil
	v.set(to)
}

func (v *view) goal() place {
	if v.flight != nil {
		return v.flight.to
	}
	return v.here()
}

func (v *view) here() place { return place{v.cam.Centre.X, v.cam.Centre.Y, v.cam.Scale} }

func (v *view) set(p place) {
	v.cam.Centre.X, v.cam.Centre.Y = p.x, p.y
	if p.scale > 0 {
		v.cam.Scale = p.scale
	}
}

func (v *view) fly(to place, byItself bool) {
	if v.here() == to {
		v.flight = nil
		return
	}
	v.flight = &flight{from: v.here(), to: to, lasts: flightTime, byItself: byItself}
}

// update moves a flight on. It returns whether the view is in motion.
func (v *view) update(now time.Time) bool {
	f := v.flight
	if f == nil {
		return false
	}
	if f.start.IsZero() {
		f.start = now
	}
	t := min(1, float64(now.Sub(f.start))/float64(f.lasts))
	e := 1 - (1-t)*(1-t)*(1-t)
	s := f.from.scale * math.Pow(f.to.scale/f.from.scale, e)
	v.set(place{f.from.x + (f.to.x-f.from.x)*e, f.from.y + (f.to.y-f.from.y)*e, s})
	if t >= 1 {
		v.set(f.to)
		v.flight = nil
	}
	return true
}

// saved returns the camera as sessions keep it: the scale in screen units.
func (v *view) saved() parts.Camera {
	return parts.Camera{X: v.cam.Centre.X, Y: v.cam.Centre.Y, Scale: v.cam.Scale / v.ratio}
}

func (v *view) load(c parts.Camera) {
	if c.Set() {
		v.flight, v.moved = nil, true
		v.set(place{c.X, c.Y, c.Scale * v.ratio})
	}
}
