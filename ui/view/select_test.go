package view_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"blossom/model/landmarks/landmark"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// A lasso takes exactly the points that are drawn inside of it, in a flat view and in 3D.
func TestALassoTakesWhatIsInside(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:6000", W: 1050, H: 820})
	stand.FourViews(s.Desk, d)
	s.Rest(d)
	d.Keys("4")
	d.Frames(3)
	done := s.Desk.Doc.History().Done()
	for i, v := range s.Desk.Stage.Scatters() {
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
		if !s.Desk.Stage.Hand().Stroking() {
			t.Fatal("no stroke is under way")
		}
		d.Release(shell.Left)
		d.Frames(2)
		set := s.Desk.Stage.Selected()
		order, wrong, in := s.Desk.Table().Order, 0, 0
		for p := range order {
			x, y, ok := stand.Spot(v, p)
			inside := ok && evenOdd(path, x, y)
			if inside {
				in++
			}
			if set.Contains(int(order[p])) != inside && !onEdge(path, x, y) {
				wrong++
			}
		}
		if wrong > 0 || in < 10 || set.Count() < in-20 || set.Count() > in+20 {
			t.Errorf("view %d: %d points inside, %d selected, %d of them wrong", v.View.ID, in, set.Count(), wrong)
		}
		if n := s.Desk.Doc.History().Done(); n != done+1+i {
			t.Fatalf("%d entries for %d strokes", n-done, i+1)
		}
	}

	// Take back, do again, the other way round, none.
	set, n := s.Desk.Stage.Selected(), s.Desk.Doc.Data.Points
	d.Keys("Ctrl+Z")
	if selection.Equal(set, s.Desk.Stage.Selected()) || s.Desk.Stage.Selected().Empty() {
		t.Fatal("undo did not bring the selection before")
	}
	d.Keys("Ctrl+Shift+Z")
	if !selection.Equal(set, s.Desk.Stage.Selected()) {
		t.Fatal("redo made another selection")
	}
	d.ClickOn("options/Invert")
	if got := s.Desk.Stage.Selected(); got.Count() != n-set.Count() || got.Contains(firstOf(set)) {
		t.Fatalf("%d of %d after inverting %d", got.Count(), n, set.Count())
	}
	uitest.Do(s.Desk.Stage.InvertSelection)
	if !selection.Equal(set, s.Desk.Stage.Selected()) {
		t.Fatal("inverting twice is another selection")
	}

	// Rectangles: with Shift more, with Alt less.
	v := s.Desk.Stage.Scatters()[0]
	x, y, _ := stand.Spot(v, 0)
	row := int(s.Desk.Table().Order[0])
	around := func() { d.Drag(float32(x)-30, float32(y)-30, float32(x)+30, float32(y)+30, 3) }
	d.ClickOn("options/None")
	if !s.Desk.Stage.Selected().Empty() {
		t.Fatal("None leaves some")
	}
	uitest.Do(func() { s.Desk.Stage.Hand().Shape = view.ByRect })
	around()
	first := s.Desk.Stage.Selected()
	if !first.Contains(row) || first.Count() == n {
		t.Fatalf("a rectangle around a point selected %d points, not that one", first.Count())
	}
	want := 0
	for p := range s.Desk.Table().Order {
		px, py, ok := stand.Spot(v, p)
		if ok && math.Abs(px-x) <= 30 && math.Abs(py-y) <= 30 {
			want++
		}
	}
	if math.Abs(float64(first.Count()-want)) > 3 { // events have whole places
		t.Fatalf("%d points in the rectangle, %d selected", want, first.Count())
	}
	d.Hold("Shift", func() { d.Drag(float32(x)-10, float32(y)-60, float32(x)+60, float32(y)+10, 3) })
	more := s.Desk.Stage.Selected()
	if more.Count() <= first.Count() || !more.Contains(row) || !selection.Equal(selection.Union(first, more), more) {
		t.Fatalf("Shift: %d and then %d points", first.Count(), more.Count())
	}
	d.Hold("Alt", around)
	if less := s.Desk.Stage.Selected(); less.Count() >= more.Count() || less.Contains(row) {
		t.Fatalf("Alt: %d and then %d points", more.Count(), less.Count())
	}
	d.Click(v.Rect().X0+6, v.Rect().Y0+6)
	if !s.Desk.Stage.Selected().Empty() {
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

// Limits on columns select the same points whichever view is the active one, and go on to be a selection like others.
func TestLimitsOfColumnsSelectTheSameInAnyView(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:800", W: 1000, H: 700})
	in := selection.Within{Rows: 800}
	want := 0
	for _, c := range s.Desk.Table().Cols[:2] {
		column := &s.Desk.Doc.Data.Columns[c]
		_, low, _ := column.Quartiles()
		in.Limits = append(in.Limits, selection.Limit{At: column.At, Low: low, High: 1e30})
	}
	for row := range 800 {
		if in.Limits[0].At(row) >= in.Limits[0].Low && in.Limits[1].At(row) >= in.Limits[1].Low {
			want++
		}
	}
	for _, r := range []embedding.Recipe{embedding.EmbedSOM(), embedding.PCA(2), embedding.PCA(3)} {
		uitest.Do(func() { s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), r) })
		s.Rest(d)
		uitest.Do(func() {
			s.Desk.Stage.SelectNone()
			s.Desk.Stage.Pick(in, view.Replace)
		})
		if got := s.Desk.Stage.Selected().Count(); got != want || want == 0 {
			t.Errorf("%v: %d points, not %d", r, got, want)
		}
	}
}

