package view_test

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// The point under the mouse is marked in all views, and its card tells the values of the file.
func TestHoverIsShared(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:3000", W: 1400, H: 880})
	uitest.Do(func() { s.Desk.Show(func(v *parts.View) { v.Landmarks = false }) })
	stand.FourViews(s.Desk, d)
	s.Rest(d)
	d.Move(5, 5)
	d.Sleep(time.Second)
	before := d.Screenshot()
	for _, at := range []int{1, 3} {
		v := s.Desk.Stage.Scatters()[at]
		i := stand.Visible(s.Desk)
		if i < 0 {
			t.Fatal("no point is seen in all views")
		}
		x, y, _ := stand.Spot(v, i)
		d.Move(float32(x), float32(y))
		d.Sleep(300 * time.Millisecond)
		h := s.Desk.Stage.Hover()
		if !h.On || h.At != v || h.Row != int(s.Desk.Table().Order[h.Point]) {
			t.Fatalf("hovering at %g, %g: %+v", x, y, h)
		}
		near := 1.0
		if v.Eye.Solid() {
			near = 9.5 // in 3D the point in front is taken, of all within reach of the mouse's pixel
		}
		if hx, hy, _ := stand.Spot(v, h.Point); math.Hypot(hx-x, hy-y) > near {
			t.Fatalf("the point is at %g, %g, the mouse at %g, %g", hx, hy, x, y)
		}
		shot, card := d.Screenshot(), *h.Shown()
		for _, w := range s.Desk.Stage.Scatters() {
			x, y, ok := stand.Spot(w, h.Point)
			if !ok {
				t.Fatalf("the point is not seen in view %d", w.View.ID)
			}
			r := image.Rect(int(x)-9, int(y)-9, int(x)+9, int(y)+9)
			if n := uitest.Differing(before.SubImage(r).(*image.RGBA), shot.SubImage(r).(*image.RGBA)); n < 12 {
				t.Errorf("view %d: only %d pixels around the point changed", w.View.ID, n)
			}
		}
		if !strings.HasSuffix(card.Title, widget.Grouped(h.Row+1)) || len(card.Rows) == 0 {
			t.Fatalf("a card %q of row %d", card.Title, h.Row)
		}
		checkCard(t, s, &card, h.Row)
		uitest.Do(func() { s.Desk.Stage.Hover().Held = true })
		d.Frames(3)
		if !h.Held || len(h.Shown().Rows) <= len(card.Rows) {
			t.Fatalf("held: %d rows", len(h.Shown().Rows))
		}
		checkCard(t, s, h.Shown(), h.Row)
		d.Keys("Esc")
		d.Move(5, 5)
		d.Frames(2)
		if h.On {
			t.Fatal("it is still marked when the mouse has gone")
		}
	}
}

