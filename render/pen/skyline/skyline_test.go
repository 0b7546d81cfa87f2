package skyline

import (
	"image/color"
	"slices"
	"testing"

	"blossom/render/pen"
	"blossom/render/pen/skyscale"
)

// fills are the rectangles that a picture is made of, and its words.
type fills struct {
	pen.Pen
	of    map[color.NRGBA][]pen.Rect
	texts []string
}

func (f *fills) Scale() float64 { return 1 }

func (f *fills) Width(_ pen.Face, s string) float64 { return 3 * float64(len(s)) }

func (f *fills) Text(_ pen.Face, _, _ float64, _ color.NRGBA, s string) { f.texts = append(f.texts, s) }

func (f *fills) Fill(r pen.Rect, _ float64, ink color.NRGBA) { f.of[ink] = append(f.of[ink], r) }

// Two clusters and one leaf of none stand in their colours over their parts of the width, and the line of the cut is
// where its height is.
func TestASkylineShowsTheClustersOfACut(t *testing.T) {
	one, two := color.NRGBA{R: 255, A: 255}, color.NRGBA{B: 255, A: 255}
	heights := make([]float64, 100)
	inks := make([]color.NRGBA, 100)
	for i := range heights {
		heights[i] = 1
		switch {
		case i < 50:
			inks[i] = one
		case i > 50:
			inks[i] = two
		}
	}
	heights[50] = 10
	asked := 0
	m := Picture{Scale: skyscale.Of(0.5, 10), Cut: 4, Text: "2 clusters", Unit: "distance",
		Figure: func(float64) string { return "4" }, Columns: func(n int) ([]float64, []color.NRGBA) {
			asked = n
			return heights[:n], inks[:n]
		}}
	w := float64(axis + pad + 100)
	f := &fills{of: map[color.NRGBA][]pen.Rect{}}
	m.Paint(f, w, 200, Ink{Accent: color.NRGBA{G: 255, A: 255}})
	in, ok := Lay(1, w, 200)
	if !ok || asked != 100 {
		t.Fatalf("%d columns are asked for", asked)
	}
	if got := f.of[one]; len(got) != 1 || got[0].X0 != in.X0 || got[0].X1 != in.X0+50 || got[0].Y0 < in.Y1 {
		t.Errorf("the first cluster is at %v", got)
	}
	if got := f.of[two]; len(got) != 1 || got[0].X0 != in.X0+51 || got[0].X1 != in.X1 {
		t.Errorf("the second cluster is at %v", got)
	}
	line := f.of[color.NRGBA{G: 255, A: 255}]
	y := in.Y1 - m.Scale.Share(4)*in.H()
	if len(line) != 1 || line[0].Y0 > y || line[0].Y1 < y-1 {
		t.Errorf("the line is at %v, and its height at %g", line, y)
	}
	if !slices.Contains(f.texts, "2 clusters below 4") || !slices.Contains(f.texts, "distance") {
		t.Errorf("it says %q", f.texts)
	}
	f.texts = nil
	m.Paint(f, 30, 20, Ink{})
	if f.texts != nil {
		t.Error("it is painted where there is no room")
	}
}
