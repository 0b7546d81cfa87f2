package view_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// kinds are the embeddings of the views in sight, in the order of reading.
func kinds(s *stand.Window) (out []string) {
	uitest.Do(func() {
		for _, v := range s.Desk.Stage.Scatters() {
			r := v.View.State().Recipe
			out = append(out, r.Kind+string(rune('0'+r.Dims)))
		}
	})
	return out
}

// Split, close, maximise, next and swap, as a hand does them.
func TestViewsByTheirHeaders(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:3000", W: 1280, H: 800})
	if d.Has("view1/close") || d.Has("view1/maximise") {
		t.Fatal("the only view can be closed")
	}
	d.ClickOn("view1/split")
	s.Rest(d)
	if got := kinds(s); !slices.Equal(got, []string{"embedsom2", "pca2"}) || s.Desk.Stage.Scatter().View.ID != 2 {
		t.Fatalf("%v, view %d is active", got, s.Desk.Stage.Scatter().View.ID)
	}
	d.ClickOn("view2/embedding")
	d.Frames(3)
	d.ClickOn("PCA 3D")
	s.Rest(d)
	if got := kinds(s); !slices.Equal(got, []string{"embedsom2", "pca3"}) || !s.Desk.Stage.Scatter().Eye.Solid() {
		t.Fatalf("%v after choosing 3D", got)
	}
	d.ClickOn("view1/split")
	d.ClickOn("view2/split")
	s.Rest(d)
	if len(s.Desk.Stage.Scatters()) != view.Most {
		t.Fatalf("%d views", len(s.Desk.Stage.Scatters()))
	}
	d.ClickOn("view1/split")
	if s.Desk.Stage.Count() != view.Most {
		t.Fatal("a fifth view")
	}
	for i, v := range s.Desk.Stage.Scatters() {
		r := v.View.Area()
		for _, o := range s.Desk.Stage.Scatters()[i+1:] {
			if q := o.View.Area(); r.X0 < q.X1 && q.X0 < r.X1 && r.Y0 < q.Y1 && q.Y0 < r.Y1 {
				t.Fatalf("views %d and %d lie over each other", v.View.ID, o.View.ID)
			}
		}
		if r.W() < 100 || r.H() < 100 {
			t.Fatalf("view %d has only %v", v.View.ID, r)
		}
	}

	maximise := func() { uitest.Do(func() { s.Desk.Stage.Maximise(s.Desk.Stage.Active()) }); d.Frames(2) }
	d.ClickOn("view3/maximise")
	if v := s.Desk.Stage.Scatters(); len(v) != 1 || v[0].View.ID != 3 || s.Desk.Stage.Scatter().View.ID != 3 ||
		d.Has("view1/close") {
		t.Fatalf("maximised: %d views in sight, %d is active", len(s.Desk.Stage.Scatters()),
			s.Desk.Stage.Scatter().View.ID)
	}
	uitest.Do(s.Desk.Stage.Next)
	d.Frames(2)
	if len(s.Desk.Stage.Scatters()) != 1 || s.Desk.Stage.Scatters()[0].View.ID == 3 {
		t.Fatal("Tab does not show the next view alone")
	}
	maximise()
	if len(s.Desk.Stage.Scatters()) != view.Most {
		t.Fatal("M does not bring all views back")
	}
	seen := map[view.ID]bool{}
	for range view.Most {
		uitest.Do(s.Desk.Stage.Next)
		d.Frames(2)
		seen[s.Desk.Stage.Scatter().View.ID] = true
	}
	if len(seen) != view.Most {
		t.Fatalf("Tab goes round %d views", len(seen))
	}
	x, y := stand.Header(d, s.Desk.Stage.Scatters()[0])
	d.DoubleClick(x, y)
	if len(s.Desk.Stage.Scatters()) != 1 {
		t.Fatal("a double click on a header does not maximise")
	}
	maximise()

	first, last := s.Desk.Stage.Scatters()[0], s.Desk.Stage.Scatters()[3]
	was, to := first.View.Area(), last.View.Area()
	x, y = stand.Header(d, first)
	d.Drag(x, y, to.Center().X, to.Center().Y, 5)
	d.Frames(2)
	if first.View.Area() != to || last.View.Area() != was {
		t.Fatalf("a dragged header does not swap: %v is at %v", was, first.View.Area())
	}

	bar := d.Rect("bar0").Center()
	width := s.Desk.Stage.Scatters()[0].View.Area().W()
	d.Drag(bar.X, bar.Y, bar.X-70, bar.Y, 4)
	d.Frames(2)
	if got := s.Desk.Stage.Scatters()[0].View.Area().W(); math.Abs(float64(got-width+70)) > 2 {
		t.Fatalf("a dragged bar changed the width from %g to %g", width, got)
	}
	for n := view.Most - 1; n > 0; n-- {
		d.ClickOn("view" + s.Desk.Stage.Scatter().View.ID.Key() + "/close")
		d.Frames(2)
		if s.Desk.Stage.Count() != n || len(s.Desk.Stage.Scatters()) != n {
			t.Fatalf("%d views after closing, not %d", s.Desk.Stage.Count(), n)
		}
	}
	if s.Desk.Doc.History().Len() != 0 {
		t.Fatal("how views lie is in the history")
	}
	s.Rest(d)
}

