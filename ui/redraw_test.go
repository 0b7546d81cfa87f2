package ui

import (
	"image"
	"slices"
	"testing"
	"time"

	"blossom/ui/shell"
	"blossom/ui/uitest"
)

// All that a command changes is on the screen when the window rests, without a movement of the mouse or another event:
// commands are given as jobs and menus of the system give them, with no input in the frame.
func TestEveryCommandIsSeenWithoutAFurtherEvent(t *testing.T) {
	a, d := begin(t, 800, 600, 1, Options{Paths: []string{"demo:tesseract:300"}})
	opened(t, a, d)
	calm(a, d)
	const soon = shell.Wake(50 * time.Millisecond)
	rests := func() {
		t.Helper()
		d.Wait("the window rests", time.Minute, func() bool {
			w := d.Shell().Wake()
			return a.compute.jobs.Idle() && (w < 0 || w > soon)
		})
	}
	for _, c := range everyCommand() {
		if slices.Contains(leaving, c.ID) {
			continue
		}
		can := false
		uitest.Do(func() { can = a.desk != nil && c.Can(a) })
		if !can {
			continue
		}
		uitest.Do(func() { a.ctx.Post(func() { c.Run(a) }) })
		d.Frames(1) // the post wakes the window
		rests()
		before := d.Screenshot()
		d.Frames(3)
		if n, where := differing(before, d.Screenshot()); n > 200 { // a text cursor blinks
			t.Errorf("%s (%s): %d pixels in %v come only with the next event", c.Title, c.ID, n, where)
		}
		uitest.Do(func() {
			if a.desk != nil {
				a.desk.Runs().PauseAll()
			}
		})
		for range 4 { // dialogs and menus that it opened
			d.Keys("Esc")
			d.Frames(2)
		}
		rests()
	}
}

// differing is how many pixels of two pictures of one size are not the same, and where those are.
func differing(a, b *image.RGBA) (n int, where image.Rectangle) {
	for y := a.Rect.Min.Y; y < a.Rect.Max.Y; y++ {
		for x := a.Rect.Min.X; x < a.Rect.Max.X; x++ {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				n, where = n+1, where.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return n, where
}
