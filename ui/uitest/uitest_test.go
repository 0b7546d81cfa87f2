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

	if err := compareGolden(base, grey, false); err == nil || !left(".new.png") {
		t.Errorf("no golden picture yet: %v, new one left: %v", err, left(".new.png"))
	}
	if err := compareGolden(base, grey, true); err != nil {
		t.Fatal(err)
	}
	if err := compareGolden(base, grey, false); err != nil || left(".new.png") {
		t.Errorf("the same picture: %v", err)
	}
	if err := compareGolden(base, picture(100, 100, color.RGBA{120, 100, 90, 255}), false); err != nil {
		t.Errorf("a small difference everywhere: %v", err)
	}
	few := picture(100, 100, color.RGBA{100, 100, 100, 255})
	for i := range 20 { // 0.2 %
		few.SetRGBA(i, 50, color.RGBA{255, 255, 255, 255})
	}
	if err := compareGolden(base, few, false); err != nil {
		t.Errorf("20 of 10000 pixels: %v", err)
	}
	few.SetRGBA(20, 50, color.RGBA{100, 100, 140, 255})
	if err := compareGolden(base, few, false); err == nil || !left(".new.png") || !left(".diff.png") {
		t.Errorf("21 of 10000 pixels: %v", err)
	}
	if err := compareGolden(base, picture(100, 99, color.RGBA{100, 100, 100, 255}), false); err == nil ||
		left(".diff.png") {
		t.Errorf("another size: %v", err)
	}
	if err := os.WriteFile(base+".png", []byte("no png"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := compareGolden(base, grey, false); err == nil {
		t.Error("a broken golden picture was accepted")
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
