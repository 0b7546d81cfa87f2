package skyscale

import (
	"math"
	"slices"
	"testing"
)

// Heights and places lead to each other, whatever the range, and ticks are round and few.
func TestHeightsAndPlacesLeadToEachOther(t *testing.T) {
	for _, r := range [][2]float64{{0.01, 100}, {2, 2.1}, {1e-9, 3e-9}, {5, 400}, {0, 7}} {
		s := Of(r[0], r[1])
		last := -1.0
		for i := range 50 {
			h := s.Low + (s.Top-s.Low)*float64(i+1)/50
			f := s.Share(h)
			if f < last || f < 0 || f > 1 {
				t.Fatalf("%v: height %g is at %g, after %g", r, h, f, last)
			}
			last = f
			if got := s.Height(f); math.Abs(got-h) > 1e-9*h {
				t.Fatalf("%v: height %g is at %g, which is height %g", r, h, f, got)
			}
		}
		if s.Share(-1) != 0 || s.Share(0) <= 0 {
			t.Errorf("%v: nothing and the least height look the same", r)
		}
		ticks := s.Ticks()
		if len(ticks) < 2 || len(ticks) > 32 || !slices.IsSorted(ticks) || ticks[len(ticks)-1] > s.Top {
			t.Errorf("%v: ticks %v", r, ticks)
		}
	}
	if Of(3, 3).Ticks() != nil && len(Of(0, 0).Ticks()) > 0 {
		t.Error("no range has ticks")
	}
}
