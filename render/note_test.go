package render

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"blossom/render/pen"
	"blossom/render/text"
)

// A note over points of any colour can be read: it stands on a ground that hides what it lies on, in both themes. On a
// map without a ground it has a rim alone, and where there is no room it is left out.
func TestANoteCanBeReadOverPoints(t *testing.T) {
	const note = "500 of 5,000 points"
	for name, theme := range map[string]Theme{"light": Light(), "dark": Dark()} {
		for _, points := range []color.NRGBA{{255, 255, 0, 255}, theme.TextDim} {
			grounded := func(w int, ground bool) (n int) {
				m := image.NewRGBA(image.Rect(0, 0, w, 60))
				draw.Draw(m, m.Rect, image.NewUniform(points), image.Point{}, draw.Src)
				p := &pen.Image{Dst: m, Fonts: text.Builtin(), Points: 2}
				PaintNote(p, note, float64(w), 60, theme, ground)
				for y := range 60 {
					for x := range w {
						c, g := m.RGBAAt(x, y), theme.Background
						if abs(int(c.R)-int(g.R))+abs(int(c.G)-int(g.G))+abs(int(c.B)-int(g.B)) < 120 {
							n++
						}
					}
				}
				return n
			}
			if n := grounded(400, true); n < 3500 {
				t.Errorf("%s: %d pixels of ground under a note", name, n)
			}
			if n := grounded(400, false); n > 3000 || n == 0 {
				t.Errorf("%s: %d pixels of a rim", name, n)
			}
			if n := grounded(100, true); n > 0 {
				t.Errorf("%s: %d pixels where there is no room", name, n)
			}
		}
	}
}

func abs(x int) int { return max(x, -x) }
