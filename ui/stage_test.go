package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/parts"
	"blossom/model/selection"
	"blossom/render/camera"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// kinds are the embeddings of the views in sight, in the order of reading.
func kinds(a *App) (out []string) {
	uitest.Do(func() {
		for _, v := range a.desk.Stage.Views() {
			r := v.State().Recipe
			out = append(out, r.Kind+string(rune('0'+r.Dims)))
		}
	})
	return out
}

// between is a place on the header of a view that is not a button.
func between(d *uitest.Driver, v *view.View) (x, y float32) {
	r := d.Rect("view" + v.ID.Key() + "/colour")
	return r.X1 + 8, r.Center().Y
}

// spot is the place of a point of the map in a view, on the screen.
func spot(v *view.View, i int) (x, y float64, ok bool) {
	p, dims := v.Points().Host(), v.Points().Dims()
	at := camera.Vec{X: float64(p[i*dims]), Y: float64(p[i*dims+1])}
	if dims == 3 {
		at.Z = float64(p[i*dims+2])
	}
	return v.Screen(at)
}

// Split, close, maximise, next and swap, as a hand does them.
func TestViewsByTheirHeaders(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:3000"}, Still: true})
	opened(t, a, d)
	if d.Has("view1/close") || d.Has("view1/maximise") {
		t.Fatal("the only view can be closed")
	}
	d.ClickOn("view1/split")
	rest(t, a, d)
	if got := kinds(a); !slices.Equal(got, []string{"embedsom2", "pca2"}) || a.active().ID != 2 {
		t.Fatalf("%v, view %d is active", got, a.active().ID)
	}
	d.ClickOn("view2/embedding")
	d.Frames(3)
	d.ClickOn("PCA 3D")
	rest(t, a, d)
	if got := kinds(a); !slices.Equal(got, []string{"embedsom2", "pca3"}) || !a.active().Solid() {
		t.Fatalf("%v after choosing 3D", got)
	}
	d.ClickOn("view1/split")
	d.ClickOn("view2/split")
	rest(t, a, d)
	if len(a.desk.Stage.Views()) != view.Most {
		t.Fatalf("%d views", len(a.desk.Stage.Views()))
	}
	d.ClickOn("view1/split")
	if a.desk.Stage.Count() != view.Most {
		t.Fatal("a fifth view")
	}
	for i, v := range a.desk.Stage.Views() {
		r := v.Area()
		for _, o := range a.desk.Stage.Views()[i+1:] {
			if q := o.Area(); r.X0 < q.X1 && q.X0 < r.X1 && r.Y0 < q.Y1 && q.Y0 < r.Y1 {
				t.Fatalf("views %d and %d lie over each other", v.ID, o.ID)
			}
		}
		if r.W() < 100 || r.H() < 100 {
			t.Fatalf("view %d has only %v", v.ID, r)
		}
	}

	d.ClickOn("view3/maximise")
	if len(a.desk.Stage.Views()) != 1 || a.desk.Stage.Views()[0].ID != 3 || a.active().ID != 3 || d.Has("view1/close") {
		t.Fatalf("maximised: %d views in sight, %d is active", len(a.desk.Stage.Views()), a.active().ID)
	}
	d.Keys("Tab")
	if len(a.desk.Stage.Views()) != 1 || a.desk.Stage.Views()[0].ID == 3 {
		t.Fatal("Tab does not show the next view alone")
	}
	d.Keys("M")
	if len(a.desk.Stage.Views()) != view.Most {
		t.Fatal("M does not bring all views back")
	}
	seen := map[view.ID]bool{}
	for range view.Most {
		d.Keys("Tab")
		seen[a.active().ID] = true
	}
	if len(seen) != view.Most {
		t.Fatalf("Tab goes round %d views", len(seen))
	}
	x, y := between(d, a.desk.Stage.Views()[0])
	d.DoubleClick(x, y)
	if len(a.desk.Stage.Views()) != 1 {
		t.Fatal("a double click on a header does not maximise")
	}
	d.Keys("M")

	first, last := a.desk.Stage.Views()[0], a.desk.Stage.Views()[3]
	was, to := first.Area(), last.Area()
	x, y = between(d, first)
	d.Drag(x, y, to.Center().X, to.Center().Y, 5)
	d.Frames(2)
	if first.Area() != to || last.Area() != was {
		t.Fatalf("a dragged header does not swap: %v is at %v", was, first.Area())
	}

	bar := d.Rect("bar0").Center()
	width := a.desk.Stage.Views()[0].Area().W()
	d.Drag(bar.X, bar.Y, bar.X-70, bar.Y, 4)
	d.Frames(2)
	if got := a.desk.Stage.Views()[0].Area().W(); math.Abs(float64(got-width+70)) > 2 {
		t.Fatalf("a dragged bar changed the width from %g to %g", width, got)
	}
	for n := view.Most - 1; n > 0; n-- {
		d.ClickOn("view" + a.active().ID.Key() + "/close")
		d.Frames(2)
		if a.desk.Stage.Count() != n || len(a.desk.Stage.Views()) != n {
			t.Fatalf("%d views after closing, not %d", a.desk.Stage.Count(), n)
		}
	}
	if a.desk.Doc.History().Len() != 0 {
		t.Fatal("how views lie is in the history")
	}
	rest(t, a, d)
}

