package ui

import (
	"math"
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/selection"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// middleOf is where the middle of the selected points is on the screen, of all of them.
func middleOf(a *App) (x, y float64) {
	uitest.Do(func() {
		n := 0.0
		v := a.active()
		for i, s := range a.desk.Stage.Scene.States.Host() {
			if s == 0 {
				continue
			}
			if sx, sy, ok := spot(v, i); ok {
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
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:6000"}})
	opened(t, a, d)
	uitest.Do(func() { a.active().View.ColourBy("population") })
	rest(t, a, d)
	uitest.Do(func() {
		v := a.active()
		best := 0
		for i, n := range v.Colours.Counts {
			if n > v.Colours.Counts[best] {
				best = i
			}
		}
		rows := make([]uint64, (a.desk.Doc.Data.Points+63)/64)
		for i, x := range v.Colours.Numbers {
			if int(x) == best {
				row := i
				if o := a.desk.Table().Order; o != nil {
					row = int(o[i])
				}
				rows[row/64] |= 1 << (row % 64)
			}
		}
		a.desk.Stage.Scene.SetSelection("Select", selection.FromBits(a.desk.Doc.Data.Points, rows))
	})
	uitest.Do(func() { a.tools.now = view.ToolByID("select"); a.desk.Stage.Hand().Tool = a.tools.now })
	rest(t, a, d)
	d.Shoot("grip")
	landmarks := func() (l *landmark.Set) {
		uitest.Do(func() { l = parts.Landmarks.Of(a.desk.Doc.State()) })
		return l
	}
	grip := func() (float32, float32) {
		var x, y float64
		uitest.Do(func() {
			p, ok := a.active().Grip()
			if !ok {
				t.Fatal("the selected points have no grip")
			}
			x, y, _ = a.active().Screen(p)
		})
		return float32(x), float32(y)
	}
	before := landmarks()
	entries := a.desk.Doc.History().CanUndo()
	x, y := grip()
	mx, my := middleOf(a)
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
	if !slices.Equal(landmarks().Pos.Data, before.Pos.Data) || a.desk.Doc.History().CanUndo() != entries {
		t.Fatalf("Esc leaves landmarks where they were dragged; %q", a.desk.Doc.History().CanUndo())
	}
	rest(t, a, d)

	d.Move(x, y)
	d.Press(shell.Left)
	for i := 1; i <= 10; i++ {
		d.Move(x+float32(i)*9, y+float32(i)*5)
		d.Wait("the points have followed", 10*time.Second, func() bool { return !a.desk.Busy() })
	}
	d.Shoot("grip-drag")
	d.Release(shell.Left)
	rest(t, a, d)
	d.Shoot("grip-done")
	nx, ny := middleOf(a)
	if off := math.Hypot(nx-mx-90, ny-my-50); off > 0.06*math.Hypot(90, 50) {
		t.Errorf("the points' middle went by %.1f, %.1f instead of 90, 50", nx-mx, ny-my)
	}
	after := landmarks()
	if !after.ByHand || a.desk.Doc.History().CanUndo() != "Move points" {
		t.Errorf("by hand %v, entry %q", after.ByHand, a.desk.Doc.History().CanUndo())
	}
	d.Keys("Ctrl+Z")
	if !slices.Equal(landmarks().Pos.Data, before.Pos.Data) {
		t.Error("one undo does not bring the landmarks back")
	}
}
