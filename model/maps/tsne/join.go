package tsne

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

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

// joining is what is known while rows are joined. Those whose neighbour point i is come in at begin[i]..begin[i+1], as
// their number in the upper half and, in the lower, the place that i has among their neighbours.
type joining[T float32 | float64] struct {
	near  *knn.Lists
	k     int
	c     []T // n x k
	begin []int64
	in    []uint64
}

// join makes the affinities of neighbours, on all cores. Who comes in is noted in an order that nobody knows, and
// sorted: the result depends on its input alone.
func join[T float32 | float64](ctx context.Context, near *knn.Lists, perplexity float64) (*joined[T], error) {
	n := near.N
	out := &joined[T]{start: make([]int64, n+1)}
	c, k, used, err := conditionals[T](ctx, near, perplexity)
	if out.perplexity = used; err != nil {
		return nil, err
	}
	o := &joining[T]{near: near, k: k, c: c}
	if err := o.collect(ctx); err != nil {
		return nil, err
	}
	sums := make([]float64, n)
	err = par.Blocks(ctx, n, block, func(_, from, to int) {
		var own []uint64
		for i := from; i < to; i++ {
			slices.Sort(o.in[o.begin[i]:o.begin[i+1]])
			count, sum := int64(0), 0.0
			own = o.row(i, own, func(_ int32, p float64) {
				count++
				sum += p
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
			own = o.row(i, own, func(j int32, p float64) {
				v := T(p / sum)
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

// collect notes for each point whose neighbour it is.
func (o *joining[T]) collect(ctx context.Context) error {
	n := o.near.N
	o.begin = make([]int64, n+1)
	next := make([]atomic.Int64, n)
	err := par.Blocks(ctx, n, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			index, _ := o.near.Row(i)
			for _, j := range index[:o.k] {
				next[j].Add(1)
			}
		}
	})
	if err != nil {
		return err
	}
	for i := range n {
		o.begin[i+1] = o.begin[i] + next[i].Load()
		next[i].Store(o.begin[i])
	}
	o.in = make([]uint64, o.begin[n])
	return par.Blocks(ctx, n, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			index, _ := o.near.Row(i)
			for slot, j := range index[:o.k] {
				o.in[next[j].Add(1)-1] = uint64(i)<<32 | uint64(slot)
			}
		}
	})
}

// row calls yield for each affinity of point i, columns rising, with c_j|i + c_i|j. own is scratch, and is returned.
func (o *joining[T]) row(i int, own []uint64, yield func(j int32, p float64)) []uint64 {
	index, _ := o.near.Row(i)
	own = own[:0]
	for slot, j := range index[:o.k] {
		own = append(own, uint64(j)<<32|uint64(slot))
	}
	slices.Sort(own)
	mine := func(e uint64) float64 { return float64(o.c[i*o.k+int(uint32(e))]) }
	theirs := func(e uint64) float64 { return float64(o.c[int(e>>32)*o.k+int(uint32(e))]) }
	in := o.in[o.begin[i]:o.begin[i+1]]
	for a, b := 0, 0; a < len(own) || b < len(in); {
		switch {
		case b == len(in) || a < len(own) && own[a]>>32 < in[b]>>32:
			yield(int32(own[a]>>32), mine(own[a]))
			a++
		case a == len(own) || in[b]>>32 < own[a]>>32:
			yield(int32(in[b]>>32), theirs(in[b]))
			b++
		default:
			yield(int32(own[a]>>32), mine(own[a])+theirs(in[b]))
			a, b = a+1, b+1
		}
	}
	return own
}
