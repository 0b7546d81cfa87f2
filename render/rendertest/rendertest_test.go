package rendertest

import (
	"image"
	"image/color"
	"testing"
)

func TestCompare(t *testing.T) {
	a := image.NewNRGBA(image.Rect(0, 0, 10, 10))
	for i := range a.Pix {
		a.Pix[i] = 255
	}
	b := image.NewNRGBA(a.Rect)
	copy(b.Pix, a.Pix)
	if d := Compare(a, b); d != (Difference{}) || !d.Within(Same) {
		t.Errorf("equal pictures: %v", d)
	}
	b.SetNRGBA(3, 3, color.NRGBA{155, 255, 255, 255})
	d := Compare(a, b)
	if d.Most != 100 || d.Far != 0.01 || d.Mean != 0.25 || d.Within(Same) {
		t.Errorf("a pixel off: %v", d)
	}
	if Picture(a, b).NRGBAAt(3, 3).G > 100 || Picture(a, b).NRGBAAt(4, 4).G < 200 {
		t.Error("the picture of the difference does not show it")
	}
	if d := Compare(a, image.NewNRGBA(image.Rect(0, 0, 10, 11))); d.Within(Text) {
		t.Error("sizes")
	}
	// An invisible difference does not count.
	a.SetNRGBA(5, 5, color.NRGBA{9, 9, 9, 0})
	b.SetNRGBA(5, 5, color.NRGBA{200, 0, 100, 0})
	if again := Compare(a, b); again != d {
		t.Errorf("transparent pixels count: %v", again)
	}
}
