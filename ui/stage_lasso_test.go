package ui

import (
	"math"
	"testing"

	"blossom/model/maps/selection"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// A lasso takes exactly the points that are drawn inside of it, in a flat view and in 3D.
func TestALassoTakesWhatIsInside(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:cytometry:6000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	d.Keys("4")
	d.Frames(3)
	done := a.desk.Doc.History().Done()
	for i, v := range a.desk.Stage.Scatters() {
		c := v.Rect().Center()
		path := []selection.Point{}
		put := func(x, y float32) { path = append(path, selection.Point{X: float64(x), Y: float64(y)}) }
		d.Move(c.X-70, c.Y-50)
		d.Press(shell.Left)
		put(c.X-70, c.Y-50)
		for k := range 24 { // a star that crosses itself
			s, co := math.Sincos(float64(k) * 2.4)
			x, y := c.X+float32(co)*float32(30+k*3), c.Y+float32(s)*float32(20+k*3)
			d.Move(x, y)
			put(x, y)
		}
		if !a.desk.Stage.Hand().Stroking() {
			t.Fatal("no stroke is under way")
		}
		d.Release(shell.Left)
		d.Frames(2)
		set := a.desk.Stage.Selected()
		order, wrong, in := a.desk.Table().Order, 0, 0
		for p := range order {
			x, y, ok := spot(v, p)
			inside := ok && evenOdd(path, x, y)
			if inside {
				in++
			}
			if set.Contains(int(order[p])) != inside && !onEdge(path, x, y) {
				wrong++
			}
		}
		if wrong > 0 || in < 50 || set.Count() < in-20 || set.Count() > in+20 {
			t.Errorf("view %d: %d points inside, %d selected, %d of them wrong", v.View.ID, in, set.Count(), wrong)
		}
		if n := a.desk.Doc.History().Done(); n != done+1+i {
			t.Fatalf("%d entries for %d strokes", n-done, i+1)
		}
	}

	// Take back, do again, the other way round, none.
	set, n := a.desk.Stage.Selected(), a.desk.Doc.Data.Points
	d.Keys("Ctrl+Z")
	if selection.Equal(set, a.desk.Stage.Selected()) || a.desk.Stage.Selected().Empty() {
		t.Fatal("undo did not bring the selection before")
	}
	d.Keys("Ctrl+Shift+Z")
	if !selection.Equal(set, a.desk.Stage.Selected()) {
		t.Fatal("redo made another selection")
	}
	d.ClickOn("options/Invert")
	if got := a.desk.Stage.Selected(); got.Count() != n-set.Count() || got.Contains(firstOf(set)) {
		t.Fatalf("%d of %d after inverting %d", got.Count(), n, set.Count())
	}
	d.Keys("Ctrl+I")
	if !selection.Equal(set, a.desk.Stage.Selected()) {
		t.Fatal("inverting twice is another selection")
	}

	// Rectangles: with Shift more, with Alt less.
	v := a.desk.Stage.Scatters()[0]
	x, y, _ := spot(v, 0)
	row := int(a.desk.Table().Order[0])
	around := func() { d.Drag(float32(x)-30, float32(y)-30, float32(x)+30, float32(y)+30, 3) }
	d.ClickOn("options/None")
	if !a.desk.Stage.Selected().Empty() {
		t.Fatal("None leaves some")
	}
	uitest.Do(func() { a.desk.Stage.Hand().Shape = view.ByRect })
	around()
	first := a.desk.Stage.Selected()
	if !first.Contains(row) || first.Count() == n {
		t.Fatalf("a rectangle around a point selected %d points, not that one", first.Count())
	}
	want := 0
	for p := range a.desk.Table().Order {
		px, py, ok := spot(v, p)
		if ok && math.Abs(px-x) <= 30 && math.Abs(py-y) <= 30 {
			want++
		}
	}
	if math.Abs(float64(first.Count()-want)) > 3 { // events have whole places
		t.Fatalf("%d points in the rectangle, %d selected", want, first.Count())
	}
	d.Hold("Shift", func() { d.Drag(float32(x)-10, float32(y)-60, float32(x)+60, float32(y)+10, 3) })
	more := a.desk.Stage.Selected()
	if more.Count() <= first.Count() || !more.Contains(row) || !selection.Equal(selection.Union(first, more), more) {
		t.Fatalf("Shift: %d and then %d points", first.Count(), more.Count())
	}
	d.Hold("Alt", around)
	if less := a.desk.Stage.Selected(); less.Count() >= more.Count() || less.Contains(row) {
		t.Fatalf("Alt: %d and then %d points", more.Count(), less.Count())
	}
	d.Click(v.Rect().X0+6, v.Rect().Y0+6)
	if !a.desk.Stage.Selected().Empty() {
		t.Fatal("a click on nothing does not let go")
	}
}

func firstOf(s *selection.Set) int {
	for from := range s.Runs() {
		return from
	}
	return -1
}

// evenOdd says whether a place is inside of a closed path: a ray to the right crosses it an odd number of times.
func evenOdd(path []selection.Point, x, y float64) bool {
	in := false
	for i, p := range path {
		q := path[(i+1)%len(path)]
		if (p.Y > y) != (q.Y > y) && x < p.X+(y-p.Y)/(q.Y-p.Y)*(q.X-p.X) {
			in = !in
		}
	}
	return in
}

// onEdge says whether a place is so near to a path that rounding decides.
func onEdge(path []selection.Point, x, y float64) bool {
	at := evenOdd(path, x, y)
	for _, d := range [][2]float64{{-0.01, 0}, {0.01, 0}, {0, -0.01}, {0, 0.01}} {
		if evenOdd(path, x+d[0], y+d[1]) != at {
			return true
		}
	}
	return false
}
