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

// Words that are read from the right stand so in pictures and files that place letters; a file whose readers order them
// has them as they are read.
func TestWordsFromTheRightStandFromLeftToRight(t *testing.T) {
	fallbacktest.With(t, "\u05d0\u05d1")
	f, l := Builtin(), Line{Size: 24}
	line := func(runs []Run) (s string) {
		for _, r := range runs {
			s += r.Text
		}
		return s
	}
	for read, stands := range map[string]string{"CD4 \u05d0\u05d1": "CD4 \u05d1\u05d0", "\u05d0 12": "12 \u05d0"} {
		if a, b := line(f.Runs(l, read)), line(f.Read(l, read)); a != stands || b != read {
			t.Errorf("%+q stands as %+q and is read as %+q", read, a, b)
		}
		if w := f.Width(l, read); w != f.Width(l, stands) || w == 0 {
			t.Errorf("%+q is %g wide", read, w)
		}
	}
	drawn := func(s string) []byte {
		m := image.NewRGBA(image.Rect(0, 0, 200, 40))
		f.Draw(m, l, 4, 30, s, color.Black)
		return m.Pix
	}
	if !bytes.Equal(drawn("\u05d0 12"), drawn("12 H")) {
		t.Error("a line that is read from the right is drawn as it is read")
	}
}
