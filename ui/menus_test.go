package ui

import "testing"

// A menu that is longer than the window stays in it, and its last item is reached with the wheel.
func TestLongMenuScrolls(t *testing.T) {
	_, d := begin(t, 1440, 900, 2, Options{})
	d.ClickOn("menu bar/File")
	d.Frames(4)
	d.Shoot("menu-200")
	box := d.Rect("menu bar/popup")
	if box.Y1 > 900 {
		t.Fatalf("the menu lies at %v in a window of 900", box)
	}
	d.Frames(5)
	if now := d.Rect("menu bar/popup"); now != box {
		t.Fatalf("it goes from %v to %v by itself", box, now)
	}
	c := box.Center()
	for range 40 {
		d.Wheel(c.X, c.Y, -5)
	}
	d.Shoot("menu-200-end")
	if quit := d.Rect("menu bar/File/quit"); quit.Y1 > box.Y1 {
		t.Errorf("the wheel brings the last item to %v of %v", quit, box)
	}
}
