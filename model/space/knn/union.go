package knn

import (
	"context"
	"slices"
	"sync/atomic"

	"blossom/model/base/par"
)

// Union is the graph that joins each point with its first k neighbours and with those whose neighbour it is, with a
// value for each neighbour of a point. Those whose neighbour point i is come in at begin[i]..begin[i+1], as their
// number in the upper half and, in the lower, the place that i has among their neighbours.
type Union[T float32 | float64] struct {
	near  *Lists
	k     int
	value []T
	begin []int64
	in    []uint64
}

// unionBlock is how many points a goroutine takes at a time.
const unionBlock = 32

// NewUnion joins the first k neighbours of all points, whose values are n x k. Who comes in is noted in an order that
// nobody knows, and sorted: the result depends on its input alone. The error is ctx's.
func NewUnion[T float32 | float64](ctx context.Context, near *Lists, k int, value []T) (*Union[T], error) {
	u := &Union[T]{near: near, k: k, value: value}
	n := near.N
	u.begin = make([]int64, n+1)
	next := make([]atomic.Int64, n)
	err := par.Blocks(ctx, n, unionBlock, func(_, from, to int) {
		for i := from; i < to; i++ {
			index, _ := near.Row(i)
			for _, j := range index[:k] {
				next[j].Add(1)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range n {
		u.begin[i+1] = u.begin[i] + next[i].Load()
		next[i].Store(u.begin[i])
	}
	u.in = make([]uint64, u.begin[n])
	err = par.Blocks(ctx, n, unionBlock, func(_, from, to int) {
		for i := from; i < to; i++ {
			index, _ := near.Row(i)
			for slot, j := range index[:k] {
				u.in[next[j].Add(1)-1] = uint64(i)<<32 | uint64(slot)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return u, par.Blocks(ctx, n, unionBlock, func(_, from, to int) {
		for i := from; i < to; i++ {
			slices.Sort(u.in[u.begin[i]:u.begin[i+1]])
		}
	})
}

// Row calls yield for each point j that i is joined with, rising: with the value that j has among the neighbours of i,
// and that of i among those of j, 0 where it is none. own is scratch, and is returned.
func (u *Union[T]) Row(i int, own []uint64, yield func(j int32, mine, theirs float64)) []uint64 {
	index, _ := u.near.Row(i)
	own = own[:0]
	for slot, j := range index[:u.k] {
		own = append(own, uint64(j)<<32|uint64(slot))
	}
	slices.Sort(own)
	mine := func(e uint64) float64 { return float64(u.value[i*u.k+int(uint32(e))]) }
	theirs := func(e uint64) float64 { return float64(u.value[int(e>>32)*u.k+int(uint32(e))]) }
	in := u.in[u.begin[i]:u.begin[i+1]]
	for a, b := 0, 0; a < len(own) || b < len(in); {
		switch {
		case b == len(in) || a < len(own) && own[a]>>32 < in[b]>>32:
			yield(int32(own[a]>>32), mine(own[a]), 0)
			a++
		case a == len(own) || in[b]>>32 < own[a]>>32:
			yield(int32(in[b]>>32), 0, theirs(in[b]))
			b++
		default:
			yield(int32(own[a]>>32), mine(own[a]), theirs(in[b]))
			a, b = a+1, b+1
		}
	}
	return own
}
