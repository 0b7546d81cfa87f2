package linkage

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A cut that moves over the merges of one height changes the badges of what parts there alone, and of that the largest
// part keeps it; the clusters of a line have different numbers, no larger than there were ever clusters above, and
// different colours as long as there are enough.
func TestBadgesStayWithTheirClusters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, s := drawnSkyline(t, 2)
		least := rapid.IntRange(1, 4).Draw(t, "least")
		number := rapid.SampledFrom([]int{3, 7, 48}).Draw(t, "colours")
		x := s.Badges(least, number)
		levels := append([]float64{-1}, slices.Compact(heights(z))...)
		slices.Reverse(levels)
		most, above := 0, (*Flat)(nil)
		for _, next := range levels { // from the top down
			below := s.Cut(next, least)
			are, numbers := x.Inks(below, len(below.Clusters)), x.Numbers(below, len(below.Clusters))
			if most = max(most, len(are)); most <= number {
				used := map[byte]bool{}
				for _, k := range []byte(are) {
					if used[k] || int(k) >= number {
						t.Fatalf("colours %v of %d at %g", []byte(are), number, next)
					}
					used[k] = true
				}
			}
			seen := map[int]bool{}
			for _, k := range numbers {
				if seen[k] || k < 1 || k > most {
					t.Fatalf("numbers %v at %g, where there were at most %d clusters", numbers, next, most)
				}
				seen[k] = true
			}
			if above == nil {
				above = below
				continue
			}
			were, had := x.Inks(above, len(above.Clusters)), x.Numbers(above, len(above.Clusters))
			for i, c := range above.Clusters {
				larger := -1 // the first by size of its parts
				for j, part := range below.Clusters {
					if part.From >= c.From && part.To <= c.To && larger < 0 {
						larger = j
					}
				}
				if larger < 0 {
					continue // its parts are too small
				}
				size, kept := below.Clusters[larger].Size(), false
				for j, part := range below.Clusters {
					if part.From >= c.From && part.To <= c.To && part.Size() == size && are[j] == were[i] &&
						numbers[j] == had[i] {
						kept = true
					}
				}
				if !kept {
					t.Fatalf("%v had colour %d and number %d above %g; there are %v with %v and %v", c, were[i], had[i],
						next, below.Clusters, []byte(are), numbers)
				}
			}
			above = below
		}
	})
}

// Clusters that begin at heights of their own have different badges too.
func TestBadgesOfWhatPersists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawnSkyline(t, 2)
		f := s.Persistent(2)
		x := s.Badges(2, 48)
		inks, numbers := x.Inks(f, len(f.Clusters)), x.Numbers(f, len(f.Clusters))
		slices.Sort(numbers)
		if len(slices.Compact(numbers)) != len(f.Clusters) {
			t.Fatalf("numbers %v of %d clusters", numbers, len(f.Clusters))
		}
		used := map[byte]bool{}
		for _, k := range []byte(inks) {
			used[k] = true
		}
		if len(inks) != len(f.Clusters) || len(used) != min(len(inks), 48) {
			t.Fatalf("colours %v of %d clusters", []byte(inks), len(f.Clusters))
		}
	})
}
