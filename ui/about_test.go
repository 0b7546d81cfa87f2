package ui

import (
	"bytes"
	"image"
	"image/draw"
	"strings"
	"testing"

	"blossom/assets/notices"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// About says the version and shows the terms of everything in the program, to scroll and to copy, in any window.
func TestAbout(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{})
	for _, c := range []struct {
		w, h  int
		scale float32
	}{{1280, 800, 1}, {2000, 1400, 2}, {500, 400, 1}} {
		d.SetScale(c.scale)
		d.Resize(c.w, c.h)
		uitest.Do(a.showAbout)
		d.Frames(4)
		for _, name := range []string{"page", "page/long", "page/Copy", "page/OK"} {
			if r := d.Rect(name); r.X0 < 0 || r.Y0 < 0 || r.X1 > float32(c.w) || r.Y1 > float32(c.h) {
				t.Errorf("%d: %s is at %v", c.w, name, r)
			}
		}
		box := d.Rect("page/long")
		before := cut(d, box)
		for range 5 {
			d.Wheel((box.X0+box.X1)/2, (box.Y0+box.Y1)/2, -5)
		}
		d.Frames(3)
		if bytes.Equal(before, cut(d, box)) {
			t.Errorf("%d: the notices do not scroll", c.w)
		}
		d.ClickOn("page/Copy")
		copied := d.Shell().GetClipboard()
		if !strings.HasPrefix(copied, "blossom test\n") ||
			!strings.HasSuffix(copied, strings.Trim(notices.Text, "\n")) {
			t.Errorf("%d: copied %.80q … %q", c.w, copied, copied[max(0, len(copied)-80):])
		}
		d.Shell().SetClipboard("")
	}
}

// cut returns the pixels of a part of the window.
func cut(d *uitest.Driver, r widget.Rect) []byte {
	part := image.NewRGBA(image.Rect(0, 0, int(r.W()), int(r.H())))
	draw.Draw(part, part.Rect, d.Screenshot(), image.Pt(int(r.X0), int(r.Y0)), draw.Src)
	return part.Pix
}
