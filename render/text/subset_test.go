package text_test

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"blossom/assets"
	"blossom/render/text"
)

const sample = "größer Δ µ 10⁴ γδ ffi"

// A subset shows its characters as the whole font does, has no others, and is the same bytes each time.
func TestSubsetShowsWhatTheFontDoes(t *testing.T) {
	for name, data := range map[string][]byte{"cubic": assets.InterRegular, "quadratic": goregular.TTF} {
		whole, err := opentype.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		cut, err := text.Subset(whole, "Part", 400, []rune(sample))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := text.Subset(whole, "Part", 400, []rune(sample+sample))
		if !bytes.Equal(cut, again) {
			t.Errorf("%s: other bytes of the same characters", name)
		}
		if len(cut) > len(data)/4 {
			t.Errorf("%s: %d bytes of %d", name, len(cut), len(data))
		}
		part, err := opentype.Parse(cut)
		if err != nil {
			t.Fatal(name, err)
		}
		if i, _ := part.GlyphIndex(nil, 'Q'); i != 0 {
			t.Errorf("%s: a character that was not asked for", name)
		}
		a, b := drawn(t, data), drawn(t, cut)
		worst := 0
		for i := range a.Pix {
			worst = max(worst, max(int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i])))
		}
		if worst > 64 { // curves are drawn in straight pieces, of either kind in others
			t.Errorf("%s: pixels differ by %d of 255", name, worst)
		}
	}
}

func drawn(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	f, err := text.Parse(data, data)
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewRGBA(image.Rect(0, 0, 500, 60))
	f.Write(img, text.Line{Size: 40}, 5, 42, sample, color.White)
	return img
}

// A line is cut where another font begins, and its parts are as wide together as it is.
func TestRunsAreAsWideAsTheLine(t *testing.T) {
	f := text.Builtin()
	l := text.Line{Size: 13}
	wide := 0.0
	for _, r := range f.Runs(l, "CD4 größer 細胞 x") {
		wide += r.Width
	}
	if want := f.Advance(l, "CD4 größer 細胞 x"); wide < want-0.01 || wide > want+0.01 {
		t.Errorf("%g wide, want %g", wide, want)
	}
}
