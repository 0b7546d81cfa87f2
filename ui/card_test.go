package ui

import (
	"fmt"
	"testing"
	"time"

	"blossom/ui/uitest"
)

// A card has the column that its view is coloured by also where that is made from the map, and follows it.
func TestTheCardShowsTheColumnOfTheColours(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { a.setLandmarks(false) })
	rest(t, a, d)
	i := visible(a)
	x, y, _ := spot(a.active(), i)
	d.Move(float32(x), float32(y))
	d.Sleep(300 * time.Millisecond)
	d.Keys("I")
	h := a.desk.Stage.Hover()
	first := func() string { d.Frames(3); return h.Shown().Rows[0].Name }
	if !h.Held || first() != "x" {
		t.Fatalf("%+v", h.Shown())
	}
	for _, c := range []struct{ by, want string }{{"density", "density"}, {"corner", "x"}} {
		uitest.Do(func() { a.desk.ColourBy(c.by) })
		d.Wait("colours of "+c.by, 20*time.Second, func() bool { return a.active().Colours.Column == c.by })
		if got := first(); got != c.want {
			t.Errorf("coloured by %s the card begins with %s", c.by, got)
		}
	}
}

// A card names the landmark that is nearest now, not the one that was when the mouse came to rest.
func TestTheCardFollowsTheLandmarks(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, Still: true})
	opened(t, a, d)
	x, y, _ := spot(a.active(), visible(a))
	d.Move(float32(x), float32(y))
	d.Sleep(300 * time.Millisecond)
	h := a.desk.Stage.Hover()
	id, before := 0, h.Shown().Note
	if _, err := fmt.Sscanf(before, "landmark %d", &id); err != nil {
		t.Fatalf("%q: %v", before, err)
	}
	uitest.Do(func() {
		hand := a.desk.Stage.Hand()
		hand.Selected = []int{id - 1}
		hand.RemoveSelected()
	})
	rest(t, a, d)
	if !h.On || h.Shown().Note == before {
		t.Errorf("landmark %d is gone, and the card says %q", id, h.Shown().Note)
	}
}
