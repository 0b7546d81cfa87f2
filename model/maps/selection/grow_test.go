package selection

import (
	"math/rand/v2"
	"testing"
)

// nearbyOf are n points of g landmarks, on a line, so that each has those beside it near.
func nearbyOf(r *rand.Rand, n, g int) Nearby {
	b := Nearby{Of: make([]int32, n), Near: make([][]int32, g)}
	for i := range b.Of {
		b.Of[i] = int32(r.IntN(g+1) - 1)
	}
	for l := range g {
		for _, o := range []int{l - 1, l + 1} {
			if o >= 0 && o < g && r.IntN(4) > 0 {
				b.Near[l] = append(b.Near[l], int32(o))
			}
		}
	}
	return b
}

// grown is the definition, a row at a time.
func grown(b Nearby, s *Set) *Set {
	taken := map[int32]bool{}
	count := func(l int32, need bool) (n int) {
		for row, of := range b.Of {
			if of == l && (!need || s.Contains(row)) {
				n++
			}
		}
		return n
	}
	for l := range int32(len(b.Near)) {
		if some := count(l, true); some > 0 && some*2 >= count(l, false) {
			taken[l] = true
		}
	}
	if len(taken) == 0 {
		for row, of := range b.Of {
			if of >= 0 && s.Contains(row) {
				taken[of] = true
			}
		}
	}
	words, more := make([]uint64, wordsOf(len(b.Of))), false
	for row, of := range b.Of {
		if s.Contains(row) || of >= 0 && taken[of] {
			words[row/64] |= 1 << (row % 64)
			more = more || !s.Contains(row)
		}
	}
	if !more {
		for row, of := range b.Of {
			for l := range taken {
				for _, o := range b.Near[l] {
					if o == of {
						words[row/64] |= 1 << (row % 64)
					}
				}
			}
		}
	}
	return FromBits(len(b.Of), words)
}

// Growing is the definition on random points; it only adds, shrinking only takes away, and both end.
func TestSelectionsGrowByLandmarks(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{0, 1, 31, 32, 33, 300} {
		for range 60 {
			b := nearbyOf(r, n, 1+r.IntN(12))
			s := None(n)
			switch few := r.IntN(6); {
			case few == 0:
				s = All(n)
			case few > 1:
				words := make([]uint64, wordsOf(n))
				for row := range n {
					if r.IntN(few) == 0 {
						words[row/64] |= 1 << (row % 64)
					}
				}
				s = FromBits(n, words)
			}
			got, err := b.Grow(t.Context(), s)
			if want := grown(b, s); err != nil || !Equal(got, want) {
				t.Fatalf("%d points: %d selected grow to %d, not %d: %v", n, s.Count(), got.Count(), want.Count(), err)
			}
			less, err := b.Shrink(t.Context(), s)
			if want := Invert(grown(b, Invert(s, n)), n); err != nil || !Equal(less, want) {
				t.Fatalf("%d points: %d selected shrink to %d, not %d: %v", n, s.Count(), less.Count(), want.Count(),
					err)
			}
			if !Subtract(s, got).Empty() || !Subtract(less, s).Empty() {
				t.Fatal("growing takes away, or shrinking adds")
			}
			for step := 0; ; step++ {
				next, _ := b.Grow(t.Context(), got)
				if Equal(next, got) {
					break
				}
				if got = next; step > 2*len(b.Near)+2 {
					t.Fatal("it grows for ever")
				}
			}
		}
	}
}
