package camera

import "math"

// Flat is the camera of a two-dimensional map: the world point in the middle of the viewport and the
// number of pixels per world unit.
type Flat struct {
	Centre Vec
	Scale  float64
	// Free: the axes have units of their own, and what is shown fills the viewport both ways. Scale is then the number
	// of pixels per unit to the right.
	Free bool

	w, h               int
	minScale, maxScale float64
	limits             Bounds
	limited            bool
}

// NewFlat returns a camera that looks at the unit square.
func NewFlat(w, h int) *Flat {
	c := &Flat{Scale: 1}
	c.Resize(w, h)
	c.Fit(Bounds{Max: Vec{1, 1, 0}}, Margins{})
	return c
}

func (c *Flat) Resize(w, h int)      { c.w, c.h = max(w, 1), max(h, 1) }
func (c *Flat) Viewport() (w, h int) { return c.w, c.h }

// SetLimits bounds the camera by the box of what it shows: no further out than a fiftieth of the
// viewport, no closer than float32 positions can be told apart, and panning keeps some of it in view.
func (c *Flat) SetLimits(b Bounds) {
	if !b.Min.finite() || !b.Max.finite() {
		return
	}
	c.limits, c.limited = b, true
	fit := c.fitScale(b, Margins{})
	c.minScale = fit / 50
	c.maxScale = fit * 1e6
	// A step of float32 at the rim of the map is then at most 8 pixels.
	if r := b.reach(); r > 0 && !c.Free {
		c.maxScale = math.Min(c.maxScale, 8*0x1p23/r)
	} else if r := math.Max(math.Max(math.Abs(b.Min.X), math.Abs(b.Max.X)),
		c.stretch()*math.Max(math.Abs(b.Min.Y), math.Abs(b.Max.Y))); r > 0 {
		c.maxScale = math.Min(c.maxScale, 8*0x1p23/r)
	}
	c.maxScale = math.Max(c.maxScale, c.minScale)
	c.Scale = c.clampScale(c.Scale)
	c.keepInView()
}

// stretch is how many times longer a unit upwards is than one to the right: where axes are free the box of what is
// shown has the shape of the viewport.
func (c *Flat) stretch() float64 {
	if !c.Free || !c.limited {
		return 1
	}
	s := float64(c.h) / float64(c.w) * (c.limits.Max.X - c.limits.Min.X) / (c.limits.Max.Y - c.limits.Min.Y)
	if !(s > 1e-30 && s < 1e30) { // one of the sides has no length
		return 1
	}
	return s
}

func (c *Flat) clampScale(s float64) float64 {
	if !(s > 0) || math.IsInf(s, 0) {
		return c.Scale
	}
	if !c.limited {
		return clamp(s, 1e-300, 1e300)
	}
	return clamp(s, c.minScale, c.maxScale)
}

// keepInView keeps the middle of the viewport within the limits plus half a viewport.
func (c *Flat) keepInView() {
	if !c.limited {
		return
	}
	rx, ry := 0.45*float64(c.w)/c.Scale, 0.45*float64(c.h)/(c.Scale*c.stretch())
	c.Centre.X = clamp(c.Centre.X, c.limits.Min.X-rx, c.limits.Max.X+rx)
	c.Centre.Y = clamp(c.Centre.Y, c.limits.Min.Y-ry, c.limits.Max.Y+ry)
}

func (c *Flat) ScreenFromWorld(p Vec) (x, y float64, ok bool) {
	x = float64(c.w)/2 + (p.X-c.Centre.X)*c.Scale
	y = float64(c.h)/2 - (p.Y-c.Centre.Y)*c.Scale*c.stretch()
	return x, y, finite(x) && finite(y)
}

func (c *Flat) WorldFromScreen(x, y float64) Vec {
	return Vec{
		X: c.Centre.X + (x-float64(c.w)/2)/c.Scale,
		Y: c.Centre.Y - (y-float64(c.h)/2)/(c.Scale*c.stretch()),
	}
}

