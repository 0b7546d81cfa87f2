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
			for _, size := range [][2]float64{{200, 160}, {320, 300}, {500, 400}, {640, 700}, {900, 700}, {1800, 500}} {
				w, h := size[0]*scale, size[1]*scale
				o, ok := l.Lay(p, w, h, Place{})
				if !ok {
					t.Errorf("%d labels in %g×%g have no legend", n, w, h)
					continue
				}
				if share := o.Box.W() * o.Box.H() / (w * h); n > 0 && share > 0.25 || o.Box.X0 < 0 || o.Box.Y0 < 0 ||
					o.Box.X1 > w || o.Box.Y1 > h {
					t.Errorf("%d labels take %.0f %% of %g×%g: %+v", n, 100*share, w, h, o.Box)
				}
				if kept := max(min(w-o.Box.X1, h), min(w, o.Box.Y0)) / min(w, h); kept < 0.74 && min(w, h) > 300*scale {
					t.Errorf("%d labels leave a map %.0f %% of its size in %g×%g", n, 100*kept, w, h)
				}
				last, _ := l.Lay(p, w, h, Place{First: 1 << 20})
				if k := len(last.Rows); k > 0 && last.Rows[k-1].Entry != n-1 {
					t.Errorf("label %d of %d is the last to be reached", last.Rows[k-1].Entry, n)
				}
				if folded, _ := l.Lay(p, w, h, Place{Folded: true}); folded.Box.H() > 34*scale || len(folded.Rows) > 0 {
					t.Errorf("folded it is %g high", folded.Box.H())
				}
			}
		}
	}
	if _, ok := (&Legend{Title: "x"}).Lay(&pen.Image{Fonts: text.Builtin(), Points: 1}, 100, 90, Place{}); ok {
		t.Error("a legend in a view that is smaller than it")
	}
}

// A legend that is moved lies where it was let go, in sight, and near an end of its room there; keys of edges keep
// clear of it.
func TestALegendLiesWhereItIsPut(t *testing.T) {
	p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: text.Builtin(), Points: 2}
	l := &Legend{Title: "population"}
	for i := range 8 {
		l.Entries = append(l.Entries, Entry{Name: fmt.Sprintf("number %d", i), Label: i, Count: i})
	}
	keys := []Key{{Title: "edge: distance", Lines: []Line{{Text: "0.5", Width: 1}}}}
	const w, h = 1400, 1000
	for _, x := range []float64{-50, 0, 37, 600, 1300, 2000} {
		for _, y := range []float64{-50, 0, 25, 400, 900, 2000} {
			first, _ := l.Lay(p, w, h, Place{})
			to := first.Moved(x, y)
			o, ok := l.Lay(p, w, h, to)
			if !ok || o.Box.X0 < 0 || o.Box.Y0 < 0 || o.Box.X1 > w || o.Box.Y1 > h || o.Box.W() != first.Box.W() {
				t.Fatalf("put at (%g, %g) it lies at %+v", x, y, o.Box)
			}
			room := 30 * p.Points // within this of an end it goes there
			if dx, dy := o.Box.X0-x, o.Box.Y0-y; x > room && o.Box.X1 < w-room && (dx > 1 || dx < -1) ||
				y > room && o.Box.Y1 < h-room && (dy > 1 || dy < -1) {
				t.Errorf("put at (%g, %g) it lies at (%g, %g)", x, y, o.Box.X0, o.Box.Y0)
			}
			if again := o.Moved(o.Box.X0, o.Box.Y0); again != to && (x > room && y > room && x < 600) {
				t.Errorf("put where it is it goes from %+v to %+v", to, again)
			}
			for _, r := range LayKeys(p, keys, o.Box, w, h) {
				if r.Overlaps(o.Box) || r.X0 < 0 || r.Y0 < 0 || r.X1 > w || r.Y1 > h {
					t.Errorf("a legend at %+v has its keys at %+v", o.Box, r)
				}
			}
		}
	}
}

// The words beside the title of a legend are cut where the view is narrow, and whole where there is room.
func TestALegendSaysAllThatThereIsRoomFor(t *testing.T) {
	p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: text.Builtin(), Points: 1}
	l := &Legend{Title: "CD3", Subtitle: "mean per hexagon, PE-Texas Red-A"}
	if o, ok := l.Lay(p, 900, 700, Place{}); !ok || o.subtitle != l.Subtitle {
		t.Errorf("in a wide view it says %q", o.subtitle)
	}
	if o, ok := l.Lay(p, 300, 300, Place{}); !ok || o.subtitle == l.Subtitle {
		t.Errorf("in a narrow view it says %q", o.subtitle)
	}
}
