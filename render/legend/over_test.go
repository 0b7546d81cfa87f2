package legend

import (
	"fmt"
	"image"
	"testing"

	"blossom/render/pen"
	"blossom/render/text"
)

// A legend over a view takes a small part of it, whatever the view; all labels can be gone through, and it can be
// folded.
func TestALegendTakesASmallPartOfItsView(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: text.Builtin(), Points: scale}
		for _, n := range []int{0, 1, 4, 12, 60, 400} {
			l := &Legend{Title: "population", Subtitle: "cells"}
			for i := range n {
				l.Entries = append(l.Entries, Entry{Name: fmt.Sprintf("a population number %d", i), Label: i, Count: i})
			}
			for _, size := range [][2]float64{{200, 160}, {320, 300}, {500, 400}, {900, 700}, {1800, 500}} {
				w, h := size[0]*scale, size[1]*scale
				o, ok := l.Lay(p, w, h, Fold{})
				if !ok {
					t.Errorf("%d labels in %g×%g have no legend", n, w, h)
					continue
				}
				if share := o.Box.W() * o.Box.H() / (w * h); n > 0 && share > 0.25 || o.Box.X0 < 0 || o.Box.Y0 < 0 ||
					o.Box.X1 > w || o.Box.Y1 > h {
					t.Errorf("%d labels take %.0f %% of %g×%g: %+v", n, 100*share, w, h, o.Box)
				}
				last, _ := l.Lay(p, w, h, Fold{First: 1 << 20})
				if k := len(last.Rows); k > 0 && last.Rows[k-1].Entry != n-1 {
					t.Errorf("label %d of %d is the last to be reached", last.Rows[k-1].Entry, n)
				}
				if folded, _ := l.Lay(p, w, h, Fold{Closed: true}); folded.Box.H() > 34*scale || len(folded.Rows) > 0 {
					t.Errorf("folded it is %g high", folded.Box.H())
				}
			}
		}
	}
	if _, ok := (&Legend{Title: "x"}).Lay(&pen.Image{Fonts: text.Builtin(), Points: 1}, 100, 90, Fold{}); ok {
		t.Error("a legend in a view that is smaller than it")
	}
}
