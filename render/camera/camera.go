// Package camera maps the world, where positions live, to the screen and back: a flat map for two
// dimensions, an orbit for three. All of it is float64; only the Projection that drawing reads is
// float32, and it is arranged so that a deep zoom loses no precision. A Place is where a camera is as plain
// numbers: to keep, and to fly between (Mix).
//
// Screen coordinates are pixels, x to the right and y down from the top left corner of the viewport.
// World y points up. Smooth motion is the caller's: a camera jumps to where it is told.
package camera

import "math"

// Camera is what drawing and input need of either camera.
type Camera interface {
	// Resize sets the size of the viewport in pixels and keeps the world point in its middle.
	Resize(w, h int)
	Viewport() (w, h int)
	// ScreenFromWorld returns the pixel of a world point; ok is false for a point that has none
	// (behind the eye, NaN).
	ScreenFromWorld(p Vec) (x, y float64, ok bool)
	// WorldFromScreen returns the world point under a pixel; in 3D, on the plane through the centre
	// that faces the eye.
	WorldFromScreen(x, y float64) Vec
	// WorldFromScreenAt returns the world point under a pixel on the plane through depthOf that is parallel to
	// the screen: where that point is dragged to.
	WorldFromScreenAt(x, y float64, depthOf Vec) Vec
	// ZoomAt makes everything factor times larger and keeps the world point under the pixel there.
	ZoomAt(x, y, factor float64)
	// Pan moves the picture by so many pixels.
	Pan(dx, dy float64)
	// Fit shows all of b inside of the margins.
	Fit(b Bounds, m Margins)
	// Framed returns a camera for a viewport of another size that shows at least what this one does.
	Framed(w, h int) Camera
	// SetLimits tells the box of what is shown: zooming and panning stay within reason of it.
	SetLimits(b Bounds)
	// Place returns where the camera is, SetPlace puts it there; a place that is none changes nothing.
	Place() Place
	SetPlace(p Place)
	// Projection returns what drawing needs, as it is now.
	Projection() Projection
}

// Vec is a point or a direction in the world; Z is 0 on a flat map.
type Vec struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z,omitempty"`
}

func (a Vec) add(b Vec) Vec           { return Vec{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }
func (a Vec) sub(b Vec) Vec           { return Vec{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }
func (a Vec) mul(f float64) Vec       { return Vec{a.X * f, a.Y * f, a.Z * f} }
func (a Vec) cross(b Vec) Vec         { return Vec{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X} }
func (a Vec) dot(b Vec) float64       { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func (a Vec) array32() [3]float32     { return [3]float32{float32(a.X), float32(a.Y), float32(a.Z)} }
func fromArray32(a [3]float32) Vec    { return Vec{float64(a[0]), float64(a[1]), float64(a[2])} }
func finite(x float64) bool           { return !math.IsNaN(x) && !math.IsInf(x, 0) }
func (a Vec) finite() bool            { return finite(a.X) && finite(a.Y) && finite(a.Z) }
func clamp(x, lo, hi float64) float64 { return math.Min(math.Max(x, lo), hi) }

// Margins are pixels that Fit leaves free at the sides.
type Margins struct{ Left, Top, Right, Bottom float64 }

// Even returns the same margin on all sides.
func Even(px float64) Margins { return Margins{px, px, px, px} }

// Plus returns the sum of both.
func (m Margins) Plus(n Margins) Margins {
	return Margins{m.Left + n.Left, m.Top + n.Top, m.Right + n.Right, m.Bottom + n.Bottom}
}

// Bounds is a box in the world. The zero value is the point at the origin.
type Bounds struct{ Min, Max Vec }

// BoundsOf returns the box around the finite points of an n x dims row-major slice (dims 2 or 3);
// ok is false where there is none.
func BoundsOf(data []float32, dims int) (b Bounds, ok bool) {
	inf := math.Inf(1)
	b = Bounds{Vec{inf, inf, inf}, Vec{-inf, -inf, -inf}}
	for i := 0; i+dims <= len(data); i += dims {
		p := Vec{X: float64(data[i]), Y: float64(data[i+1])}
		if dims == 3 {
			p.Z = float64(data[i+2])
		}
		if !p.finite() {
			continue
		}
		ok = true
		b.Min = Vec{math.Min(b.Min.X, p.X), math.Min(b.Min.Y, p.Y), math.Min(b.Min.Z, p.Z)}
		b.Max = Vec{math.Max(b.Max.X, p.X), math.Max(b.Max.Y, p.Y), math.Max(b.Max.Z, p.Z)}
	}
	if !ok {
		return Bounds{}, false
	}
	return b, true
}

// Union returns the box around both.
func (b Bounds) Union(c Bounds) Bounds {
	return Bounds{
		Vec{math.Min(b.Min.X, c.Min.X), math.Min(b.Min.Y, c.Min.Y), math.Min(b.Min.Z, c.Min.Z)},
		Vec{math.Max(b.Max.X, c.Max.X), math.Max(b.Max.Y, c.Max.Y), math.Max(b.Max.Z, c.Max.Z)},
	}
}

func (b Bounds) centre() Vec { return b.Min.add(b.Max).mul(0.5) }

// reach returns the largest coordinate that occurs in the box.
func (b Bounds) reach() float64 {
	r := 0.0
	for _, x := range []float64{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z} {
		r = math.Max(r, math.Abs(x))
	}
	return r
}
