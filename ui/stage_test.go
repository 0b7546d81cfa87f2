package ui

import (
	"bytes"
	"encoding/json"
	"image"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// kinds are the embeddings of the views in sight, in the order of reading.
func kinds(a *App) (out []string) {
	uitest.Do(func() {
		for _, v := range a.desk.Stage.Scatters() {
			r := v.View.State().Recipe
			out = append(out, r.Kind+string(rune('0'+r.Dims)))
		}
	})
	return out
}

// between is a place on the header of a view that is not a button.
func between(d *uitest.Driver, v *view.Scatter) (x, y float32) {
	r := d.Rect("view" + v.View.ID.Key() + "/colour")
	return r.X1 + 8, r.Center().Y
}

// spot is the place of a point of the map in a view, on the screen.
func spot(v *view.Scatter, i int) (x, y float64, ok bool) {
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
	if got := kinds(a); !slices.Equal(got, []string{"embedsom2", "pca2"}) || a.active().View.ID != 2 {
		t.Fatalf("%v, view %d is active", got, a.active().View.ID)
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
	if len(a.desk.Stage.Scatters()) != view.Most {
		t.Fatalf("%d views", len(a.desk.Stage.Scatters()))
	}
	d.ClickOn("view1/split")
	if a.desk.Stage.Count() != view.Most {
		t.Fatal("a fifth view")
	}
	for i, v := range a.desk.Stage.Scatters() {
		r := v.View.Area()
		for _, o := range a.desk.Stage.Scatters()[i+1:] {
			if q := o.View.Area(); r.X0 < q.X1 && q.X0 < r.X1 && r.Y0 < q.Y1 && q.Y0 < r.Y1 {
				t.Fatalf("views %d and %d lie over each other", v.View.ID, o.View.ID)
			}
		}
		if r.W() < 100 || r.H() < 100 {
			t.Fatalf("view %d has only %v", v.View.ID, r)
		}
	}

	d.ClickOn("view3/maximise")
	if v := a.desk.Stage.Scatters(); len(v) != 1 || v[0].View.ID != 3 || a.active().View.ID != 3 ||
		d.Has("view1/close") {
		t.Fatalf("maximised: %d views in sight, %d is active", len(a.desk.Stage.Scatters()), a.active().View.ID)
	}
	d.Keys("Tab")
	if len(a.desk.Stage.Scatters()) != 1 || a.desk.Stage.Scatters()[0].View.ID == 3 {
		t.Fatal("Tab does not show the next view alone")
	}
	d.Keys("M")
	if len(a.desk.Stage.Scatters()) != view.Most {
		t.Fatal("M does not bring all views back")
	}
	seen := map[view.ID]bool{}
	for range view.Most {
		d.Keys("Tab")
		seen[a.active().View.ID] = true
	}
	if len(seen) != view.Most {
		t.Fatalf("Tab goes round %d views", len(seen))
	}
	x, y := between(d, a.desk.Stage.Scatters()[0])
	d.DoubleClick(x, y)
	if len(a.desk.Stage.Scatters()) != 1 {
		t.Fatal("a double click on a header does not maximise")
	}
	d.Keys("M")

	first, last := a.desk.Stage.Scatters()[0], a.desk.Stage.Scatters()[3]
	was, to := first.View.Area(), last.View.Area()
	x, y = between(d, first)
	d.Drag(x, y, to.Center().X, to.Center().Y, 5)
	d.Frames(2)
	if first.View.Area() != to || last.View.Area() != was {
		t.Fatalf("a dragged header does not swap: %v is at %v", was, first.View.Area())
	}

	bar := d.Rect("bar0").Center()
	width := a.desk.Stage.Scatters()[0].View.Area().W()
	d.Drag(bar.X, bar.Y, bar.X-70, bar.Y, 4)
	d.Frames(2)
	if got := a.desk.Stage.Scatters()[0].View.Area().W(); math.Abs(float64(got-width+70)) > 2 {
		t.Fatalf("a dragged bar changed the width from %g to %g", width, got)
	}
	for n := view.Most - 1; n > 0; n-- {
		d.ClickOn("view" + a.active().View.ID.Key() + "/close")
		d.Frames(2)
		if a.desk.Stage.Count() != n || len(a.desk.Stage.Scatters()) != n {
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
		views := a.desk.Stage.Scatters()
		views[0].View.ColourBy("population")
		views[3].View.ColourBy(a.desk.Doc.Data.Columns[a.desk.Table().Cols[2]].Name)
	})
	for i, v := range a.desk.Stage.Scatters() {
		c := v.Rect().Center()
		d.Wheel(c.X+20, c.Y, float32(1+i))
		if v.Solid() {
			d.Drag(c.X, c.Y, c.X+90, c.Y+30, 4)
		}
	}
	x, y := between(d, a.desk.Stage.Scatters()[0])
	r := a.desk.Stage.Scatters()[1].View.Area()
	d.Drag(x, y, r.Center().X, r.Center().Y, 4)
	d.Keys("4")
	c := a.desk.Stage.Scatters()[2].Rect().Center()
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
			for _, v := range a.desk.Stage.Scatters() {
				out = append(out, shown{v.Cam.Place(), v.View.Area(), v.View.Look(), v.Colours.Column, v.Image()})
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
	v := a.desk.Stage.Scatters()
	flat := slices.DeleteFunc(slices.Clone(v), func(v *view.Scatter) bool { return v.Solid() })
	solid := v[slices.IndexFunc(v, (*view.Scatter).Solid)]
	d.ClickOn("view" + flat[1].View.ID.Key() + "/link")
	if !flat[1].View.State().Linked {
		t.Fatal("its button does not link a view")
	}
	spans := func() (out [4]camera.Place) {
		for i, v := range []*view.Scatter{flat[0], flat[1], flat[2], solid} {
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
	for i, from := range []*view.Scatter{flat[0]} {
		before = spans()
		c := from.Rect().Center()
		d.Drag(c.X+100, c.Y+80, c.X+140, c.Y+95, 4)
		now = spans()
		shift := func(i int, v *view.Scatter) float64 {
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
	uitest.Do(func() { a.active().View.ColourBy("y") })
	d.Frames(3)
	if flat[1].Colours.Column != "y" {
		t.Fatalf("the linked view is coloured by %q", flat[1].Colours.Column)
	}
	d.ClickOn("view" + flat[1].View.ID.Key() + "/link")
	if flat[1].View.State().Linked {
		t.Fatal("it cannot be let go")
	}
}
