package tsne

import (
	"context"
	"errors"
	"math"

	"blossom/model/base/large"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// Affinities are p_ij, symmetric, with sum 1 and no diagonal, by rows: those of point i are Start[i]..Start[i+1],
// columns rising.
type Affinities struct {
	N      int
	Start  []int64
	Column []int32
	Value  []float64
	// Perplexity is the one that was used: that which was asked for, or what so few points allow.
	Perplexity float64
	// Entropy is the sum of p ln p.
	Entropy float64
}

// Allowed returns the perplexity that n points allow, (n-1)/3 at most, and how many neighbours it takes.
func Allowed(n int, perplexity float64) (used float64, k int) {
	used, k = perplexity, int(math.Floor(3*perplexity))
	if most := max(0, float64(n-1)/3); !(used <= most) {
		used, k = most, n-1
	}
	return used, max(0, min(k, n-1))
}

// Affine finds the affinities of the rows of x (finite) at this perplexity, by all pairs. The error is ctx's.
func Affine(ctx context.Context, x matrix.Matrix32, perplexity float64) (*Affinities, error) {
	_, k := Allowed(x.Rows, perplexity)
	near, err := knn.Of(ctx, x, k)
	if err != nil {
		return nil, err
	}
	return AffinitiesOf(ctx, near, perplexity)
}

// AffinitiesOf finds the affinities at this perplexity among the neighbours of n points, all valid, that were found for
// it or for a larger one. The error is ctx's.
func AffinitiesOf(ctx context.Context, near *knn.Lists, perplexity float64) (*Affinities, error) {
	j, used, entropy, err := join(ctx, near, perplexity, func(k int, c []float64, b knn.Blend) (*knn.Joined[float64],
		error) {
		return knn.Join(ctx, near, k, c, b)
	})
	if err != nil {
		return nil, err
	}
	return &Affinities{N: near.N, Start: j.Start, Column: j.Column, Value: j.Value, Perplexity: used,
		Entropy: entropy}, nil
}

// Joiner is a device that joins lists, and makes affinities of them: those of SparseOf, with the same bits, but that
// their entropy may be off by some units of the last place. Where it has not the memory for it, its error is
// knn.ErrRoom.
type Joiner interface {
	knn.Joiner
	Affinities(ctx context.Context, near *knn.Lists, perplexity float64) (*Sparse, error)
}

// SparseOf is AffinitiesOf in float32, as devices take them. by, if it is not nil, makes what it has the memory for.
func SparseOf(ctx context.Context, near *knn.Lists, perplexity float64, by Joiner) (*Sparse, error) {
	if by != nil && knn.WorthJoining(near) {
		p, err := by.Affinities(ctx, near, perplexity)
		if !errors.Is(err, knn.ErrRoom) {
			return p, err
		}
	}
	j, used, entropy, err := join(ctx, near, perplexity, func(k int, c []float32, b knn.Blend) (*knn.Joined[float32],
		error) {
		return knn.Join(ctx, near, k, c, b)
	})
	if err != nil {
		return nil, err
	}
	return &Sparse{N: near.N, Start: j.Start, Column: j.Column, Value: j.Value, Perplexity: used, Entropy: entropy}, nil
}

// conditionals returns c_j|i of the k nearest of each point (n x k), the perplexity that they have, and their sum.
func conditionals[T float32 | float64](ctx context.Context, near *knn.Lists, perplexity float64) (c []T, k int,
	used, sum float64, err error) {
	used, k = Allowed(near.N, perplexity)
	k = min(k, near.K)
	c = large.Make[T](near.N * k)
	sums := make([]float64, near.N)
	err = par.Blocks(ctx, near.N, block, func(_, from, to int) {
		d, out := make([]float64, k), make([]float64, k)
		for i := from; i < to; i++ {
			_, beyond := near.Row(i)
			for j := range d { // in any unit: only beta has one
				d[j], out[j] = float64(beyond[j]), 1/float64(near.N-1)
			}
			if near.N > 4 {
				Conditional(d, used, out)
			}
			for j, v := range out {
				c[i*k+j] = T(v)
				sums[i] += float64(T(v))
			}
		}
	})
	return c, k, used, Total(sums), err
}
