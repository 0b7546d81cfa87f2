package tsne

import (
	"context"
	"math"

	"blossom/model/base/large"
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
	err = o.Each(ctx, func(i int, row *knn.Row[T]) {
		sum := 0.0
		for e, mine := range row.Mine {
			sum += float64(mine) + float64(row.Theirs[e])
		}
		out.start[i+1], sums[i] = int64(len(row.To)), sum
	})
	if err != nil {
		return nil, err
	}
	for i := range n {
		out.start[i+1] += out.start[i]
	}
	sum := total(sums)
	out.column, out.value = large.Make[int32](int(out.start[n])), large.Make[T](int(out.start[n]))
	err = o.Each(ctx, func(i int, row *knn.Row[T]) {
		at, s := out.start[i], 0.0
		copy(out.column[at:], row.To)
		for e, mine := range row.Mine {
			v := T((float64(mine) + float64(row.Theirs[e])) / sum)
			if out.value[at+int64(e)] = v; v > 0 {
				s += float64(v) * math.Log(float64(v))
			}
		}
		sums[i] = s
	})
	out.entropy = total(sums)
	return out, err
}
