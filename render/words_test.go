package render

import (
	"fmt"
	"image/color"
	"testing"

	"blossom/render/camera"
	"blossom/render/pen"
)

// listing is a pen that keeps where it has written what.
type listing struct{ boxes map[string]pen.Rect }

func (listing) Scale() float64                                          { return 1 }
func (listing) Width(_ pen.Face, s string) float64                      { return 7 * float64(len(s)) }
func (listing) Upright(pen.Face, float64, float64, color.NRGBA, string) {}
func (listing) Fill(pen.Rect, float64, color.NRGBA)                     {}
func (listing) Gradient(pen.Rect, float64, func(float64) color.NRGBA)   {}
func (l listing) Haloed(f pen.Face, x, middle float64, ink, _ color.NRGBA, s string) {
	l.Text(f, x, middle, ink, s)
}
func (l listing) Text(f pen.Face, x, middle float64, _ color.NRGBA, s string) {
	l.boxes[s] = pen.Box(x, middle-6, x+l.Width(f, s), middle+6)
}

// Names lie over no others, the first have their way, and what has no room is left out; long ones are cut.
func TestNamesOfPointsLieOverNoOthers(t *testing.T) {
	cam := camera.NewFlat(400, 300)
	o := Overlay{Cam: cam}
	for i := range 40 {
		at := []float32{float32(i%4) * 0.01, float32(i%3) * 0.01}
		o.Words = append(o.Words, Word{Text: fmt.Sprintf("name %d", i), At: at})
	}
	long := ""
	for range 10_000 {
		long += "x"
	}
	o.Words = append(o.Words, Word{Text: long, At: []float32{0, 0.9}})
	l := listing{map[string]pen.Rect{}}
	o.PaintWords(l)
	if _, ok := l.boxes["name 0"]; !ok || len(l.boxes) < 3 || len(l.boxes) > 10 {
		t.Errorf("%d names of 41: %v", len(l.boxes), l.boxes)
	}
	for a, x := range l.boxes {
		if len(a) > 60 {
			t.Errorf("a name of %d letters", len(a))
		}
		for b, y := range l.boxes {
			if a != b && x.Overlaps(y) {
				t.Errorf("%s lies over %s", a, b)
			}
		}
	}
}
