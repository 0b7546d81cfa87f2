package landmark

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
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
	all := s.nearest(pos, min(fitNeighbours+1, g))
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

// near is a landmark and how far it is.
type near struct {
	id int
	r  float64
}

// nearest returns the k landmarks nearest to pos on the map, ties in the order of landmarks.
func (s *Set) nearest(pos []float32, k int) []near {
	found := make([]near, 0, k+1)
	for i := range s.Len() {
		r := 0.0
		for c, x := range s.Pos.Row(i) {
			if c < len(pos) {
				r = math.Hypot(r, float64(x)-float64(pos[c]))
			}
		}
		if len(found) == k && r >= found[k-1].r {
			continue
		}
		at := len(found)
		for at > 0 && r < found[at-1].r {
			at--
		}
		found = slices.Insert(found, at, near{i, r})
		found = found[:min(len(found), k)]
	}
	return found
}

// FitAll is Fit for each row of pos, on all cores; the same whatever their number. The error is ctx's.
func (s *Set) FitAll(ctx context.Context, pos matrix.Matrix32, mean []float32) (matrix.Matrix32, error) {
	cols := len(mean)
	if s.Len() > 0 {
		cols = s.Codebook.Cols
	}
	code := matrix.New(pos.Rows, cols)
	err := par.Blocks(ctx, pos.Rows, 16, func(_, from, to int) {
		for i := from; i < to; i++ {
			copy(code.Row(i), s.Fit(pos.Row(i), mean))
		}
	})
	return code, err
}