// What a session brings back: views, how they lie, cameras, looks, selection, and so the very same pictures.
func TestViewsComeBackWithASession(t *testing.T) {
	config, state := t.TempDir(), t.TempDir()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:4000"}, ConfigDir: config, StateDir: state,
		Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	uitest.Do(func() {
		views := a.desk.Stage.Views()
		a.desk.Stage.ColourBy(views[0], "population")
		a.desk.Stage.ColourBy(views[3], a.desk.Doc.Data.Columns[a.desk.Table().Cols[2]].Name)
	})
	for i, v := range a.desk.Stage.Views() {
		c := v.Rect().Center()
		d.Wheel(c.X+20, c.Y, float32(1+i))
		if v.Solid() {
			d.Drag(c.X, c.Y, c.X+90, c.Y+30, 4)
		}
	}
	x, y := between(d, a.desk.Stage.Views()[0])
	r := a.desk.Stage.Views()[1].Area()
	d.Drag(x, y, r.Center().X, r.Center().Y, 4)
	d.Keys("4")
	c := a.desk.Stage.Views()[2].Rect().Center()
	d.Drag(c.X-60, c.Y-40, c.X+60, c.Y-40, 3)
	d.Press(shell.Left)
	for _, p := range [][2]float32{{60, 60}, {-50, 50}, {-60, -20}} {
		d.Move(c.X+p[0], c.Y+p[1])
	}
	d.Release(shell.Left)
	if a.desk.Stage.Selected().Empty() {
		t.Fatal("nothing is selected")
	}
	d.Keys("1")
	rest(t, a, d)
	d.Keys("Ctrl+S")
	d.Frames(3)
	name := filepath.Join(t.TempDir(), "four.blossom")
	d.Keys("Ctrl+A")
	d.Type(name)
	d.Keys("Enter")
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(name) })
	rest(t, a, d)
	type shown struct {
		place    camera.Place
		area     widget.Rect
		look     parts.Look
		coloured string
		picture  *image.RGBA
	}
	look := func(a *App) (out []shown) {
		uitest.Do(func() {
			for _, v := range a.desk.Stage.Views() {
				out = append(out, shown{v.Cam.Place(), v.Area(), v.Look(), v.Column, v.Image()})
			}
		})
		return out
	}
	want, views, chosen := look(a), parts.Views.Of(a.desk.Doc.State()), a.desk.Stage.Selected()
	d.End()

	b, e := begin(t, 1280, 800, 1, Options{Paths: []string{name}, ConfigDir: config, StateDir: state, Still: true})
	opened(t, b, e)
	now := parts.Views.Of(b.desk.Doc.State())
	if compact(now.Layout) != compact(views.Layout) || now.Active != views.Active ||
		!slices.EqualFunc(now.Views, views.Views, func(x, y parts.View) bool {
			return x.ID == y.ID && x.Recipe.Equal(y.Recipe) && x.Axes == y.Axes && x.Camera.Set() == y.Camera.Set()
		}) {
		t.Fatalf("other views came back:\n%+v\n%+v", views, now)
	}
	if !selection.Equal(chosen, b.desk.Stage.Selected()) {
		t.Fatalf("%d points were selected, %d came back", chosen.Count(), b.desk.Stage.Selected().Count())
	}
	got := look(b)
	if len(got) != len(want) {
		t.Fatalf("%d views", len(got))
	}
	for i, g := range got {
		w := want[i]
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }
		if g.area != w.area || g.look != w.look || g.coloured != w.coloured || !near(g.place.Span, w.place.Span) ||
			!near(g.place.Centre.X, w.place.Centre.X) || !near(g.place.Centre.Z, w.place.Centre.Z) {
			t.Errorf("view %d: %+v, it was %+v", i+1, g.place, w.place)
		}
		if n := differing(g.picture, w.picture); n > 20 { // rounding of cameras may cross a pixel's middle
			t.Errorf("view %d: %d pixels differ", i+1, n)
		}
	}
}

