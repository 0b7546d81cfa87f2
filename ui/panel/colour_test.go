package panel

import (
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// colourPanel opens the panel of colours beside a view.
func colourPanel(t *testing.T, demo string) (*stand.Window, *uitest.Driver) {
	t.Helper()
	return beginWith(t, stand.Options{Data: demo, W: 1100, H: 800, Views: besidePanels}, "colour")
}

func TestColourPanel(t *testing.T) {
	s, d := colourPanel(t, "demo:tesseract:2000")
	legend := 0
	s.Do["show-legend"] = func() { legend++ }
	d.Enter("colour/From percentile", "20")
	d.ClickOn("colour/Reversed")
	d.ClickOn("colour/Legend")
	d.Frames(2)
	if l := s.Desk.Look(); l.Low != 20 || l.High != 99 || !l.Reverse || legend != 1 {
		t.Fatalf("%+v, the legend was switched %d times", l, legend)
	}
	if n := s.Desk.Doc.History().Done(); n != 2 { // looks are no entries of the history
		t.Fatalf("%d entries", n)
	}
}

// With two views the range of the active one can be given to the other.
func TestSameRangeInAllViews(t *testing.T) {
	s, d := colourPanel(t, "demo:tesseract:1000")
	d.ClickOn("view1/split")
	d.Frames(3)
	views := parts.Views.Of(s.Desk.Doc.State()).Views
	at := slices.IndexFunc(views, func(v parts.View) bool { return v.ID != s.Desk.Active().ID })
	if at < 0 {
		t.Fatal("there is no second view")
	}
	other := views[at].ID
	uitest.Do(func() { // it goes its own way
		s.Desk.Doc.Look(func(s *state.State) {
			l := parts.Views.Of(*s)
			for _, v := range l.Views {
				l = l.Edit(v.ID, func(v *parts.View) { v.Linked = false })
			}
			parts.Views.Put(s, l)
		})
	})
	s.Rest(d)
	if d.Has("colour/same") {
		t.Fatal("it is offered where there is no other range")
	}
	d.Enter("colour/To percentile", "80")
	d.Frames(2)
	d.ClickOn("colour/same")
	d.Frames(2)
	if l := parts.Looks.Of(s.Desk.Doc.State()).Get(other); l.Low != 1 || l.High != 80 || d.Has("colour/same") {
		t.Fatalf("the other view has %g to %g", l.Low, l.High)
	}
	if s.Last() != "Same range in all views" {
		t.Fatal(s.Last())
	}
}

// Palettes are shown, not only named.
func TestPalettesAreShown(t *testing.T) {
	_, d := colourPanel(t, "demo:tesseract:500")
	d.ClickOn("colour/palette")
	d.Frames(3)
	before := d.Screenshot()
	seen := map[[3]uint8]bool{}
	r := d.Rect("colour/palette")
	for y := int(r.Y1) + 2; y < min(int(r.Y1)+300, before.Rect.Dy()); y++ {
		for x := int(r.X0); x < int(r.X0)+90; x++ {
			p := before.RGBAAt(x, y)
			if max(p.R, p.G, p.B)-min(p.R, p.G, p.B) > 60 {
				seen[[3]uint8{p.R, p.G, p.B}] = true
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("the list of palettes shows %d colours", len(seen))
	}
}

// The ends of the palette are percentiles or values; values are those of one column.
func TestTheRangeIsByPercentileOrValue(t *testing.T) {
	s, d := colourPanel(t, "demo:tesseract:800")
	uitest.Do(func() { s.Desk.ColourBy("x") })
	d.Frames(3)
	was := s.Desk.Stage.Scatter().Colouring()
	d.ClickOn("Range by/Value")
	d.Frames(2)
	if now := s.Desk.Stage.Scatter().Colouring(); now.Lo != was.Lo || now.Hi != was.Hi {
		t.Errorf("going over to values changes the range from %g–%g to %g–%g", was.Lo, was.Hi, now.Lo, now.Hi)
	}
	d.Enter("To value", "0.75")
	d.Enter("From value", "-2.5")
	if now := s.Desk.Stage.Scatter().Colouring(); now.Lo != -2.5 || now.Hi != 0.75 {
		t.Errorf("the range is %g–%g", now.Lo, now.Hi)
	}
	// The end that is typed holds, and the other goes along where it is passed.
	for _, x := range []struct {
		field, typed string
		lo, hi       float32
	}{{"From value", "3", 3, 6.25}, {"To value", "10", 3, 10}, {"To value", "-1", -8, -1}} {
		d.Enter(x.field, x.typed)
		if now := s.Desk.Stage.Scatter().Colouring(); now.Lo != x.lo || now.Hi != x.hi {
			t.Errorf("%s %s makes the range %g–%g", x.field, x.typed, now.Lo, now.Hi)
		}
	}
	uitest.Do(func() { s.Desk.ColourBy("y") })
	d.Frames(3)
	if l := s.Desk.Look(); l.ByValue() {
		t.Error("another column has the values of the last")
	}
	uitest.Do(func() { s.Desk.ColourBy("x") })
	d.Frames(3)
	d.ClickOn("Range by/Percentile")
	d.Frames(2)
	if now := s.Desk.Stage.Scatter().Colouring(); now.Lo != was.Lo || now.Hi != was.Hi {
		t.Errorf("back at percentiles the range is %g–%g", now.Lo, now.Hi)
	}
	d.Enter("To percentile", "40")
	d.Enter("From percentile", "90")
	if l := s.Desk.Look(); l.Low != 90 || l.High != 100 {
		t.Errorf("from 1–40 %%, from 90 %% makes %g–%g %%", l.Low, l.High)
	}
	d.Enter("To percentile", "0.3")
	if l := s.Desk.Look(); l.Low != 0 || l.High != 0.3 {
		t.Errorf("to 0.3 %% makes %g–%g %%", l.Low, l.High)
	}
}
