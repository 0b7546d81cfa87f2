package tsne

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// join makes the affinities of neighbours: p_ij = (c_j|i + c_i|j) / 2n, the union of both patterns, by rows; by joins
// them.
func join[T float32 | float64](ctx context.Context, near *knn.Lists, perplexity float64,
	by func(k int, c []T, b knn.Blend) (*knn.Joined[T], error)) (j *knn.Joined[T], used, entropy float64, err error) {
	c, k, used, sum, err := conditionals[T](ctx, near, perplexity)
	if err != nil {
		return nil, used, 0, err
	}
	if j, err = by(k, c, knn.Blend{Over: 2 * sum}); err != nil {
		return nil, used, 0, err
	}
	sums := make([]float64, near.N)
	err = par.Blocks(ctx, near.N, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			for _, v := range j.Value[j.Start[i]:j.Start[i+1]] {
				if v > 0 {
					sums[i] += float64(v) * math.Log(float64(v))
				}
			}
		}
	})
	return j, used, Total(sums), err
}
