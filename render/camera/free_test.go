package camera

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// free is a flat camera whose axes have units of their own, at a box.
func free(w, h int, b Bounds) *Flat {
	c := NewFlat(w, h)
	c.Free = true
	c.SetLimits(b)
	return c
}

// Axes with units of their own fill both sides of the viewport, whatever their units are; drawing, panning, zooming and
// places agree with it.
func TestFreeAxesFillBothSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(200, 2000).Draw(t, "w"), rapid.IntRange(200, 2000).Draw(t, "h")
		unit := func(name string) float64 { return math.Pow(10, rapid.Float64Range(-3, 5).Draw(t, name)) }
		b := Bounds{Max: Vec{X: unit("x"), Y: unit("y")}}
		c := free(w, h, b)
		c.Fit(b, Even(20))
		x0, y1, _ := c.ScreenFromWorld(b.Min)
		x1, y0, _ := c.ScreenFromWorld(b.Max)
		for _, side := range [][3]float64{{x0, x1, float64(w)}, {y0, y1, float64(h)}} {
			if lo, hi, all := side[0], side[1], side[2]; lo < 19.9 || hi > all-19.9 || hi-lo < 0.7*all {
				t.Fatalf("%g to %g of %g", lo, hi, all)
			}
		}
		p := Vec{X: b.Max.X * rapid.Float64Range(0, 1).Draw(t, "px"),
			Y: b.Max.Y * rapid.Float64Range(0, 1).Draw(t, "py")}
		at := func(c *Flat) (x, y float64) {
			x, y, _ = c.ScreenFromWorld(p)
			return x, y
		}
		near := func(what string, x, y, wx, wy float64) {
			if math.Hypot(x-wx, y-wy) > 0.01 {
				t.Fatalf("%s: %g, %g in place of %g, %g", what, x, y, wx, wy)
			}
		}
		x, y := at(c)
		q := c.WorldFromScreen(x, y)
		near("back", (q.X-p.X)/b.Max.X, (q.Y-p.Y)/b.Max.Y, 0, 0)
		c.ZoomAt(x, y, rapid.Float64Range(0.5, 20).Draw(t, "zoom"))
		zx, zy := at(c)
		near("zoomed", zx, zy, x, y)
		c.Pan(5, -7)
		mx, my := at(c)
		near("panned", mx, my, x+5, y-7)
		px, py, _ := apply(c.Projection(), p)
		near("drawn", px, py, mx, my)
		other := free(w, h, b)
		other.SetPlace(c.Place())
		ox, oy := at(other)
		near("placed", ox, oy, mx, my)
		framed := c.Framed(2*w, 3*h).(*Flat)
		fx, fy := at(framed)
		near("framed", fx/2, fy/3, mx, my)
	})
}
