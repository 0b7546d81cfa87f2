package tsne

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// joined is p_ij = (c_j|i + c_i|j) / 2n, the union of both patterns, by rows.
type joined[T float32 | float64] struct {
	start      []int64
	column     []int32
	value      []T
	perplexity float64
	entropy    float64
}

// join makes the affinities of neighbours, on all cores.
func join[T float32 | float64](ctx context.Context, near *knn.Lists, perplexity float64) (*joined[T], error) {
	n := near.N
	out := &joined[T]{start: make([]int64, n+1)}
	c, k, used, err := conditionals[T](ctx, near, perplexity)
	if out.perplexity = used; err != nil {
		return nil, err
	}
	o, err := knn.NewUnion(ctx, near, k, c)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, n)
	err = par.Blocks(ctx, n, block, func(_, from, to int) {
		var own []uint64
		for i := from; i < to; i++ {
			count, sum := int64(0), 0.0
			own = o.Row(i, own, func(_ int32, mine, theirs float64) {
				count++
				sum += mine + theirs
			})
			out.start[i+1], sums[i] = count, sum
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range n {
		out.start[i+1] += out.start[i]
	}
	sum := total(sums)
	out.column, out.value = make([]int32, out.start[n]), make([]T, out.start[n])
	err = par.Blocks(ctx, n, block, func(_, from, to int) {
		var own []uint64
		for i := from; i < to; i++ {
			at, s := out.start[i], 0.0
			own = o.Row(i, own, func(j int32, mine, theirs float64) {
				v := T((mine + theirs) / sum)
				out.column[at], out.value[at] = j, v
				at++
				if v > 0 {
					s += float64(v) * math.Log(float64(v))
				}
			})
			sums[i] = s
		}
	})
	out.entropy = total(sums)
	return out, err
}
