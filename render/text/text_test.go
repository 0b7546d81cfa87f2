package text

import (
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
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
