package axes

import (
	"image"
	"testing"

	"blossom/render/pen"
	"blossom/render/text"
)

// The last number of a level axis is clear of the edge that the axis ends at: the picture may end there too.
func TestTheLastNumberIsClearOfTheEdge(t *testing.T) {
	const scale = 2.25
	p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: text.Builtin(), Points: scale}
	inside := pen.Rect{X0: 80, Y0: 0, X1: 480, Y1: 300}
	for _, end := range []float64{8, 8.02, 8.05, 8.2} {
		f, ok := Of(p, inside, Axis{}, Axis{}, Span{-6, end}, Span{-3, 3})
		if !ok {
			t.Fatal("there are no axes")
		}
		for _, l := range f.Numbers {
			if right := l.X + p.Width(pen.Caption, l.Text); right > inside.X1-scale {
				t.Errorf("up to %g: %s ends at %.1f of %g", end, l.Text, right, inside.X1)
			}
		}
	}
}
