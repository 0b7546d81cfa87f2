package text

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"pgregory.net/rapid"
)

func TestDrawAndMeasure(t *testing.T) {
	f := Builtin()
	for _, l := range []Line{{12, false}, {12, true}, {24, false}} {
		img := image.NewRGBA(image.Rect(0, 0, 200, 60))
		f.Draw(img, l, 10, 40, "CD3 ≤ −1.5", color.Black)
		ink := image.Rectangle{}
		for y := range 60 {
			for x := range 200 {
				if img.RGBAAt(x, y).A > 0 {
					ink = ink.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		w := f.Width(l, "CD3 ≤ −1.5")
		above, _ := f.Heights(l)
		if ink.Min.X < 9 || float64(ink.Max.X) > 10+w+1 || float64(ink.Max.X) < 10+w-4 {
			t.Errorf("%+v: ink %v, measured width %v", l, ink, w)
		}
		if ink.Max.Y > 42 || float64(ink.Min.Y) < 40-above-2 {
			t.Errorf("%+v: ink %v, capitals %v", l, ink, above)
		}
	}
	if a, b := f.Width(Line{12, false}, "population"), f.Width(Line{24, false}, "population"); b < 1.9*a || b > 2.1*a {
		t.Errorf("widths %v and %v", a, b)
	}
}

func TestShorten(t *testing.T) {
	f, l := Builtin(), Line{Size: 12}
	if s := f.Shorten(l, "short", 1000); s != "short" {
		t.Errorf("%q", s)
	}
	s := f.Shorten(l, "a long name of a population", 60)
	if f.Width(l, s) > 60 || len(s) < 5 {
		t.Errorf("%q is %v wide", s, f.Width(l, s))
	}
	if s := f.Shorten(l, "γδ", 0); s != "…" {
		t.Errorf("%q", s)
	}
}

// Whatever is beyond the width is not looked at: a name of a hundred thousand characters is cut as its beginning is.
func TestALongNameIsCutAsItsBeginning(t *testing.T) {
	f, l := Builtin(), Line{Size: 12}
	for _, letter := range []string{"a", "W", "γ"} {
		long := strings.Repeat(letter, 100_000)
		if a, b := f.Shorten(l, long, 300), f.Shorten(l, long[:len(letter)*2000], 300); a != b {
			t.Errorf("%q: %d and %d bytes", letter, len(a), len(b))
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		s, width := rapid.StringN(0, 60, -1).Draw(r, "s"), rapid.Float64Range(0, 200).Draw(r, "width")
		cut := f.Shorten(l, s, width)
		if cut == s && f.Width(l, s) <= width || cut == "…" {
			return
		}
		kept, ok := strings.CutSuffix(cut, "…")
		if !ok || !strings.HasPrefix(s, kept) || f.Width(l, cut) > width {
			r.Fatalf("%q of %q is %g wide, %g may be", cut, s, f.Width(l, cut), width)
		}
	})
}

func TestParse(t *testing.T) {
	if _, err := Parse(goregular.TTF, gobold.TTF); err != nil {
		t.Error(err)
	}
	for _, bad := range [][2][]byte{{nil, gobold.TTF}, {goregular.TTF, []byte("no font")}} {
		if _, err := Parse(bad[0], bad[1]); err == nil {
			t.Error("accepted")
		}
	}
}