func compact(text []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return err.Error()
	}
	return b.String()
}

// differing counts the pixels in which two pictures differ; all of them if they are of different sizes.
func differing(a, b *image.RGBA) (n int) {
	if a.Bounds().Size() != b.Bounds().Size() {
		return math.MaxInt
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.RGBAAt(a.Rect.Min.X+x, a.Rect.Min.Y+y) != b.RGBAAt(b.Rect.Min.X+x, b.Rect.Min.Y+y) {
				n++
			}
		}
	}
	return n
}

func TestLinkedViewsZoomAndPanTogether(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	v := a.desk.Stage.Views()
	flat := slices.DeleteFunc(slices.Clone(v), func(v *view.View) bool { return v.Solid() })
	solid := v[slices.IndexFunc(v, (*view.View).Solid)]
	d.ClickOn("view" + flat[1].ID.Key() + "/link")
	if !flat[1].State().Linked {
		t.Fatal("its button does not link a view")
	}
	spans := func() (out [4]camera.Place) {
		for i, v := range []*view.View{flat[0], flat[1], flat[2], solid} {
			out[i] = v.Cam.Place()
		}
		return out
	}
	c := flat[0].Rect().Center()
	d.Move(c.X, c.Y)
	d.Press(shell.Left) // the active view is the one that others follow
	d.Release(shell.Left)
	before := spans()
	d.Wheel(c.X+30, c.Y-20, 3)
	now := spans()
	f0, f1 := before[0].Span/now[0].Span, before[1].Span/now[1].Span
	if math.Abs(f0-1.331) > 1e-9 || math.Abs(f1-f0) > 1e-9 {
		t.Fatalf("zoomed by %g, and the linked view by %g", f0, f1)
	}
	if now[2] != before[2] || now[3] != before[3] {
		t.Fatal("a view that is not linked was zoomed")
	}
	// A pan moves the linked view by as much of its own side.
	for i, from := range []*view.View{flat[0]} {
		before = spans()
		c := from.Rect().Center()
		d.Drag(c.X+100, c.Y+80, c.X+140, c.Y+95, 4)
		now = spans()
		shift := func(i int, v *view.View) float64 {
			return (now[i].Centre.X - before[i].Centre.X) / now[i].Span * math.Min(float64(v.Rect().W()),
				float64(v.Rect().H())) / float64(v.Rect().W())
		}
		if a, b := shift(0, flat[0]), shift(1, flat[1]); math.Abs(a) < 0.01 || math.Abs(a-b) > 1e-6 {
			t.Fatalf("pan %d moved the view by %g of its side, and the linked one by %g", i, a, b)
		}
		if now[2] != before[2] || now[3] != before[3] {
			t.Fatal("a view that is not linked was moved")
		}
	}
	// Colours are those of the active view.
	uitest.Do(func() { a.desk.Stage.ColourBy(a.active(), "y") })
	d.Frames(3)
	if flat[1].Column != "y" {
		t.Fatalf("the linked view is coloured by %q", flat[1].Column)
	}
	d.ClickOn("view" + flat[1].ID.Key() + "/link")
	if flat[1].State().Linked {
		t.Fatal("it cannot be let go")
	}
}