func TestLinkedViewsZoomAndPanTogether(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:2000", W: 1280, H: 800})
	stand.FourViews(s.Desk, d)
	s.Rest(d)
	v := s.Desk.Stage.Scatters()
	flat := slices.DeleteFunc(slices.Clone(v), func(v *view.Scatter) bool { return v.Eye.Solid() })
	solid := v[slices.IndexFunc(v, func(v *view.Scatter) bool { return v.Eye.Solid() })]
	d.ClickOn("view" + flat[1].View.ID.Key() + "/link")
	if !flat[1].View.State().Linked {
		t.Fatal("its button does not link a view")
	}
	spans := func() (out [4]camera.Place) {
		for i, v := range []*view.Scatter{flat[0], flat[1], flat[2], solid} {
			out[i] = v.Eye.Cam.Place()
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
	uitest.Do(func() { s.Desk.Stage.Scatter().View.ColourBy("y") })
	d.Frames(3)
	if flat[1].Colours.Column != "y" {
		t.Fatalf("the linked view is coloured by %q", flat[1].Colours.Column)
	}
	d.ClickOn("view" + flat[1].View.ID.Key() + "/link")
	if flat[1].View.State().Linked {
		t.Fatal("it cannot be let go")
	}
}

// A view that is split off fits by itself, as the one beside it, until it is moved; and so it does when its
// embedding changes to three dimensions.
func TestASplitViewFits(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:3000", W: 1280, H: 800})
	fits := func(what string) {
		t.Helper()
		s.Rest(d)
		uitest.Do(func() {
			v := s.Desk.Stage.Scatter()
			b, ok := v.Extent()
			if !ok || v.Eye.Moved {
				t.Errorf("%s: extent %v, moved %v", what, ok, v.Eye.Moved)
				return
			}
			for i := range 8 {
				p := b.Min
				if i&1 != 0 {
					p.X = b.Max.X
				}
				if i&2 != 0 {
					p.Y = b.Max.Y
				}
				if i&4 != 0 {
					p.Z = b.Max.Z
				}
				if x, y, ok := v.Eye.Screen(p); !ok || !v.Eye.Contains(x, y) {
					t.Errorf("%s: the corner %v is at %g, %g, out of the picture %v", what, p, x, y, v.Eye.Box)
				}
			}
		})
	}
	for range 2 {
		uitest.Do(func() { s.Desk.Stage.Split(s.Desk.Stage.Scatter().View) })
		d.Frames(3)
		fits("split off")
	}
	uitest.Do(func() { s.Desk.Stage.SetEmbedding(s.Desk.Stage.Scatter().View, embedding.PCA(3)) })
	d.Frames(3)
	fits("in three dimensions")
}

func TestColoursOfViews(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:2000", W: 1280, H: 800})
	stand.FourViews(s.Desk, d)
	s.Rest(d)
	views, names := s.Desk.Stage.Scatters(), []string{"x", "y", "z", "w"}
	for i, v := range views {
		d.ClickOn("view" + v.View.ID.Key() + "/colour")
		d.Frames(3)
		d.Type(names[i])
		d.Frames(2)
		d.Keys("Enter")
		d.Frames(3)
	}
	s.Rest(d)
	for i, v := range views {
		if v.Colours.Column != names[i] || v.View.Look().Column != names[i] {
			t.Errorf("view %d is coloured by %q, not %q", v.View.ID, v.Colours.Column, names[i])
		}
	}
	if h := s.Desk.Doc.History(); h.Done() < 3 || !strings.HasPrefix(h.Name(h.Done()-1), "Colour by ") {
		t.Fatalf("%d entries", h.Done())
	}
	d.Keys("Ctrl+Z")
	s.Rest(d)
	if views[3].Colours.Column == "w" || views[0].Colours.Column != "x" {
		t.Fatal("undo took back another view's colour")
	}
}

// In a window with no room for four views one is shown, with a switch to the others.
func TestFourViewsInASmallWindow(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:2000", W: 1280, H: 800})
	stand.FourViews(s.Desk, d)
	s.Rest(d)
	d.Resize(500, 400)
	s.Rest(d)
	if len(s.Desk.Stage.Scatters()) != 1 || s.Desk.Stage.Count() != view.Most {
		t.Fatalf("%d of %d views in sight", len(s.Desk.Stage.Scatters()), s.Desk.Stage.Count())
	}
	seen := map[view.ID]bool{}
	for range view.Most {
		v := s.Desk.Stage.Scatters()[0]
		seen[v.View.ID] = true
		if r := v.Rect(); r.W() < 300 || r.H() < 200 {
			t.Fatalf("the view has only %v", r)
		}
		d.ClickOn("view" + v.View.ID.Key() + "/views")
		s.Rest(d)
	}
	if len(seen) != view.Most {
		t.Fatalf("the switch goes round %d views", len(seen))
	}
	d.Resize(1280, 800)
	s.Rest(d)
	if len(s.Desk.Stage.Scatters()) != view.Most {
		t.Fatal("they do not come back in a larger window")
	}
}

// Views whose layout is lost, damaged or another's are laid out anew: all of them, in their colours.
func TestViewsWithoutTheirLayout(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:2000", W: 1400, H: 880})
	name := s.Desk.Doc.Data.Columns[1].Name
	for _, layout := range []string{"", `{"tree":{"view":1}}`, `"x"`, `{"tree":{"cut":"rows","share":7}}`} {
		for _, ids := range [][3]string{{"1", "2", "3"}, {"0", "-1", "4294967295"}, {"01", "a", "99999999999"}} {
			uitest.Do(func() {
				s.Desk.Doc.Look(func(s *state.State) {
					parts.Views.Edit(s, func(l *parts.ViewList) {
						*l = parts.ViewList{Active: ids[1], Layout: json.RawMessage(layout)}
						for _, id := range ids {
							l.Views = append(l.Views, parts.NewView(id, embedding.PCA(2)))
						}
						l.Views[2].Recipe = embedding.PCA(3)
					})
				})
				look := parts.DefaultLook()
				look.Column = name
				s.Desk.Doc.Do("Colour", func(s *state.State) { parts.Looks.Put(s, parts.LookTable{ids[1]: look}) })
			})
			s.Rest(d)
			v := s.Desk.Stage.Scatters()
			err := s.Trouble()
			if err != nil || len(v) != 3 ||
				s.Desk.Stage.Scatter() != v[1] || v[1].View.Look().Column != name ||
				v[0].View.Look().Column != "" || !v[2].Eye.Solid() {
				t.Fatalf("layout %s, %v: %d views, %v", layout, ids, len(v), err)
			}
		}
	}
}

// Views that come and go leave nothing in the document.
func TestClosedViewsTakeTheirLookAlong(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:1000", W: 900, H: 600})
	for range 20 {
		uitest.Do(func() { s.Desk.Stage.Split(s.Desk.Stage.Scatter().View) })
		d.Frames(1)
		uitest.Do(func() { s.Desk.Stage.Close(s.Desk.Stage.Scatter().View) })
		d.Frames(1)
	}
	if n := len(parts.Looks.Of(s.Desk.Doc.State())); n > 1 {
		t.Fatalf("%d looks of one view", n)
	}
}

// A view's colouring is chosen in its header, found by its name, wherever the side bar is scrolled to.
func TestColourIsChosenInTheHeader(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:1500", W: 1100, H: 700})
	d.ClickOn(fmt.Sprintf("view%d/colour", s.Desk.Stage.Scatter().View.ID))
	d.Frames(2)
	d.Type("cd19")
	d.Keys("Enter")
	d.Frames(2)
	if v := s.Desk.Stage.Scatter(); v.Colours.Values == nil || v.Colours.Legend(v.Colouring()).Title != "CD19" {
		t.Errorf("coloured by %q", v.View.Look().Column)
	}
}

// Views behind a maximised one take no work: the window comes to rest.
func TestHiddenViewsRest(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:1000", W: 1280, H: 800})
	uitest.Do(func() {
		s.Desk.Stage.Split(s.Desk.Stage.Active())
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.PCA(3))
	})
	s.Rest(d)
	uitest.Do(func() { s.Desk.Stage.Maximise(s.Desk.Stage.Scatters()[0].View) })
	d.Frames(3)
	d.Wait("the window is at rest", 0, func() bool { return s.Wake() != shell.Now })
	if s.Desk.Existing(embedding.PCA(3)) != nil {
		t.Error("an embedding that no view shows is kept")
	}
}
