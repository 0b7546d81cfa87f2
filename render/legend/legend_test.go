package legend

import (
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"

	"blossom/render/palette"
	"blossom/render/pen"
	"blossom/render/text"
)

func of(lo, hi float32) *Legend {
	return &Legend{Title: "CD3", Colouring: palette.Colouring{Palette: palette.Default(), Lo: lo, Hi: hi}}
}

func TestMarks(t *testing.T) {
	clipped := of(-0.2, 4.6)
	clipped.BelowLo, clipped.AboveHi = true, true
	for _, tc := range []struct {
		l    *Legend
		want []string
	}{
		{clipped, []string{"≤ −0.2", "1.0", "2.0", "3.0", "≥ 4.6"}},
		{of(0, 4), []string{"0", "1", "2", "3", "4"}},
		{of(0, 262143), []string{"0", "50,000", "100,000", "150,000", "200,000", "262,143"}},
		{of(0.001, 0.002), []string{"0.0010", "0.0012", "0.0014", "0.0016", "0.0018", "0.0020"}},
		{of(3, 3), []string{"3.00"}},
		{of(5, 1), []string{"5.00"}},
		{of(float32(math.NaN()), 1), []string{"no value"}},
	} {
		got := tc.l.Marks(4)
		text := []string{}
		for _, m := range got {
			text = append(text, m.Text)
		}
		if len(text) != len(tc.want) {
			t.Errorf("%v to %v: %q, want %q", tc.l.Colouring.Lo, tc.l.Colouring.Hi, text, tc.want)
			continue
		}
		for i := range text {
			if text[i] != tc.want[i] {
				t.Errorf("%v to %v: %q, want %q", tc.l.Colouring.Lo, tc.l.Colouring.Hi, text, tc.want)
				break
			}
		}
	}
}

func TestNiceTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e38, 1e38).Draw(t, "lo")
		if rapid.Bool().Draw(t, "small") {
			lo = math.Mod(lo, 1000)
		}
		span := math.Abs(rapid.Float64Range(1e-3, 1e6).Draw(t, "span"))
		hi := lo + math.Max(span, math.Abs(lo)*1e-6)
		most := rapid.IntRange(1, 12).Draw(t, "most")
		ticks, step := NiceTicks(lo, hi, most)
		if len(ticks) > most {
			t.Fatalf("%d ticks, at most %d wanted", len(ticks), most)
		}
		if most >= 4 && len(ticks) < most/3 {
			t.Fatalf("only %d ticks of %d", len(ticks), most)
		}
		for i, x := range ticks {
			if x < lo-step*1e-6 || x > hi+step*1e-6 {
				t.Fatalf("tick %v outside of %v to %v", x, lo, hi)
			}
			if r := x / step; math.Abs(r-math.Round(r)) > 1e-6*math.Max(1, math.Abs(r)) {
				t.Fatalf("tick %v is no multiple of %v", x, step)
			}
			if i > 0 && !(x > ticks[i-1]) {
				t.Fatalf("ticks do not rise: %v", ticks)
			}
		}
	})
	for _, bad := range [][2]float64{{1, 1}, {2, 1}, {math.NaN(), 1}, {0, math.Inf(1)}} {
		if ticks, _ := NiceTicks(bad[0], bad[1], 5); ticks != nil {
			t.Errorf("%v: ticks %v", bad, ticks)
		}
	}
	if ticks, _ := NiceTicks(-math.MaxFloat64, math.MaxFloat64, 5); len(ticks) == 0 || len(ticks) > 5 {
		t.Errorf("the widest range: %v", ticks)
	}
}

func TestFormat(t *testing.T) {
	for _, tc := range []struct {
		x    float64
		d    int
		want string
	}{
		{1.5, 1, "1.5"}, {-0.2, 1, "−0.2"}, {-0.0001, 1, "0.0"}, {0, 0, "0"}, {19225, 0, "19,225"},
		{-1234567, 0, "−1,234,567"},
		{1e38, 0, "1e38"}, {-2.5e9, 0, "−2.5e9"}, {3e-9, 9, "3e−9"}, {999, 0, "999"}, {1234.5, 1, "1,234.5"},
		{math.NaN(), 1, "no value"}, {math.Inf(-1), 0, "−Inf"},
	} {
		if got := Format(tc.x, tc.d); got != tc.want {
			t.Errorf("Format(%v, %d) = %q, want %q", tc.x, tc.d, got, tc.want)
		}
	}
}

func TestLayoutStaysInItsRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := Look{Fonts: text.Builtin(), Scale: rapid.SampledFrom([]float64{1, 1.5, 2}).Draw(t, "scale"),
			MaxW: rapid.Float64Range(150, 900).Draw(t, "w"), MaxH: rapid.Float64Range(60, 600).Draw(t, "h")}
		l := &Legend{Title: rapid.StringMatching(`[A-Za-z ]{0,60}`).Draw(t, "title")}
		n := rapid.IntRange(0, 80).Draw(t, "n")
		for i := range n {
			count := -1
			if i%2 == 0 {
				count = i * i * 1000
			}
			l.Entries = append(l.Entries, Entry{Name: rapid.StringMatching(`[a-z]{0,40}`).Draw(t, "name"),
				Count: count})
		}
		l.Colouring = of(0, 1).Colouring
		a := l.arrange(k)
		shown := 0
		for i, c := range a.columns {
			shown += c.last - c.first
			if i > 0 && c.x+c.w > k.MaxW {
				t.Fatalf("column %d reaches %v, room %v", i, c.x+c.w, k.MaxW)
			}
		}
		if n > 0 && shown+a.more != n {
			t.Fatalf("%d shown and %d more of %d", shown, a.more, n)
		}
		if n > 0 && a.h > math.Max(k.MaxH, a.top+2*lineH)+0.001 {
			t.Fatalf("height %v, room %v", a.h, k.MaxH)
		}
		l.Draw(on(image.NewRGBA(image.Rect(0, 0, 50, 50)), k), k, 3, 3) // clipped, no panic
	})
}

// on is a pen for a picture.
func on(img *image.RGBA, k Look) *pen.Image {
	return &pen.Image{Dst: img, Fonts: k.Fonts, Points: k.Scale}
}

func TestBarShowsThePalette(t *testing.T) {
	l := of(0, 1)
	l.Title = ""
	img := image.NewRGBA(image.Rect(0, 0, 240, 40))
	k := Look{Fonts: text.Builtin(), Scale: 1, Text: color.NRGBA{A: 255}, TextDim: color.NRGBA{A: 255}, MaxW: 220,
		MaxH: 40}
	l.Draw(on(img, k), k, 10, 5)
	for _, x := range []int{20, 120, 220} {
		want := palette.Default().At((float64(x) + 0.5 - 10) / 220)
		if got := img.RGBAAt(x, 9); got != (color.RGBA{want.R, want.G, want.B, 255}) {
			t.Errorf("bar at %d is %v, want %v", x, got, want)
		}
	}
	l.Colouring.Reversed = true
	l.Draw(on(img, k), k, 10, 5)
	want := palette.Default().At(1 - 10.5/220)
	if got := img.RGBAAt(20, 9); got != (color.RGBA{want.R, want.G, want.B, 255}) {
		t.Errorf("reversed bar starts with %v, want %v", got, want)
	}
}
