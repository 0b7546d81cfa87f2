package panel

import (
	"math"
	"os"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/render/palette"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A change of the scale keeps the raw values that were typed as ends.
func TestTypedEndsStayThroughScales(t *testing.T) {
	s, d := colourPanel(t, "demo:cytometry:800")
	uitest.Do(func() { s.Desk.ColourBy("BUV563-A") })
	s.Rest(d)
	column := s.Desk.Look().Column
	d.ClickOn("Range by/Value")
	d.Frames(2)
	d.Enter("From value", "20")
	d.Enter("To value", "3000")
	s.Rest(d)
	for _, scale := range []transform.Spread{transform.SpreadLog, transform.SpreadLinear, transform.SpreadAsinh,
		transform.SpreadMap} {
		chooseScale(s, d, scale)
		v := s.Desk.Stage.Scatter()
		c := v.Colouring()
		lo, hi := v.Colours.Raw(float64(c.Lo)), v.Colours.Raw(float64(c.Hi))
		if l := s.Desk.Look(); l.Spread != scale || !l.ByValue() || math.Abs(lo-20) > 0.1 || math.Abs(hi-3000) > 3 {
			t.Errorf("%s on the scale %q: %g to %g, %+v", column, scale, lo, hi, l)
		}
	}
}

// chooseScale chooses a scale in the panel, as a click in its list does.
func chooseScale(s *stand.Window, d *uitest.Driver, scale transform.Spread) {
	at := func(spread transform.Spread) (i int) {
		for i = range scales {
			if scales[i].spread == spread {
				return i
			}
		}
		return -1
	}
	d.ClickOn("colour/scale")
	d.Frames(3)
	for i, to := at(s.Desk.Look().Spread), at(scale); i != to; d.Frames(1) {
		if i < to {
			d.Keys("Down")
			i++
		} else {
			d.Keys("Up")
			i--
		}
	}
	d.Keys("Enter")
	d.Frames(3)
	s.Rest(d)
}

// Palette and range stay with the column that they were chosen for, and are undone with it.
func TestAColumnKeepsItsPalette(t *testing.T) {
	s, d := colourPanel(t, "demo:tesseract:500")
	choose := func(column, name string) {
		uitest.Do(func() {
			s.Desk.ColourBy(column)
			s.Desk.SetLook("Palette", func(l *parts.Look) { l.Palette, l.High = name, 90 })
		})
	}
	choose("x", "magma")
	choose("y", "blue-red")
	for column, want := range map[string]string{"x": "magma", "y": "blue-red"} {
		uitest.Do(func() { s.Desk.ColourBy(column) })
		d.Frames(2)
		if l := s.Desk.Look(); l.Column != column || l.Palette != want || l.High != 90 {
			t.Errorf("%s has %+v", column, l)
		}
	}
	uitest.Do(func() { s.Desk.ColourBy("x"); s.Desk.ColourBy("z") })
	if l := s.Desk.Look(); l.Palette != "magma" {
		t.Errorf("a column without a choice has %q, not what the view had", l.Palette)
	}
}

// The arrows up and down go through the columns while the mouse is on the panel, and nowhere else.
func TestArrowsGoThroughTheColumns(t *testing.T) {
	s, d := colourPanel(t, "demo:tesseract:500")
	at := 0
	s.Do["next-column"], s.Do["former-column"] = func() { at++ }, func() { at-- }
	r := d.Rect("colour/column")
	d.Move(r.X0+20, r.Y1+1)
	d.Frames(2)
	for i, step := range []struct {
		key  string
		want int
	}{{"Down", 1}, {"Down", 2}, {"Up", 1}, {"Shift+Down", 1}} {
		d.Keys(step.key)
		d.Frames(2)
		if at != step.want {
			t.Errorf("step %d goes to %d, not %d", i, at, step.want)
		}
	}
	d.Move(100, 300)
	d.Frames(2)
	d.Keys("Down")
	d.Frames(2)
	if at != 1 {
		t.Errorf("beside the panel the arrow goes to %d", at)
	}
}

// Values as ends go to the views of the same column, and to no other.
func TestTypedRangesGoToViewsOfTheSameColumn(t *testing.T) {
	s, d := colourPanel(t, "demo:tesseract:500")
	d.ClickOn("view1/split")
	d.Frames(3)
	var other string
	uitest.Do(func() {
		s.Desk.Doc.Look(func(s *state.State) {
			l := parts.Views.Of(*s)
			for _, v := range l.Views {
				l = l.Edit(v.ID, func(v *parts.View) { v.Linked = false })
			}
			parts.Views.Put(s, l)
		})
		for _, v := range parts.Views.Of(s.Desk.Doc.State()).Views {
			s.Desk.Doc.Do("y", func(now *state.State) {
				parts.EditLook(now, v.ID, func(l *parts.Look) { l.Column = "x" })
			})
			if v.ID != s.Desk.Active().ID {
				other = v.ID
			}
		}
	})
	s.Rest(d)
	d.ClickOn("Range by/Value")
	d.Frames(2)
	d.Enter("To value", "0.5")
	s.Rest(d)
	d.ClickOn("colour/same")
	d.Frames(2)
	mine, its := s.Desk.Look(), parts.Looks.Of(s.Desk.Doc.State()).Get(other)
	if !its.ByValue() || its.To != mine.To || its.From != mine.From || d.Has("colour/same") {
		t.Errorf("the other view has %+v, this %+v", its, mine)
	}
	uitest.Do(func() {
		s.Desk.Doc.Do("y", func(now *state.State) {
			parts.EditLook(now, other, func(l *parts.Look) { l.Column = "y" })
		})
	})
	d.Enter("To value", "0.25")
	s.Rest(d)
	if d.Has("colour/same") {
		t.Error("values are offered to a view of another column")
	}
}

// A view of two columns has the palette of pairs, and follows the percentiles.
func TestAViewOfTwoColumns(t *testing.T) {
	s, d := colourPanel(t, "demo:tesseract:500")
	uitest.Do(func() {
		s.Desk.ColourBy("x")
		s.Desk.SetLook("And", func(l *parts.Look) { l.And = "y" })
	})
	s.Rest(d)
	v := s.Desk.Stage.Scatter()
	if v.Colouring().Palette != palette.Pair(s.Dark()) || v.Colours.Second() == nil || d.Has("colour/palette") {
		t.Fatalf("the palette is %v", v.Colouring().Palette)
	}
	was := v.Colours.Rev
	d.Enter("To percentile", "60")
	s.Rest(d)
	if v.Colours.Rev == was {
		t.Error("the steps are those of the former range")
	}
	uitest.Do(func() { s.Desk.SetLook("And", func(l *parts.Look) { l.And = "" }) })
	s.Rest(d)
	if v.Colours.Second() != nil || !d.Has("colour/palette") {
		t.Error("there is a second column yet")
	}
}

// Pictures of the panel and the legends in each mode, where somebody wants to look at them.
func TestShowModesOfColour(t *testing.T) {
	if os.Getenv("BLOSSOM_PICTURES") == "" {
		t.Skip("nobody looks")
	}
	for name, o := range map[string]stand.Options{"light": {W: 1100, H: 900},
		"dark": {W: 2200, H: 1800, Scale: 2, Dark: true}} {
		t.Run(name, func(t *testing.T) {
			o.Data, o.Views = "demo:cytometry:6000", besidePanels
			s, d := beginWith(t, o, "colour")
			for mode, f := range map[string]func(*parts.Look){
				"pair":     func(l *parts.Look) { l.And = "BUV615-A" },
				"quantile": func(l *parts.Look) { l.Spread = transform.SpreadQuantile },
				"log":      func(l *parts.Look) { l.Spread = transform.SpreadLog },
				"centre":   func(l *parts.Look) { l.Palette, l.Centred, l.Centre = "blue-red", true, 200 },
			} {
				uitest.Do(func() {
					s.Desk.SetLook("all", func(l *parts.Look) {
						*l = parts.DefaultLook()
						l.Column = "BUV563-A"
						f(l)
					})
				})
				s.Rest(d)
				d.Frames(60) // the map makes room for the legend
				d.Shoot("colour-" + mode + "-" + name)
			}
		})
	}
}
