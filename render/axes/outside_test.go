package axes

import (
	"image"
	"testing"

	"blossom/render/pen"
	"blossom/render/text"
)

// Titles outside lie over neither the map nor numbers, and within the room that a picture leaves for them.
func TestTitlesOutsideLieOverNothing(t *testing.T) {
	for _, k := range []float64{1, 2.24} {
		p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: text.Builtin(), Points: k}
		in := pen.Box(48*k, 30*k, 300*k, 200*k)
		x, y := Axis{Title: "CD4", Note: "PE-Texas Red-A"}, Axis{Title: "CD8", Note: "Pacific Blue-A"}
		f, ok := Of(p, in, x, y, Span{0, 10}, Span{0, 10})
		if !ok {
			t.Fatal("the map is too small")
		}
		f.Outside(k, in, 20*k)
		for i, title := range f.Titles {
			a, half := []Axis{x, y}[i], titleSize/2*k
			box := pen.Box(title.X, title.Y-half, title.X+p.Width(pen.Small, a.Title+between+a.Note), title.Y+half)
			if box.Overlaps(in) || box.X1 > in.X1+1 || box.Y0 < in.Y0-Over*k || box.Y1 > in.Y1+(Bottom+Under)*k {
				t.Errorf("at %g the title of axis %d is at %+v of %+v", k, i, box, in)
			}
			for _, n := range f.Numbers {
				high := tickSize / 2 * k
				at := pen.Box(n.X, n.Y-high, n.X+p.Width(pen.Caption, n.Text), n.Y+high)
				if box.Overlaps(at) {
					t.Errorf("at %g the title of axis %d lies over %q", k, i, n.Text)
				}
			}
		}
	}
}
