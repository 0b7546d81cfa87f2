package linkage

import (
	"cmp"
	"context"
	"slices"
)

// Noise orders edges of equal weight at random.
func (e Edge) Noise(seed uint64) uint64 {
	h := seed ^ uint64(e.I)<<32 ^ uint64(e.J)
	for range 2 {
		h = (h ^ h>>31) * 0x9e3779b97f4a7c15
	}
	return h ^ h>>29
}

// Forest is what Holding.Forest returns, of n places, by sorting (J. Kruskal, 1956). The error is ctx's.
func Forest(ctx context.Context, n int, edges []Edge, seed uint64) ([]Edge, error) {
	sorted := slices.Clone(edges)
	slices.SortStableFunc(sorted, func(x, y Edge) int {
		return cmp.Or(cmp.Compare(x.W, y.W), cmp.Compare(x.Noise(seed), y.Noise(seed)))
	})
	return kruskal(ctx, newSets(n), sorted, nil, make([]Edge, 0, max(0, n-1)))
}