// middleOf is where the middle of the selected points is on the screen, of all of them.
func middleOf(s *stand.Window) (x, y float64) {
	uitest.Do(func() {
		n := 0.0
		v := s.Desk.Stage.Scatter()
		for i, s := range s.Desk.Stage.Scene.States.Host() {
			if s == 0 {
				continue
			}
			if sx, sy, ok := stand.Spot(v, i); ok {
				x, y, n = x+sx, y+sy, n+1
			}
		}
		x, y = x/n, y/n
	})
	return x, y
}

// A population that is selected is dragged by its grip: its points go with the hand, live, and Esc and undo take it
// back.
func TestDraggedPointsLeadLandmarks(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:6000", W: 1280, H: 800})
	uitest.Do(func() { s.Desk.Stage.Scatter().View.ColourBy("population") })
	s.Rest(d)
	uitest.Do(func() {
		v := s.Desk.Stage.Scatter()
		best := 0
		for i, n := range v.Colours.Counts {
			if n > v.Colours.Counts[best] {
				best = i
			}
		}
		rows := make([]uint64, (s.Desk.Doc.Data.Points+63)/64)
		for i, x := range v.Colours.Numbers {
			if int(x) == best {
				row := i
				if o := s.Desk.Table().Order; o != nil {
					row = int(o[i])
				}
				rows[row/64] |= 1 << (row % 64)
			}
		}
		s.Desk.Stage.Scene.SetSelection("Select", selection.FromBits(s.Desk.Doc.Data.Points, rows))
	})
	uitest.Do(func() { s.Tool("select") })
	s.Rest(d)
	d.Shoot("grip")
	landmarks := func() (l *landmark.Set) {
		uitest.Do(func() { l = s.Marks() })
		return l
	}
	grip := func() (float32, float32) {
		var x, y float64
		uitest.Do(func() {
			p, ok := s.Desk.Stage.Scatter().Grip()
			if !ok {
				t.Fatal("the selected points have no grip")
			}
			x, y, _ = s.Desk.Stage.Scatter().Eye.Screen(p)
		})
		return float32(x), float32(y)
	}
	before := landmarks()
	entries := s.Last()
	x, y := grip()
	mx, my := middleOf(s)
	if math.Hypot(float64(x)-mx, float64(y)-my) > 1 {
		t.Fatalf("the grip is at %g, %g and the middle of the points at %g, %g", x, y, mx, my)
	}

	// Esc in mid-drag takes it back.
	d.Move(x, y)
	d.Press(shell.Left)
	for i := range 6 {
		d.Move(x+float32(i)*12, y+float32(i)*8)
	}
	if slices.Equal(landmarks().Pos.Data, before.Pos.Data) {
		t.Fatal("nothing moves with the hand")
	}
	d.Keys("Escape")
	d.Release(shell.Left)
	if !slices.Equal(landmarks().Pos.Data, before.Pos.Data) || s.Last() != entries {
		t.Fatalf("Esc leaves landmarks where they were dragged; %q", s.Last())
	}
	s.Rest(d)

	d.Move(x, y)
	d.Press(shell.Left)
	for i := 1; i <= 10; i++ {
		d.Move(x+float32(i)*9, y+float32(i)*5)
		d.Wait("the points have followed", 10*time.Second, func() bool { return !s.Desk.Busy() })
	}
	d.Shoot("grip-drag")
	d.Release(shell.Left)
	s.Rest(d)
	d.Shoot("grip-done")
	nx, ny := middleOf(s)
	if off := math.Hypot(nx-mx-90, ny-my-50); off > 0.06*math.Hypot(90, 50) {
		t.Errorf("the points' middle went by %.1f, %.1f instead of 90, 50", nx-mx, ny-my)
	}
	after := landmarks()
	if !after.ByHand || s.Last() != "Move points" {
		t.Errorf("by hand %v, entry %q", after.ByHand, s.Last())
	}
	d.Keys("Ctrl+Z")
	if !slices.Equal(landmarks().Pos.Data, before.Pos.Data) {
		t.Error("one undo does not bring the landmarks back")
	}
}

