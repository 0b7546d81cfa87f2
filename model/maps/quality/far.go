package quality

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// Far says how many points lie far from all landmarks, where the map says little of them: it has no landmark there.
//
// A point is far if its squared distance D^2 to the nearest landmark is more than N + B^2. B is the widest gap that is
// usual between landmarks: Q3 + 1.5 (Q3 - Q1) of the distances from each landmark to the nearest one that lies
// elsewhere (Tukey, "Exploratory Data Analysis", 1977). N is what points stand off the landmarks by for mere noise in
// all dimensions, which is no fault of the map and may be more than all gaps: the median of D^2 over the sample and 3
// times 1.4826 times the median of |D^2 - median| (three deviations of normal values). Both are robust against a large
// minority that is far.
type Far struct {
	Share float64 // share of the points; NaN where there are fewer than three places of landmarks, or no points
	Bound float64 // the distance beyond which a point is far
}

// mostGaps is of how many landmarks the nearest other one is looked for, evenly among all.
const mostGaps = 512

// Far measures the sample's points against a codebook (g x d). The error is ctx's.
func (s *Space) Far(ctx context.Context, codebook matrix.Matrix32, w Work) (Far, error) {
	none := Far{math.NaN(), math.NaN()}
	if s.Len() == 0 || codebook.Cols != s.X.Cols {
		return none, ctx.Err()
	}
	step := max(1, codebook.Rows/mostGaps)
	gaps := make([]float64, (codebook.Rows+step-1)/step)
	if err := w.each(ctx, len(gaps), func(i int) {
		gaps[i] = math.Inf(1)
		for j := range codebook.Rows {
			if d := distance2(codebook.Row(i*step), codebook.Row(j)); d > 0 && d < gaps[i] {
				gaps[i] = d
			}
		}
	}); err != nil {
		return none, err
	}
	far := make([]float64, s.Len())
	if err := w.each(ctx, len(far), func(i int) {
		far[i] = math.Inf(1)
		for j := range codebook.Rows {
			far[i] = min(far[i], distance2(s.X.Row(i), codebook.Row(j)))
		}
	}); err != nil {
		return none, err
	}
	gaps = slices.DeleteFunc(gaps, func(d float64) bool { return math.IsInf(d, 1) })
	if len(gaps) < 3 {
		return none, nil
	}
	for i, d := range gaps {
		gaps[i] = math.Sqrt(d)
	}
	slices.SortFunc(gaps, cmp.Compare)
	low, high := quantile(gaps, 0.25), quantile(gaps, 0.75)
	gap := high + 1.5*(high-low)
	sorted := slices.Clone(far)
	slices.SortFunc(sorted, cmp.Compare)
	middle := quantile(sorted, 0.5)
	for i, d := range sorted {
		sorted[i] = math.Abs(d - middle)
	}
	slices.SortFunc(sorted, cmp.Compare)
	bound, count := gap*gap+middle+3*1.4826*quantile(sorted, 0.5), 0
	for _, d := range far {
		if d > bound {
			count++
		}
	}
	return Far{float64(count) / float64(len(far)), math.Sqrt(bound)}, nil
}

// quantile is between the values at its sides, of sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-2)
	if i < 0 {
		return sorted[0]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