// WorldFromScreenAt is in the plane of depthOf, whatever that is on a flat map.
func (c *Flat) WorldFromScreenAt(x, y float64, depthOf Vec) Vec {
	p := c.WorldFromScreen(x, y)
	p.Z = depthOf.Z
	return p
}

// side is the side of the viewport that a span is of.
func (c *Flat) side() float64 {
	if c.Free {
		return float64(c.w)
	}
	return float64(min(c.w, c.h))
}

func (c *Flat) Place() Place { return Place{Centre: c.Centre, Span: c.side() / c.Scale} }

func (c *Flat) SetPlace(p Place) {
	if !p.valid() {
		return
	}
	c.Centre = Vec{X: p.Centre.X, Y: p.Centre.Y}
	c.Scale = c.clampScale(c.side() / p.Span)
	c.keepInView()
}

// ZoomAt is exact also at the limits: what is clamped is the scale, and the centre follows from it.
func (c *Flat) ZoomAt(x, y, factor float64) {
	s := c.clampScale(c.Scale * factor)
	if s == c.Scale || !finite(x) || !finite(y) {
		return
	}
	// The point under the cursor is Centre + d/Scale before and after.
	k := 1/c.Scale - 1/s
	c.Centre.X += (x - float64(c.w)/2) * k
	c.Centre.Y -= (y - float64(c.h)/2) * k / c.stretch()
	c.Scale = s
}

func (c *Flat) Pan(dx, dy float64) {
	if !finite(dx) || !finite(dy) {
		return
	}
	c.Centre.X -= dx / c.Scale
	c.Centre.Y += dy / (c.Scale * c.stretch())
	c.keepInView()
}

func (c *Flat) Fit(b Bounds, m Margins) {
	if !b.Min.finite() || !b.Max.finite() {
		return
	}
	c.Scale = c.clampScale(c.fitScale(b, m))
	mid := b.centre()
	c.Centre = Vec{
		X: mid.X + (m.Right-m.Left)/2/c.Scale,
		Y: mid.Y + (m.Top-m.Bottom)/2/(c.Scale*c.stretch()),
	}
}

// fitScale returns the scale at which b fills what the margins leave, of which there is always
// something; a box without extent is shown as if it were a unit wide.
func (c *Flat) fitScale(b Bounds, m Margins) float64 {
	w := math.Max(float64(c.w)-m.Left-m.Right, float64(c.w)/8)
	h := math.Max(float64(c.h)-m.Top-m.Bottom, float64(c.h)/8)
	bw, bh := b.Max.X-b.Min.X, (b.Max.Y-b.Min.Y)*c.stretch()
	tiny := b.reach() * 0x1p-22 // below this the extent is rounding
	if c.Free {
		tiny = 0
	}
	if bw <= tiny && bh <= tiny {
		bw, bh = math.Max(1, tiny), math.Max(1, tiny)
	}
	return math.Min(w/math.Max(bw, 1e-300), h/math.Max(bh, 1e-300))
}

func (c *Flat) Framed(w, h int) Camera {
	f := &Flat{Centre: c.Centre, Free: c.Free}
	f.Resize(w, h)
	if f.Scale = c.Scale * math.Min(float64(f.w)/float64(c.w), float64(f.h)/float64(c.h)); c.Free {
		f.limits, f.limited, f.minScale, f.maxScale = c.limits, c.limited, c.minScale, c.maxScale
		f.Scale = c.Scale * float64(f.w) / float64(c.w)
	}
	return f
}

func (c *Flat) Projection() Projection {
	p := Projection{Origin: c.Centre.array32(), W: c.w, H: c.h}
	p.Origin[2] = 0
	rest := c.Centre.sub(fromArray32(p.Origin)) // the part of the centre that float32 cannot hold
	sx, sy := 2*c.Scale/float64(c.w), -2*c.Scale*c.stretch()/float64(c.h)
	p.M = [16]float32{
		float32(sx), 0, 0, 0,
		0, float32(sy), 0, 0,
		0, 0, 0, 0,
		float32(-rest.X * sx), float32(-rest.Y * sy), 0, 1,
	}
	return p
}
