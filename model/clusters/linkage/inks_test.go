package linkage

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A cut that moves over the merges of one height changes the colours of what parts there alone, and of that the largest
// part keeps it; the clusters of a line have different colours as long as there are enough.
func TestInksStayWithTheirClusters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, s := drawnSkyline(t, 2)
		least := rapid.IntRange(1, 4).Draw(t, "least")
		number := rapid.SampledFrom([]int{3, 7, 48}).Draw(t, "colours")
		x := s.Inks(least, number)
		levels := append([]float64{-1}, slices.Compact(heights(z))...)
		slices.Reverse(levels)
		most, above := 0, (*Flat)(nil)
		for _, next := range levels { // from the top down
			below := s.Cut(next, least)
			are := x.Of(below, len(below.Clusters))
			if most = max(most, len(are)); most <= number {
				used := map[byte]bool{}
				for _, k := range []byte(are) {
					if used[k] || int(k) >= number {
						t.Fatalf("colours %v of %d at %g", []byte(are), number, next)
					}
					used[k] = true
				}
			}
			if above == nil {
				above = below
				continue
			}
			were := x.Of(above, len(above.Clusters))
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
					if part.From >= c.From && part.To <= c.To && part.Size() == size && are[j] == were[i] {
						kept = true
					}
				}
				if !kept {
					t.Fatalf("%v had colour %d above %g; there are %v with %v", c, were[i], next, below.Clusters,
						[]byte(are))
				}
			}
			above = below
		}
	})
}

// Clusters that begin at heights of their own have different colours too.
func TestInksOfWhatPersists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawnSkyline(t, 2)
		f := s.Persistent(2)
		inks := s.Inks(2, 48).Of(f, len(f.Clusters))
		used := map[byte]bool{}
		for _, k := range []byte(inks) {
			used[k] = true
		}
		if len(inks) != len(f.Clusters) || len(used) != min(len(inks), 48) {
			t.Fatalf("colours %v of %d clusters", []byte(inks), len(f.Clusters))
		}
	})
}
