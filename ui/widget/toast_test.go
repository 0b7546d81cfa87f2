package widget_test

import (
	"testing"

	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// A toast that goes lets the others stay where they are while the mouse is over them: a second click hits none of them.
func TestToastsStayUnderTheMouse(t *testing.T) {
	d, _, p := openBench(t)
	uitest.Do(func() {
		for _, text := range []string{"one", "two", "three"} {
			p.u.Toast(widget.Toast{Key: text, Text: text, For: -1})
		}
	})
	d.Frames(3)
	first, second, third := d.Rect("toast 1"), d.Rect("toast 2"), d.Rect("toast 3")
	at := d.Rect("toast 1/close").Center()
	for range 2 {
		d.Click(at.X, at.Y)
		d.Frames(3)
	}
	if d.Has("toast 1") || d.Rect("toast 2") != second || d.Rect("toast 3") != third {
		t.Fatalf("they have moved: %v, %v", d.Rect("toast 2"), d.Rect("toast 3"))
	}
	uitest.Do(func() { p.u.Hush("two") })
	d.Frames(3)
	if d.Rect("toast 3") != third {
		t.Errorf("it has moved when another was hidden: %v", d.Rect("toast 3"))
	}
	d.Move(10, 690)
	d.Frames(3)
	if got := d.Rect("toast 3"); got.Y0 != first.Y0 {
		t.Errorf("without the mouse it does not move up: %v", got)
	}
}
