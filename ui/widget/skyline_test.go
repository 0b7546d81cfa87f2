package widget

import (
	"math"
	"slices"
	"testing"
)

// Heights and places lead to each other, whatever the range, and ticks are round and few.
func TestSkylineScale(t *testing.T) {
	in := Rect{10, 20, 500, 240}
	for _, r := range [][2]float64{{0.01, 100}, {2, 2.1}, {1e-9, 3e-9}, {5, 400}, {0, 7}} {
		s := scaleOf(in, &SkylineOpts{Low: r[0], Top: r[1]})
		last := in.Y1 + 1
		for i := range 50 {
			h := s.low + (s.top-s.low)*float64(i+1)/50
			y := s.y(h)
			if y > last || y < in.Y0 || y > in.Y1 {
				t.Fatalf("%v: height %g is at %g, after %g", r, h, y, last)
			}
			last = y
			if got := s.height(y); math.Abs(got-h) > 1e-4*h+1e-3*(s.top-s.low) {
				t.Fatalf("%v: height %g is at %g, which is height %g", r, h, y, got)
			}
		}
		if s.y(-1) != in.Y1 || s.y(0) >= in.Y1 {
			t.Errorf("%v: nothing and the least height look the same", r)
		}
		ticks := skyTicks(s.low, s.top, s.log)
		if len(ticks) < 2 || len(ticks) > 32 || !slices.IsSorted(ticks) || ticks[len(ticks)-1] > s.top {
			t.Errorf("%v: ticks %v", r, ticks)
		}
	}
	if skyTicks(3, 3, true) != nil || skyTicks(0, 0, false) != nil {
		t.Error("no range has ticks")
	}
}
