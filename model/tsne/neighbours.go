package tsne

import (
	"context"
	"sort"

	"blossom/model/internal/par"
	"blossom/model/matrix"
)

// Neighbours are the k nearest other points of each of n points, nearest first, ties to the lower index.
type Neighbours struct {
	N, K     int
	Index    []int32   // n x k
	Distance []float64 // n x k, squared
}

// Nearest finds the k nearest others of each row of x (n x d, finite) by comparing all pairs; k is n-1 at most. The
// error is ctx's.
func Nearest(ctx context.Context, x matrix.Matrix32, k int) (*Neighbours, error) {
	n := x.Rows
	k = max(0, min(k, n-1))
	out := &Neighbours{N: n, K: k, Index: make([]int32, n*k), Distance: make([]float64, n*k)}
	if k == 0 {
		return out, ctx.Err()
	}
	err := par.Blocks(ctx, n, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			out.find(x, i)
		}
	})
	return out, err
}

// find fills row i: a list that stays sorted, into which few candidates get once it is full.
func (o *Neighbours) find(x matrix.Matrix32, i int) {
	at, dist := o.Index[i*o.K:(i+1)*o.K], o.Distance[i*o.K:(i+1)*o.K]
	have := 0
	own := x.Row(i)
	for j := range o.N {
		if j == i {
			continue
		}
		d := 0.0
		for c, v := range x.Row(j) {
			e := float64(own[c]) - float64(v)
			d += e * e
		}
		if have == o.K && d >= dist[have-1] {
			continue
		}
		to := sort.Search(have, func(k int) bool { return dist[k] > d })
		have = min(have+1, o.K)
		copy(at[to+1:have], at[to:have-1])
		copy(dist[to+1:have], dist[to:have-1])
		at[to], dist[to] = int32(j), d
	}
}
