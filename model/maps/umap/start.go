package umap

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/maps/places"
	"blossom/model/space/pca"
)

// How a map begins: along each axis from 0 to the width, of which so many points at either end are left out, as a part
// of all and at least one where there are some; what lies beyond is brought to an edge. Noise parts what coincides; an
// axis without extent is all noise.
const (
	startWidth = 10.0
	startOut   = 0.005
	startSome  = 8
	startEdge  = startWidth / 4
	startNoise = 1e-4
	emptyNoise = 1.0
	startBlock = 4096 // points that a goroutine places at a time
)

// PCAStart puts the points of x (n x d, finite) on their first principal components, with noise of this seed. The error
// is a problem.Problem, or ctx's.
func PCAStart(ctx context.Context, x matrix.Matrix32, dims int, seed uint64) ([]float32, error) {
	y, err := components(ctx, x, dims)
	if err != nil {
		return nil, err
	}
	return stretched(y, dims, seed), nil
}

// components are the points of x on their first principal components.
func components(ctx context.Context, x matrix.Matrix32, dims int) ([]float64, error) {
	axes, err := pca.Fit(ctx, places.Sample(x), nil)
	if err != nil {
		return nil, err
	}
	out := make([]float32, x.Rows*dims)
	if err := axes.Project(x, dims, out, 0, x.Rows); err != nil {
		return nil, err
	}
	return widen(out), nil
}

func widen(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// stretched brings each axis to the width of a start, and adds noise. A single point is at the origin.
func stretched(y []float64, dims int, seed uint64) []float32 {
	n := len(y) / dims
	out := make([]float32, len(y))
	if n < 2 {
		return out
	}
	spans := make([]span, dims)
	whole := context.Background() // a start is made in no time
	_ = par.Blocks(whole, dims, 1, func(c, _, _ int) { spans[c] = spanOf(y, dims, c) })
	_ = par.Blocks(whole, n, startBlock, func(_, from, to int) {
		for at := from * dims; at < to*dims; at++ {
			out[at] = float32(spans[at%dims].place(y[at]) + spans[at%dims].noise*places.Normal(seed, 0, uint64(at)))
		}
	})
	return out
}

// span is how an axis is brought to the width of a start.
type span struct{ lo, scale, noise float64 }

// spanOf finds that of an axis of y.
func spanOf(y []float64, dims, axis int) span {
	sorted := make([]float64, len(y)/dims)
	for i := range sorted {
		sorted[i] = y[i*dims+axis]
	}
	slices.Sort(sorted)
	lo, hi := ends(sorted)
	if !(hi-lo > 1e-9*max(math.Abs(lo), math.Abs(hi), 1e-300)) {
		return span{lo, 0, emptyNoise}
	}
	return span{lo, startWidth / (hi - lo), startNoise}
}

// place is where a value goes.
func (s span) place(v float64) float64 {
	if s.scale == 0 {
		return startWidth / 2
	}
	return max(-startEdge, min(startWidth+startEdge, (v-s.lo)*s.scale))
}

// ends are the least and the largest of sorted values, without those that are left out, unless nothing else differs.
func ends(sorted []float64) (lo, hi float64) {
	n := len(sorted)
	out := int(startOut * float64(n))
	if n >= startSome {
		out = max(out, 1)
	}
	if lo, hi = sorted[out], sorted[n-1-out]; lo == hi {
		lo, hi = sorted[0], sorted[n-1]
	}
	return lo, hi
}

// RandomStart puts n points anywhere within the width of a start.
func RandomStart(n, dims int, seed uint64) []float32 {
	y := make([]float32, n*dims)
	if n < 2 {
		return y
	}
	for c := range y {
		y[c] = float32(startWidth * (float64(places.Mix(places.Mix(seed)^uint64(c))>>11) / (1 << 53)))
	}
	return y
}

// MapStart makes a start of another map (n x dims, finite) of these points: as large as starts are, with noise.
func MapStart(places []float32, dims int, seed uint64) []float32 {
	return stretched(widen(places), dims, seed)
}
