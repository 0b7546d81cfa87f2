package landmark

import (
	"cmp"
	"math"
	"slices"
)

// fitNeighbours is how many landmarks a new one is fitted from.
const fitNeighbours = 6

// Fit returns the codebook vector that a landmark put at pos should have: the mean of the nearest
// landmarks on the map with weights ((R-r)/(R r))^2, where r is the distance to each and R that to
// the first one left out (Franke and Little's form of Shepard's interpolation). It passes through
// the landmarks, changes smoothly between them as neighbours come and go, and never leaves their
// range: far outside it tends to the mean of the outermost ones. Without landmarks it is mean.
func (s *Set) Fit(pos, mean []float32) []float32 {
	g := s.Len()
	if g == 0 {
		return slices.Clone(mean)
	}
	type near struct {
		id int
		r  float64
	}
	all := make([]near, g)
	for i := range all {
		r := 0.0
		for c, x := range s.Pos.Row(i) {
			if c < len(pos) {
				r = math.Hypot(r, float64(x)-float64(pos[c]))
			}
		}
		all[i] = near{i, r}
	}
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.r, b.r), cmp.Compare(a.id, b.id))
	})
	k := min(fitNeighbours, g)
	limit := 1.5 * all[k-1].r
	if k < g {
		limit = min(limit, all[k].r)
	}
	weight := make([]float64, k)
	sum := 0.0
	for i := range weight {
		r := all[i].r
		switch {
		case all[0].r <= 1e-9*limit || all[0].r == 0: // on a landmark: it alone, with its duplicates
			if r == all[0].r {
				weight[i] = 1
			}
		default:
			// Relative to the nearest, so that no square can overflow or vanish.
			w := (1 - r/limit) / (r / all[0].r)
			weight[i] = w * w
		}
		sum += weight[i]
	}
	if sum == 0 { // all at one distance, that of the one left out
		for i := range weight {
			weight[i] = 1
		}
		sum = float64(k)
	}
	out := make([]float32, s.Codebook.Cols)
	for c := range out {
		x := 0.0
		for i, w := range weight {
			x += w / sum * float64(s.Codebook.Row(all[i].id)[c])
		}
		out[c] = float32(x)
	}
	return out
}
