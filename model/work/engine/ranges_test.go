package engine

import (
	"testing"

	"pgregory.net/rapid"
)

func TestRangesAgreeWithABitmap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 40
		var s Ranges
		var bits [n]bool
		draw := func() Range {
			a := rapid.IntRange(0, n).Draw(t, "from")
			return Range{From: a, To: rapid.IntRange(a, n).Draw(t, "to")}
		}
		for range rapid.IntRange(0, 12).Draw(t, "adds") {
			r := draw()
			s.Add(r)
			for i := r.From; i < r.To; i++ {
				bits[i] = true
			}
		}
		for i := 1; i < len(s.list); i++ {
			if s.list[i-1].To >= s.list[i].From {
				t.Fatalf("ranges touch: %v", s.list)
			}
		}
		for range 20 {
			r := draw()
			want := true
			for i := r.From; i < r.To; i++ {
				want = want && bits[i]
			}
			if s.Contains(r) != want {
				t.Fatalf("%v contains %v: %v", s.list, r, !want)
			}
		}
		s.Clear()
		if s.Contains(Range{From: 0, To: 1}) || !s.Contains(Range{From: 3, To: 3}) {
			t.Fatal("Clear")
		}
	})
}
