package density

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A count with more points lies further along a scale, from 0 or the least to 1 at the most; the equalised one gives
// each part of the palette as many cells.
func TestScalesRise(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range 60 {
		counts := make([]int32, 1+rng.IntN(3000))
		for i := range counts {
			counts[i] = int32(math.Exp(rng.Float64()*float64(rng.IntN(13)))) - 1
		}
		most := slices.Max(counts)
		for _, s := range Scales {
			l := s.Levels(counts)
			if most == 0 {
				if l.At(0) != 0 || l.Count(1) != 0 {
					t.Fatalf("%q: nothing lies at %g", s, l.At(0))
				}
				continue
			}
			if _, top := l.Ends(); top != int(most) || l.At(most) != 1 || l.At(0) != 0 {
				t.Fatalf("%q: the most is %d at %g, want %d at 1", s, top, l.At(most), most)
			}
			sorted := slices.Clone(counts)
			slices.Sort(sorted)
			last := 0.0
			for _, n := range sorted {
				at := l.At(n)
				if at < last || at > 1 {
					t.Fatalf("%q: %d lies at %g after %g", s, n, at, last)
				}
				last = at
				if n > 0 && l.Count(at+1e-6) < int(n) {
					t.Fatalf("%q: at the place of %d a legend says %d", s, n, l.Count(at+1e-6))
				}
			}
		}
		l := Equal.Levels(counts)
		filled := slices.DeleteFunc(slices.Clone(counts), func(n int32) bool { return n == 0 })
		for _, n := range filled {
			upTo, first := 0, 0
			for _, m := range filled {
				if m <= n {
					upTo++
				}
				if m == slices.Min(filled) {
					first++
				}
			}
			want := 1.0
			if first < len(filled) {
				want = float64(upTo-first) / float64(len(filled)-first)
			}
			if got := l.At(n); math.Abs(got-want) > 1e-6 {
				t.Fatalf("equalised, %d lies at %g, want %g", n, got, want)
			}
			if len(filled) > 200 {
				break // the reference is slow
			}
		}
	}
	l := Log.Levels([]int32{1, 10, 100})
	if got := l.At(10); math.Abs(got-0.5) > 1e-6 {
		t.Errorf("10 of 100 lies at %g", got)
	}
	if got := Linear.Levels([]int32{1, 200}).At(50); got != 0.25 {
		t.Errorf("50 of 200 lies at %g", got)
	}
}