// checkCard compares the numbers of a card with those of the table.
func checkCard(t *testing.T, s *stand.Window, card *widget.Card, row int) {
	t.Helper()
	for _, r := range card.Rows {
		if r.Text {
			continue
		}
		found := false
		for i := range s.Desk.Doc.Data.Columns {
			c := &s.Desk.Doc.Data.Columns[i]
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

// A card has the column that its view is coloured by also where that is made from the map, and follows it.
func TestTheCardShowsTheColumnOfTheColours(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:1000", W: 1280, H: 800})
	uitest.Do(func() { s.Desk.Show(func(v *parts.View) { v.Landmarks = false }) })
	s.Rest(d)
	i := stand.Visible(s.Desk)
	x, y, _ := stand.Spot(s.Desk.Stage.Scatter(), i)
	d.Move(float32(x), float32(y))
	d.Sleep(300 * time.Millisecond)
	uitest.Do(func() { s.Desk.Stage.Hover().Held = true })
	h := s.Desk.Stage.Hover()
	first := func() string { d.Frames(3); return h.Shown().Rows[0].Name }
	if !h.Held || first() != "corner" { // words come first
		t.Fatalf("%+v", h.Shown())
	}
	for _, c := range []struct{ by, want string }{{"density", "density"}, {"corner", "x"}} {
		uitest.Do(func() { s.Desk.ColourBy(c.by) })
		d.Wait("colours of "+c.by, 20*time.Second, func() bool { return s.Desk.Stage.Scatter().Colours.Column == c.by })
		if got := first(); got != c.want {
			t.Errorf("coloured by %s the card begins with %s", c.by, got)
		}
	}
}

// A card names the landmark that is nearest now, not the one that was when the mouse came to rest.
func TestTheCardFollowsTheLandmarks(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:1000", W: 1280, H: 800})
	x, y, _ := stand.Spot(s.Desk.Stage.Scatter(), stand.Visible(s.Desk))
	d.Move(float32(x), float32(y))
	d.Sleep(300 * time.Millisecond)
	h := s.Desk.Stage.Hover()
	id, before := 0, h.Shown().Note
	if _, err := fmt.Sscanf(before, "landmark %d", &id); err != nil {
		t.Fatalf("%q: %v", before, err)
	}
	uitest.Do(func() {
		hand := s.Desk.Stage.Hand()
		hand.Landmarks.Selected = []int{id - 1}
		hand.Landmarks.RemoveSelected()
	})
	s.Rest(d)
	if !h.On || h.Shown().Note == before {
		t.Errorf("landmark %d is gone, and the card says %q", id, h.Shown().Note)
	}
}

// A landmark under the mouse says how it stands, and shows which points a press would move.
func TestHoveredLandmark(t *testing.T) {
	for _, c := range []struct {
		name  string
		dark  bool
		w, h  int
		scale float32
	}{{"light", false, 1280, 800, 1}, {"dark-200", true, 2560, 1600, 2}} {
		t.Run(c.name, func(t *testing.T) {
			s, d := begin(t, stand.Options{Data: "demo:cytometry:2500", W: c.w, H: c.h, Scale: c.scale,
				Dark: c.dark})
			uitest.Do(func() { s.Tool("landmarks") })
			s.Rest(d)
			stage := s.Desk.Stage
			// The landmark that most points are nearest to.
			uitest.Do(func() { s.Desk.Influence() })
			s.Rest(d)
			best, most := 0, 0.0
			uitest.Do(func() {
				for id := range s.Marks().Len() {
					if s := s.Desk.Influence().Standing(id, 1).Share; s > most {
						best, most = id, s
					}
				}
			})
			x, y := stand.MarkAt(s.Desk, best)
			d.Move(x, y)
			d.Sleep(300 * time.Millisecond)
			card, points := stage.ShownLandmark()
			if !strings.HasPrefix(card.Title, "Landmark ") || len(card.Rows) != 5 ||
				!strings.Contains(card.Note, "% of cells") || !strings.Contains(card.Note, "spread") {
				t.Fatalf("%+v", card)
			}
			count := 0
			uitest.Do(func() {
				s.Desk.Influence().Carried(best, func(int, float64) { count++ })
			})
			if points == 0 || points > count {
				t.Fatalf("a halo of %d points, not %d", points, count)
			}
			d.Shoot("landmark-card-" + c.name)
			d.Press(shell.Left)
			for i := 1; i <= 5; i++ {
				d.Move(x+float32(i)*12*c.scale, y-float32(i)*6*c.scale)
			}
			if _, held := stage.ShownLandmark(); held == 0 {
				t.Error("no halo while the landmark is dragged")
			}
			d.Shoot("landmark-drag-" + c.name)
			d.Release(shell.Left)
			d.Move(5*c.scale, 300*c.scale)
			d.Frames(2)
			if _, left := stage.ShownLandmark(); left != 0 {
				t.Errorf("a halo of %d points where the mouse is on no landmark", left)
			}
		})
	}
}

// No card comes over what the hand has just pressed or drawn: it waits for the mouse to move on.
func TestNoCardComesOverWhatWasJustPressed(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:1000", W: 1280, H: 800})
	uitest.Do(func() {
		s.Desk.Stage.Hand().Tool = view.ToolByID("select")
		s.Desk.Show(func(v *parts.View) { v.Landmarks = false })
	})
	s.Rest(d)
	x, y, _ := stand.Spot(s.Desk.Stage.Scatter(), stand.Visible(s.Desk))
	at := func(x, y float64) bool {
		d.Move(float32(x), float32(y))
		d.Sleep(400 * time.Millisecond)
		return s.Desk.Stage.Hover().On
	}
	if !at(x, y) {
		t.Fatal("a point under the mouse has no card")
	}
	d.Drag(float32(x)-40, float32(y)-40, float32(x), float32(y), 4)
	d.Sleep(400 * time.Millisecond)
	if s.Desk.Stage.Hover().On {
		t.Error("a card comes over what was just drawn")
	}
	if !at(x+1, y) && !at(x, y) {
		t.Error("no card comes any more")
	}
}

// A card says what words a point has, and which of its numbers are none of the table's but fill a gap.
func TestACardHasWordsAndMarksWhatIsFilled(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,kind,a,b\n")
	for i := range 300 {
		a := fmt.Sprint(math.Sin(float64(i)))
		if i%4 == 1 {
			a = ""
		}
		fmt.Fprintf(&text, "doc %d,%s,%s,%g\n", i%150, []string{"x", "y"}[i%2], a, math.Cos(float64(i)))
	}
	path := filepath.Join(t.TempDir(), "docs.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, d := begin(t, stand.Options{Data: path, W: 1280, H: 800})
	uitest.Do(func() {
		s.Desk.Show(func(v *parts.View) { v.Landmarks = false })
		s.Desk.Respec("Fill", func(spec *transform.Spec) {
			spec.Mixes = append(spec.Mixes, transform.Filling(s.Desk.Doc.Data, []int{2, 3}, "median"))
		})
	})
	s.Rest(d)
	v, h, filled := s.Desk.Stage.Scatter(), s.Desk.Stage.Hover(), 0
	for p := range 60 {
		x, y, ok := stand.Spot(v, p)
		if !ok || !v.Rect().Has(imgui.Vec2{X: float32(x), Y: float32(y)}) {
			continue
		}
		d.Move(float32(x), float32(y))
		d.Sleep(300 * time.Millisecond)
		card := h.Shown()
		if card == nil || len(card.Rows) == 0 {
			continue
		}
		var row int
		if _, err := fmt.Sscanf(card.Title, "Point %d", &row); err != nil {
			t.Fatalf("%q: %v", card.Title, err)
		}
		row--
		for _, r := range card.Rows {
			switch r.Name {
			case "id":
				if want := fmt.Sprintf("doc %d", row%150); r.Value != want || !r.Text {
					t.Errorf("row %d is called %q", row+1, r.Value)
				}
			case "a", "b":
				if mark := strings.HasSuffix(r.Value, "*"); mark != (r.Name == "a" && row%4 == 1) {
					t.Errorf("row %d: %s is %s", row+1, r.Name, r.Value)
				} else if mark {
					filled++
				}
			}
		}
	}
	if filled == 0 {
		t.Error("no filled value was looked at")
	}
}