// A brush takes the points that it is drawn over, as far as it reaches; a click paints where it stands, and what is
// enclosed can be what is kept of a selection.
func TestABrushTakesWhatItIsDrawnOver(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:4000", W: 1050, H: 820})
	s.Rest(d)
	d.Keys("4")
	hand, v := s.Desk.Stage.Hand(), s.Desk.Stage.Scatter()
	const reach = 25
	uitest.Do(func() { hand.Shape, hand.Brush = view.ByBrush, reach })
	d.Frames(2)
	c := v.Rect().Center()
	way := [][2]float32{{c.X - 150, c.Y - 100}, {c.X + 120, c.Y - 40}, {c.X - 60, c.Y + 130}, {c.X - 60, c.Y - 120}}
	d.Move(way[0][0], way[0][1])
	d.Press(shell.Left)
	for _, at := range way[1:] {
		d.Move(at[0], at[1])
	}
	if !hand.Stroking() {
		t.Fatal("no stroke is under way")
	}
	d.Release(shell.Left)
	d.Frames(2)
	check := func(what string, in func(row int, far float64) bool, way ...[2]float32) {
		t.Helper()
		set, order := s.Desk.Stage.Selected(), s.Desk.Table().Order
		some := 0
		for p := range order {
			x, y, ok := stand.Spot(v, p)
			far := math.Inf(1)
			for i := range way {
				a, b := way[max(i-1, 0)], way[i]
				far = min(far, farFrom(float64(a[0]), float64(a[1]), float64(b[0]), float64(b[1]), x, y))
			}
			if math.Abs(far-reach) < 1.5 { // events have whole places
				continue
			}
			want := ok && in(int(order[p]), far)
			if want {
				some++
			}
			if set.Contains(int(order[p])) != want {
				t.Fatalf("%s: a point %.1f away is selected: %v", what, far, !want)
			}
		}
		if some < 5 {
			t.Fatalf("%s: only %d points", what, some)
		}
	}
	check("a stroke", func(_ int, far float64) bool { return far < reach }, way...)
	first := s.Desk.Stage.Selected()
	d.ClickOn("options/Mode/Intersect")
	d.Frames(2)
	d.Drag(way[0][0], way[0][1], way[1][0], way[1][1], 4)
	d.Frames(2)
	check("kept of it", func(row int, far float64) bool { return far < reach && first.Contains(row) }, way[0], way[1])
	d.ClickOn("options/Mode/Replace")
	x, y, _ := stand.Spot(v, 0)
	x, y = math.Round(x), math.Round(y)
	d.Click(float32(x), float32(y))
	d.Frames(2)
	check("a click", func(_ int, far float64) bool { return far < reach }, [2]float32{float32(x), float32(y)})
}

// farFrom is how far a place is from the line between two others.
func farFrom(ax, ay, bx, by, x, y float64) float64 {
	least := math.Inf(1)
	for i := range 4001 {
		f := float64(i) / 4000
		least = min(least, math.Hypot(x-ax-f*(bx-ax), y-ay-f*(by-ay)))
	}
	return least
}
