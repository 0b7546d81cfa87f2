package view_test

import (
	"math"
	"testing"

	"blossom/model/maps/selection"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// Ellipses and polygons take exactly the points that are drawn inside of them, in flat views and in 3D.
func TestEllipsesAndPolygonsTakeWhatIsInside(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:6000", W: 1050, H: 820})
	stand.FourViews(s.Desk, d)
	s.Rest(d)
	d.Keys("4")
	d.Frames(3)
	hand := s.Desk.Stage.Hand()
	check := func(v *view.Scatter, what string, inside func(x, y float64) bool) {
		t.Helper()
		set, order, wrong, in := s.Desk.Stage.Selected(), s.Desk.Table().Order, 0, 0
		for p := range order {
			x, y, ok := stand.Spot(v, p)
			is := ok && inside(x, y)
			if is {
				in++
			}
			near, by := false, 0.01 // rounding decides
			if what == "ellipse" && v.View.State().Recipe.Kind == "columns" {
				by = 1 // it is a polygon there, as a gate is
			}
			for _, e := range [][2]float64{{-by, 0}, {by, 0}, {0, -by}, {0, by}} {
				near = near || inside(x+e[0], y+e[1]) != is
			}
			if set.Contains(int(order[p])) != is && !near {
				wrong++
			}
		}
		if wrong > 0 || in < 10 || set.Count() < in-20 || set.Count() > in+20 {
			t.Errorf("view %d, %s: %d points inside, %d selected, %d of them wrong", v.View.ID, what, in, set.Count(),
				wrong)
		}
	}
	for _, v := range s.Desk.Stage.Scatters() {
		c := v.Rect().Center()
		uitest.Do(func() { hand.Shape = view.ByEllipse })
		d.Drag(c.X-110, c.Y+70, c.X+90, c.Y-90, 4)
		d.Frames(2)
		check(v, "ellipse", func(x, y float64) bool {
			return math.Hypot((x-float64(c.X-10))/100, (y-float64(c.Y-10))/80) <= 1
		})
		uitest.Do(func() { hand.Shape = view.ByPolygon })
		var path []selection.Point
		for k := range 5 { // a star that crosses itself
			sin, cos := math.Sincos(float64(k) * 0.8 * math.Pi)
			x, y := c.X+float32(math.Round(110*sin)), c.Y-float32(math.Round(90*cos))
			path = append(path, selection.Point{X: float64(x), Y: float64(y)})
			d.Click(x, y)
			d.Frames(2)
		}
		if !hand.Cornering() {
			t.Fatal("no polygon is clicked together")
		}
		d.Keys("Enter")
		d.Frames(2)
		check(v, "polygon", func(x, y float64) bool { return evenOdd(path, x, y) })
	}

	// A double click closes it, and Esc lets go of it before what is selected.
	v := s.Desk.Stage.Scatters()[0]
	c := v.Rect().Center()
	was := s.Desk.Stage.Selected()
	d.Click(c.X-100, c.Y-80)
	d.Click(c.X+100, c.Y-80)
	d.Keys("Escape")
	if hand.Cornering() || !selection.Equal(was, s.Desk.Stage.Selected()) {
		t.Fatal("Esc did not let go of the polygon, or of more")
	}
	d.Click(c.X-100, c.Y-80)
	d.Click(c.X+100, c.Y-80)
	d.DoubleClick(c.X, c.Y+90)
	d.Frames(2)
	path := []selection.Point{{X: float64(c.X - 100), Y: float64(c.Y - 80)},
		{X: float64(c.X + 100), Y: float64(c.Y - 80)}, {X: float64(c.X), Y: float64(c.Y + 90)}}
	check(v, "double click", func(x, y float64) bool { return evenOdd(path, x, y) })
}
