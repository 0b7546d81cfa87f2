package render

import (
	"fmt"
	"testing"

	"blossom/render/legend"
	"blossom/render/palette"
)

// A bar and a long list of names stand beside each other at the foot of a page of one column, and leave most of it to
// the views; a page with no room for both keeps the first, and a tiny one none.
func TestLegendsAtTheFootLeaveMostOfAPage(t *testing.T) {
	names := &legend.Legend{Title: "population"}
	for i := range 32 {
		names.Entries = append(names.Entries, legend.Entry{Name: fmt.Sprintf("CD4 effector %d", i), Count: 1000 + i})
	}
	bar := &legend.Legend{Title: "CD45", Subtitle: "BUV615-A, asinh/150",
		Colouring: palette.Colouring{Lo: -1, Hi: 8}}
	for _, c := range []struct{ width, height, kept int }{{1004, 756, 2}, {2055, 756, 2}, {540, 440, 1}, {60, 45, 0}} {
		o := SheetOptions{Width: c.width, Height: c.height, Scale: 2.08, Foot: []*legend.Legend{names, bar}}
		left := o.AboveFoot()
		list, high := o.foot()
		if len(o.Foot) != c.kept || len(list) != c.kept {
			t.Errorf("%d x %d: %d legends, %d laid out", c.width, c.height, len(o.Foot), len(list))
		}
		if float64(left.Dy()) < 0.59*float64(c.height) {
			t.Errorf("%d x %d: the views have %v", c.width, c.height, left)
		}
		for i, l := range list {
			w, h := l.of.Size(l.look)
			if (l.x+w)*o.Scale > float64(c.width) || l.y+h > high {
				t.Errorf("%d x %d: legend %d ends at %g, %g of %g", c.width, c.height, i, l.x+w, l.y+h, high)
			}
		}
	}
}