// The point under the mouse is marked in all views, and its card tells the values of the file.
func TestHoverIsShared(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:cytometry:3000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { a.setLandmarks(false) })
	fourViews(a, d, t)
	d.Move(5, 5)
	d.Sleep(time.Second)
	before := d.Screenshot()
	for _, at := range []int{1, 3} {
		v := a.desk.Stage.Views()[at]
		i := visible(a)
		if i < 0 {
			t.Fatal("no point is seen in all views")
		}
		x, y, _ := spot(v, i)
		d.Move(float32(x), float32(y))
		d.Sleep(300 * time.Millisecond)
		h := a.desk.Stage.Hover()
		if !h.On || h.At != v || h.Row != int(a.desk.Table().Order[h.Point]) {
			t.Fatalf("hovering at %g, %g: %+v", x, y, h)
		}
		near := 1.0
		if v.Solid() {
			near = 9.5 // of the points within reach of the mouse's pixel, the one in front
		}
		if hx, hy, _ := spot(v, h.Point); math.Hypot(hx-x, hy-y) > near {
			t.Fatalf("the point is at %g, %g, the mouse at %g, %g", hx, hy, x, y)
		}
		shot, card := d.Screenshot(), *h.Shown()
		for _, w := range a.desk.Stage.Views() {
			x, y, ok := spot(w, h.Point)
			if !ok {
				t.Fatalf("the point is not seen in view %d", w.ID)
			}
			r := image.Rect(int(x)-9, int(y)-9, int(x)+9, int(y)+9)
			if n := changedIn(before, shot, r); n < 12 {
				t.Errorf("view %d: only %d pixels around the point changed", w.ID, n)
			}
		}
		if !strings.HasSuffix(card.Title, grouped(h.Row+1)) || len(card.Rows) == 0 {
			t.Fatalf("a card %q of row %d", card.Title, h.Row)
		}
		checkCard(t, a, &card, h.Row)
		d.Keys("I")
		d.Frames(3)
		if !h.Held || len(h.Shown().Rows) <= len(card.Rows) {
			t.Fatalf("held: %d rows", len(h.Shown().Rows))
		}
		checkCard(t, a, h.Shown(), h.Row)
		d.Keys("Esc")
		d.Move(5, 5)
		d.Frames(2)
		if h.On {
			t.Fatal("it is still marked when the mouse has gone")
		}
	}
}

// visible is a point that every view shows where nothing lies over it, and -1 if there is none.
func visible(a *App) (found int) {
	found = -1
	uitest.Do(func() {
	points:
		for i := range a.desk.Table().X.Rows {
			for _, v := range a.desk.Stage.Views() {
				x, y, ok := spot(v, i)
				r := v.Rect()
				in := widget.Rect{X0: r.X0 + r.W()*0.35, Y0: r.Y0 + 20, X1: r.X1 - 20, Y1: r.Y1 - 60}
				if !ok || !in.Has(imgui.Vec2{X: float32(x), Y: float32(y)}) {
					continue points
				}
			}
			found = i
			return
		}
	})
	return found
}

func changedIn(a, b *image.RGBA, r image.Rectangle) int {
	return differing(a.SubImage(r).(*image.RGBA), b.SubImage(r).(*image.RGBA))
}

// checkCard compares the numbers of a card with those of the table.
func checkCard(t *testing.T, a *App, card *widget.Card, row int) {
	t.Helper()
	for _, r := range card.Rows {
		found := false
		for i := range a.desk.Doc.Data.Columns {
			c := &a.desk.Doc.Data.Columns[i]
			if c.Short() != r.Name {
				continue
			}
			found = true
			var got float64
			text := strings.Map(func(r rune) rune {
				if r == '-' || r == '.' || r == 'e' || r == '+' || r >= '0' && r <= '9' {
					return r
				}
				if r == '−' {
					return '-'
				}
				return -1
			}, r.Value)
			if _, err := fmt.Sscan(text, &got); err != nil {
				t.Fatalf("%s: %q is no number", r.Name, r.Value)
			}
			if want := float64(c.Values[row]); math.Abs(got-want) > 1e-3*math.Abs(want)+0.5*lastPlace(want) {
				t.Errorf("%s: %s on the card, %g in the file", r.Name, r.Value, want)
			}
			q1, _, q3 := c.Quartiles()
			x := float64(c.Values[row])
			if r.Box[0] > r.Median || r.Median > r.Box[1] || x < q1 && r.At > r.Box[0] || x > q3 && r.At < r.Box[1] {
				t.Errorf("%s: at %g, the box %v", r.Name, r.At, r.Box)
			}
		}
		if !found {
			t.Errorf("there is no column %q", r.Name)
		}
	}
}

// lastPlace is what the last place of a whole number on a card stands for.
func lastPlace(x float64) float64 {
	if math.Abs(x) >= 1000 {
		return 1
	}
	return 0
}

