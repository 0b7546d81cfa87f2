package text

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"blossom/render/text/fallback/fallbacktest"
)

// Text in other scripts is drawn with a font of the system, and with numbers of characters where there is none.
func TestTextInOtherScripts(t *testing.T) {
	fallbacktest.With(t, "中文")
	f, l := Builtin(), Line{Size: 24}
	ink := func(s string) []byte {
		m := image.NewRGBA(image.Rect(0, 0, 300, 40))
		f.Draw(m, l, 4, 30, s, color.Black)
		n := image.NewRGBA(m.Rect)
		f.Write(n, l, 4, 30, s, color.Black)
		return append(m.Pix, n.Pix...)
	}
	for s, like := range map[string]string{"中 文": "H H", "か": "U+304B", "中か": "HU+304B", "a\u200d\ufe0fb": "ab"} {
		if !bytes.Equal(ink(s), ink(like)) {
			t.Errorf("%q is not drawn like %q", s, like)
		}
		if a, b := f.Width(l, s), f.Width(l, like); a != b {
			t.Errorf("%q is %g wide, want %g", s, a, b)
		}
		if a, b := f.Advance(l, s), f.Advance(l, like); a != b {
			t.Errorf("%q reaches to %g, want %g", s, a, b)
		}
	}
}
