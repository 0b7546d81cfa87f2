package ui

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/uitest"
	"blossom/ui/widget"
)

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
		v := a.desk.Stage.Scatters()[at]
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
		for _, w := range a.desk.Stage.Scatters() {
			x, y, ok := spot(w, h.Point)
			if !ok {
				t.Fatalf("the point is not seen in view %d", w.View.ID)
			}
			r := image.Rect(int(x)-9, int(y)-9, int(x)+9, int(y)+9)
			if n := changedIn(before, shot, r); n < 12 {
				t.Errorf("view %d: only %d pixels around the point changed", w.View.ID, n)
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
			for _, v := range a.desk.Stage.Scatters() {
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