// A lasso takes exactly the points that are drawn inside of it, in a flat view and in 3D.
func TestALassoTakesWhatIsInside(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:cytometry:6000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	d.Keys("4")
	d.Frames(3)
	done := a.desk.Doc.History().Done()
	for i, v := range a.desk.Stage.Views() {
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
			t.Errorf("view %d: %d points inside, %d selected, %d of them wrong", v.ID, in, set.Count(), wrong)
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
	v := a.desk.Stage.Views()[0]
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

func TestColoursOfViews(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	views, names := a.desk.Stage.Views(), []string{"x", "y", "z", "w"}
	for i, v := range views {
		d.ClickOn("view" + v.ID.Key() + "/colour")
		d.Frames(3)
		d.Type(names[i])
		d.Frames(2)
		d.Keys("Enter")
		d.Frames(3)
	}
	rest(t, a, d)
	for i, v := range views {
		if v.Column != names[i] || v.Look().Column != names[i] {
			t.Errorf("view %d is coloured by %q, not %q", v.ID, v.Column, names[i])
		}
	}
	if h := a.desk.Doc.History(); h.Done() < 3 || !strings.HasPrefix(h.Name(h.Done()-1), "Colour by ") {
		t.Fatalf("%d entries", h.Done())
	}
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if views[3].Column == "w" || views[0].Column != "x" {
		t.Fatal("undo took back another view's colour")
	}
}

// In a window with no room for four views one is shown, with a switch to the others.
func TestFourViewsInASmallWindow(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	d.Resize(500, 400)
	rest(t, a, d)
	if len(a.desk.Stage.Views()) != 1 || a.desk.Stage.Count() != view.Most {
		t.Fatalf("%d of %d views in sight", len(a.desk.Stage.Views()), a.desk.Stage.Count())
	}
	seen := map[view.ID]bool{}
	for range view.Most {
		v := a.desk.Stage.Views()[0]
		seen[v.ID] = true
		if r := v.Rect(); r.W() < 300 || r.H() < 200 {
			t.Fatalf("the view has only %v", r)
		}
		d.ClickOn("view" + v.ID.Key() + "/views")
		rest(t, a, d)
	}
	if len(seen) != view.Most {
		t.Fatalf("the switch goes round %d views", len(seen))
	}
	d.Resize(1280, 800)
	rest(t, a, d)
	if len(a.desk.Stage.Views()) != view.Most {
		t.Fatal("they do not come back in a larger window")
	}
}

// A picture of all views is as large as they are together, and has the pixels of each.
func TestAPictureOfAllViews(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:3000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	uitest.Do(func() { a.desk.Show(func(v *parts.View) { v.Axes = false }) })
	for _, v := range a.desk.Stage.Views() {
		uitest.Do(func() { v.Edit(func(s *parts.View) { s.Axes, s.Legend = false, false }) })
	}
	rest(t, a, d)
	write := func(p desk.Picture) *image.RGBA {
		path := filepath.Join(t.TempDir(), "out.png")
		uitest.Do(func() { a.exportPicture(path, p) })
		d.Wait("the picture is written", 20*time.Second, func() bool {
			return exists(path) && a.picture == nil && len(a.jobs.List()) == 0
		})
		return pictureFile(t, path)
	}
	for i, v := range a.desk.Stage.Views() {
		uitest.Do(func() { a.desk.Stage.Activate(v) })
		d.Frames(3)
		var want *image.RGBA
		uitest.Do(func() { want = v.Image() })
		if n := differing(write(desk.Picture{}), want); n > 0 {
			t.Errorf("view %d: %d pixels of its picture are not those of the window", i+1, n)
		}
	}
	r := a.regions.views
	all := write(desk.Picture{All: true})
	if all.Rect.Dx() != int(r.W()) || all.Rect.Dy() != int(r.H()) {
		t.Fatalf("%v, the views are %v", all.Rect, r)
	}
	for i, v := range a.desk.Stage.Views() {
		var want *image.RGBA
		uitest.Do(func() { want = v.Image() })
		b := v.Rect()
		at := image.Pt(int(b.X0-r.X0), int(b.Y0-r.Y0))
		got := all.SubImage(want.Rect.Add(at)).(*image.RGBA)
		if n := differing(got, want); n > 0 {
			t.Errorf("view %d: %d of %d pixels in the picture of all differ", i+1, n, want.Rect.Dx()*want.Rect.Dy())
		}
	}
	if fine := write(desk.Picture{All: true, Size: desk.TwiceAsFine}); fine.Rect.Dx() != 2*all.Rect.Dx() ||
		fine.Rect.Dy() != 2*all.Rect.Dy() {
		t.Errorf("twice as fine: %v of %v", fine.Rect, all.Rect)
	}
	if own := write(desk.Picture{All: true, Size: desk.OwnSize, Width: 640, Height: 300, Scale: 1}); own.Rect.Dx() !=
		640 || own.Rect.Dy() != 300 {
		t.Errorf("own size: %v", own.Rect)
	}
}

func pictureFile(t *testing.T, path string) *image.RGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

// The frame of four views takes no memory: neither at rest nor while a landmark is dragged. What ImGui is told is
// another matter.
func TestTheFrameOfFourViewsDoesNotAllocate(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:4000"}, Still: true})
	opened(t, a, d)
	fourViews(a, d, t)
	frame := func() {
		a.shown = a.desk.Stage.Recipes(a.shown[:0])
		a.desk.Map.Show(a.shown)
		if _, err := a.desk.Frame(shell.FrameTime, 50*time.Millisecond); err != nil {
			t.Error(err)
		}
		a.desk.Stage.Arrange(a.regions.views, false)
		a.desk.Stage.Update(a.ctx.Now())
		a.desk.Stage.Draw(a.desk.Busy())
		a.desk.Stage.Keep()
	}
	uitest.Do(func() {
		if n := testing.AllocsPerRun(50, frame); n > 0 {
			t.Errorf("%g allocations in a frame at rest", n)
		}
	})
	d.Keys("2")
	x, y := landmarkAt(a, 30)
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x+20, y)
	i := 0
	uitest.Do(func() {
		frame()
		drag := func() {
			i++
			a.desk.Stage.Hand().Handle(shell.Event{Kind: shell.MouseMove,
				Pos: imgui.Vec2{X: x + 20 + float32(i%7), Y: y + float32(i%5)}}, 1)
		}
		hand := testing.AllocsPerRun(50, drag)
		both := testing.AllocsPerRun(50, func() { drag(); frame() })
		if both > hand {
			t.Errorf("%g allocations in a frame of a drag, %g of them of the landmarks that move", both, hand)
		}
	})
	d.Release(shell.Left)
	rest(t, a, d)
}

// The map stays where it is on the screen when the options of a tool come and go, flat and in 3D, one view or several.
func TestTheMapStaysUnderTheOptionsOfATool(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:3000"}, Still: true})
	opened(t, a, d)
	for _, solid := range []bool{false, true} {
		if solid {
			uitest.Do(func() {
				a.desk.Start.SetSolid(true)
				a.newLandmarks()
				a.desk.Pause()
			})
			rest(t, a, d)
			d.Keys("F")
			rest(t, a, d)
		}
		uitest.Do(func() { a.active().Moved = true })
		for range 2 {
			at := func() (out [][2]float64) {
				uitest.Do(func() {
					for _, v := range a.desk.Stage.Views() {
						for _, id := range []int{0, 30, 77} {
							p := marksOf(a).Pos.Row(id)
							w := camera.Vec{X: float64(p[0]), Y: float64(p[1])}
							if solid {
								w.Z = float64(p[2])
							}
							x, y, _ := v.Screen(w)
							out = append(out, [2]float64{x, y})
						}
					}
				})
				return out
			}
			d.Keys("1")
			rest(t, a, d)
			before, box := at(), canvas(a)
			for _, key := range []string{"4", "3", "1"} {
				d.Keys(key)
				d.Frames(2)
				if a.desk.Stage.Flying() {
					t.Error("it flies")
				}
				rest(t, a, d)
				far := 1.0
				if solid {
					far = 4 // what is not in the plane of the middle is seen a little more from the side
				}
				for i, p := range at() {
					if math.Hypot(p[0]-before[i][0], p[1]-before[i][1]) > far {
						t.Errorf("3D %v, with %s a landmark is at %.1f, before at %.1f", solid, key, p, before[i])
					}
				}
			}
			if canvas(a) != box {
				t.Error("the view has not its place again")
			}
			if !solid {
				d.Keys("Ctrl+D")
				rest(t, a, d)
			}
		}
		if !solid {
			for a.desk.Stage.Count() > 1 {
				d.Keys("Ctrl+W")
				d.Frames(2)
			}
		}
		rest(t, a, d)
	}
}
