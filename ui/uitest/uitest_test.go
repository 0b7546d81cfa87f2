package uitest

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

// window20 is the limit of a window of 10,000 pixels.
var window20 = limit{20, channelTolerance}

func picture(w, h int, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.SetRGBA(i%w, i/w, c)
	}
	return img
}

// The comparison accepts what a driver may change and nothing else.
func TestCompareGolden(t *testing.T) {
	base := filepath.Join(t.TempDir(), "g", "pic")
	grey := picture(100, 100, color.RGBA{100, 100, 100, 255})
	left := func(what string) bool { _, err := os.Stat(base + what); return err == nil }

	if err := compareGolden(base, grey, window20, false); err == nil || !left(".new.png") {
		t.Errorf("no golden picture yet: %v, new one left: %v", err, left(".new.png"))
	}
	if err := compareGolden(base, grey, window20, true); err != nil {
		t.Fatal(err)
	}
	if err := compareGolden(base, grey, window20, false); err != nil || left(".new.png") {
		t.Errorf("the same picture: %v", err)
	}
	if err := compareGolden(base, picture(100, 100, color.RGBA{120, 100, 90, 255}), window20, false); err != nil {
		t.Errorf("a small difference everywhere: %v", err)
	}
	few := picture(100, 100, color.RGBA{100, 100, 100, 255})
	for i := range 20 {
		few.SetRGBA(3*i, 50, color.RGBA{255, 255, 255, 255})
	}
	if err := compareGolden(base, few, window20, false); err != nil {
		t.Errorf("20 of 10000 pixels: %v", err)
	}
	few.SetRGBA(70, 50, color.RGBA{100, 100, 140, 255})
	if err := compareGolden(base, few, window20, false); err == nil || !left(".new.png") || !left(".diff.png") {
		t.Errorf("21 of 10000 pixels: %v", err)
	}
	if err := compareGolden(base, picture(100, 99, color.RGBA{100, 100, 100, 255}), window20,
		false); err == nil || left(".diff.png") {
		t.Errorf("another size: %v", err)
	}
	few.SetRGBA(0, 0, color.RGBA{0, 0, 0, 255})
	if err := compareGolden(base, few, limit{channel: channelTolerance}, true); err != nil {
		t.Fatal(err)
	}
	was, _ := os.Stat(base + ".png")
	few.SetRGBA(0, 0, color.RGBA{9, 9, 9, 255}) // as a driver might
	if err := compareGolden(base, few, limit{channel: channelTolerance}, true); err != nil {
		t.Fatal(err)
	}
	if now, err := os.Stat(base + ".png"); err != nil || !os.SameFile(was, now) || now.ModTime() != was.ModTime() {
		t.Error("a picture that is as it was is written again")
	}
	if err := os.WriteFile(base+".png", []byte("no png"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := compareGolden(base, grey, window20, false); err == nil {
		t.Error("a broken golden picture was accepted")
	}
}

// A component is cut out of the window without what shows behind its round corners, and one digit that is another is
// more than its picture may differ by.
func TestComponent(t *testing.T) {
	white := color.RGBA{255, 255, 255, 255}
	shot := picture(60, 50, white)
	got := component(shot, image.Rect(10, 5, 50, 45), 11)
	if got.Bounds() != image.Rect(0, 0, 40, 40) {
		t.Fatalf("it is %v", got.Bounds())
	}
	for p, want := range map[image.Point]color.RGBA{{0, 0}: {}, {39, 0}: {}, {0, 39}: {}, {39, 39}: {}, {20, 0}: white,
		{0, 20}: white, {20, 20}: white, {4, 4}: white} {
		if c := got.RGBAAt(p.X, p.Y); c != want {
			t.Errorf("at %v it is %v, not %v", p, c, want)
		}
	}
	base := filepath.Join(t.TempDir(), "pic")
	if err := compareGolden(base, got, ofComponent, true); err != nil {
		t.Fatal(err)
	}
	for y := range 4 {
		got.SetRGBA(20, 10+y, color.RGBA{0, 0, 0, 255})
	}
	if err := compareGolden(base, got, ofComponent, false); err == nil {
		t.Error("another digit is not seen")
	}
}

// A soft edge may lie a part of a pixel beside where it was, in the direction of the line; a stroke that is new, or a
// colour, may not.
func TestSoftEdgesMayMove(t *testing.T) {
	stem := func(edge uint8) *image.RGBA {
		img := picture(20, 20, color.RGBA{255, 255, 255, 255})
		for y := 4; y < 16; y++ {
			img.SetRGBA(9, y, color.RGBA{edge, edge, edge, 255})
			img.SetRGBA(10, y, color.RGBA{0, 0, 0, 255})
		}
		return img
	}
	if n, _ := difference(stem(208), stem(92), 28); n != 0 {
		t.Errorf("%d pixels of a soft edge differ", n)
	}
	bar := stem(208)
	for x := range 5 {
		bar.SetRGBA(11+x, 4, color.RGBA{0, 0, 0, 255})
	}
	if n, _ := difference(stem(208), bar, 40); n < 4 {
		t.Errorf("%d pixels of a stroke that is new differ", n)
	}
	if n, _ := difference(stem(208), picture(20, 20, color.RGBA{210, 255, 255, 255}), 40); n < 300 {
		t.Errorf("%d pixels of another colour differ", n)
	}
}

func TestParseChord(t *testing.T) {
	for s, n := range map[string]int{"A": 1, "Ctrl+Shift+Z": 3, "F12": 1, ".": 1, "Space": 1, "rightctrl+5": 2} {
		if k, err := parseChord(s); err != nil || len(k) != n {
			t.Errorf("%q: %v %v", s, k, err)
		}
	}
	for _, s := range []string{"", "Foo", "Ctrl+", "F25", "Ctrl++"} {
		if k, err := parseChord(s); err == nil {
			t.Errorf("%q: %v", s, k)
		}
	}
}

// A panic on the main thread arrives in the test; the main thread serves on.
func TestDoPassesPanicsOn(t *testing.T) {
	func() {
		defer func() {
			if v := recover(); !strings.Contains(fmt.Sprint(v), "boom") {
				t.Errorf("recovered %v", v)
			}
		}()
		Do(func() { panic("boom") })
	}()
	ran := false
	Do(func() { ran = true })
	if !ran {
		t.Error("the main thread serves no more")
	}
}

// A picture written with fewer colours is within the allowed difference, and frequent colours are as they were.
func TestSmallPicturesLookTheSame(t *testing.T) {
	img := picture(64, 64, color.RGBA{242, 244, 247, 255})
	for i := range 1000 {
		img.SetRGBA(i%64, i/64, color.RGBA{uint8(i), uint8(i / 4), 90, 255})
	}
	out := small(img)
	if _, ok := out.(*image.Paletted); !ok {
		t.Fatalf("it is %T", out)
	}
	for y := range 64 {
		for x := range 64 {
			p, q := img.RGBAAt(x, y), color.RGBAModel.Convert(out.At(x, y)).(color.RGBA)
			if max(apart(p.R, q.R), apart(p.G, q.G), apart(p.B, q.B)) > channelTolerance/2 || y > 20 && p != q {
				t.Fatalf("%v became %v at %d, %d", p, q, x, y)
			}
		}
	}
}
