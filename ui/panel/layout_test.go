package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// layoutPanel opens the panel of layouts, whose buttons run and step.
func layoutPanel(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver) {
	t.Helper()
	s, d := beginWith(t, o, "layout")
	l := s.Desk.Layout()
	for id, do := range map[string]func() error{"layout": l.Start, "layout-step": l.Step} {
		s.Do[id] = func() {
			if err := do(); err != nil {
				s.Fail(err)
			}
		}
	}
	return s, d
}

// Pinned landmarks stay, and only those selected move where that is chosen; with none selected it says so.
func TestLayoutOfSomeLandmarks(t *testing.T) {
	s, d := layoutPanel(t, stand.Options{Data: "demo:cytometry:3000"})
	choose := func(ids ...int) { uitest.Do(func() { s.Desk.Stage.Hand().Landmarks.Selected = ids }); d.Frames(2) }
	uitest.Do(func() {
		pinned, err := s.Marks().Pin([]int{5, 6}, true)
		if err != nil {
			t.Error(err)
			return
		}
		s.Desk.Doc.Do("Pin", func(at *state.State) { parts.Landmarks.Put(at, pinned) })
	})
	choose(4, 5, 6, 7)
	d.ClickOn("side bar/layout/only")
	before := s.Marks().Pos
	moved := func() (out []int) {
		now := s.Marks().Pos
		for i := range now.Rows {
			if !slices.Equal(now.Row(i), before.Row(i)) {
				out = append(out, i)
			}
		}
		return out
	}
	d.ClickOn("side bar/layout/run")
	s.Rest(d)
	if got := moved(); !slices.Equal(got, []int{4, 7}) {
		t.Fatalf("landmarks %v have moved", got)
	}
	d.ClickOn("side bar/layout/pinned")
	choose(4, 5, 6, 7)
	d.ClickOn("side bar/layout/Step")
	s.Rest(d)
	if got := moved(); !slices.Equal(got, []int{4, 5, 6, 7}) {
		t.Fatalf("landmarks %v have moved, as %+v", got, parts.Layout.Of(s.Desk.Doc.State()))
	}
	choose()
	d.ClickOn("side bar/layout/run")
	d.Frames(2)
	if err := s.Trouble(); err == nil || s.Desk.Layout().Active() || !strings.Contains(err.Error(), "selected") {
		t.Fatalf("with none selected: %v", err)
	}
}

// Looks of the graph are no history.
func TestLooksOfTheGraphAreNoHistory(t *testing.T) {
	s, d := layoutPanel(t, stand.Options{Data: "demo:tesseract:500"})
	d.ClickOn("side bar/layout/Shade cells (U-matrix)")
	s.Rest(d)
	if shade := parts.Graph.Of(s.Desk.Doc.State()).Shade; !shade || s.Desk.Doc.History().Len() != 0 {
		t.Errorf("shaded: %v, after %d entries", shade, s.Desk.Doc.History().Len())
	}
}

// A layout says where it stands: that it has come to rest, that it is at rest already, and that t-SNE is forming while
// what it shows looks collapsed.
func TestALayoutSaysWhereItStands(t *testing.T) {
	s, d := layoutPanel(t, stand.Options{Data: "demo:tesseract:500"})
	choose := func(title string) {
		d.ClickOn("side bar/layout/algorithm")
		d.Frames(3)
		d.ClickOn("algorithm/" + title)
		d.Frames(3)
	}
	choose("Force-directed")
	for _, want := range []string{"came to rest after", "is at rest already: move something, or change a value"} {
		d.ClickOn("side bar/layout/run")
		d.Frames(2)
		s.Rest(d)
		if got := s.Said[len(s.Said)-1]; !strings.Contains(got, want) {
			t.Errorf("it says %q, not that it %s", got, want)
		}
	}
	choose("t-SNE")
	d.ClickOn("side bar/layout/Step")
	s.Rest(d)
	if got := s.Desk.Layout().Progress().Stage; got.Word != "forming" || !strings.Contains(got.Help, "250") {
		t.Errorf("exaggerating it is %+v", got)
	}
	d.ClickOn("side bar/layout/run")
	s.Rest(d)
	if got := s.Desk.Layout().Progress().Stage; got.Word != "" {
		t.Errorf("at rest it is %+v", got)
	}
}

// fitsAtEverySize draws a panel in both themes, at several sizes and scales; what it is given is looked at.
func fitsAtEverySize(t *testing.T, s *stand.Window, d *uitest.Driver, id string, sizes [][3]int, control string,
	least float32) {
	t.Helper()
	for _, c := range sizes {
		d.SetScale(float32(c[2]))
		d.Resize(c[0], c[1])
		for _, dark := range []bool{false, true} {
			uitest.Do(func() { s.Theme(dark) })
			d.Frames(4)
			if r := d.Rect(control); r.W() < least*float32(c[2]) || r.X1 > float32(c[0]) {
				t.Errorf("%v: %s is at %v", c, control, r)
			}
			d.Shoot(fmt.Sprintf("%s-%dx%d-%v", id, c[0], c[1], dark))
		}
	}
}

// The panel of layouts in both themes at all sizes, with a run behind it.
func TestLayoutPanelFits(t *testing.T) {
	s, d := layoutPanel(t, stand.Options{Data: "demo:cytometry:3000", W: 1280, H: 900})
	d.ClickOn("side bar/layout/run")
	s.Rest(d)
	fitsAtEverySize(t, s, d, "layout", [][3]int{{1280, 900, 1}, {2560, 1800, 2}, {500, 400, 1}},
		"side bar/layout/run", 60)
}
