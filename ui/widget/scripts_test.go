package widget_test

import (
	"math"
	"strings"
	"testing"

	"blossom/render/text/fallback/fallbacktest"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Text in other scripts is drawn with a font of the system, and with numbers of characters where there is none, as in
// pictures; plain text keeps its own font.
func TestTextInOtherScripts(t *testing.T) {
	fallbacktest.With(t, "中文𐎀")
	const h = 17.0 / 24.0 // height of H in the font of the test, about, in ems
	var zhong, escaped, like, plain, ka, far float32
	p := &page{t: t, theme: widget.Light(), draw: func(u *widget.UI, _ *shell.Context) {
		u.Area("a", widget.R(0, 0, 300, 200), widget.AreaOpts{}, func() {
			u.Label("中文 か 𐎀")
			plain = u.Width(widget.Body, "CD3 γδ")
			zhong, far = u.Width(widget.Body, "中"), u.Width(widget.Number, "𐎀")
			ka, escaped = u.Width(widget.Body, "か"), u.Width(widget.Body, "U+304B")
			like = u.Width(widget.Body, "·")
		})
	}}
	d := uitest.Open(t, p, 300, 200, 1)
	was := plain
	d.Until("fonts are found", 2000, func() bool { return ka != like })
	d.Frames(2)
	if ka != escaped {
		t.Errorf("か is %g wide, want that of U+304B, %g", ka, escaped)
	}
	for name, w := range map[string]float32{"中": zhong, "𐎀": far} {
		if w == like || math.Abs(float64(w)-13*h) > 2.5 {
			t.Errorf("%s is %g wide: not the glyph of the font", name, w)
		}
	}
	if plain != was {
		t.Errorf("plain text was %g wide and is %g", was, plain)
	}
}

// A text in several lines has words that are read from the right in the lines in which they are read, each turned by
// itself.
func TestWordsFromTheRightStayInTheirLines(t *testing.T) {
	fallbacktest.With(t, "\u05d0\u05d1\u05d2")
	var one, two float32
	p := &page{t: t, theme: widget.Light(), draw: func(u *widget.UI, _ *shell.Context) {
		u.Area("a", widget.R(0, 0, 100, 200), widget.AreaOpts{}, func() {
			at := imgui.CursorScreenPos().Y
			u.Wrapped(widget.Body, 0, "\u05d0\u05d0\u05d0")
			one = imgui.CursorScreenPos().Y - at
			at += one
			u.Wrapped(widget.Body, 0, "\u05d0\u05d0\u05d0\u05d0\u05d0\u05d0 \u05d1\u05d1\u05d1\u05d1\u05d1\u05d1 i")
			two = imgui.CursorScreenPos().Y - at
		})
	}}
	d := uitest.Open(t, p, 100, 200, 1)
	d.Until("fonts are found", 2000, func() bool { return two > one })
	for s, want := range map[string]string{
		"\u05d0\u05d1": "\u05d1\u05d0",
		strings.Repeat("\u05d0", 6) + " " + strings.Repeat("\u05d1", 6) + " CD": strings.Repeat("\u05d0", 6) + "\n" +
			strings.Repeat("\u05d1", 6) + " CD", // not the last word first
		"plain words that are broken elsewhere": "plain words that are broken elsewhere",
	} {
		var got string
		uitest.Do(func() { got = widget.Broken(p.u, s, 90) })
		if got = strings.ReplaceAll(got, "\u200e", ""); got != want {
			t.Errorf("%+q is drawn as %+q, want %+q", s, got, want)
		}
	}
}
