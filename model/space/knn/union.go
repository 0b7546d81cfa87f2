package knn

import (
	"context"
	"math/bits"
	"slices"

	"blossom/model/base/large"
	"blossom/model/base/par"
)

// Union is the graph that joins each point with its first k neighbours and with those whose neighbour it is, with a
// value for each neighbour of a point. Points of a group, which follow each other, are looked at together: who has
// one of them as a neighbour is put there once, in the order of all points, so that memory is read as it lies.
type Union[T float32 | float64] struct {
	near  *Lists
	k     int
	value []T // n x k
	shift int // a group has so many points, as a power of two

	begin []int64  // where those of each group begin
	from  []int32  // whose neighbour a point of the group is
	to    []uint16 // which of the group that is
	with  []T      // and its value
}

// How many points a group has, as powers of two, and how many ranges of points are put into groups side by side.
const (
	leastGroup, mostGroup = 5, 12
	unionRanges           = 64
)

// NewUnion joins the first k neighbours of all points, whose values are n x k. The error is ctx's.
func NewUnion[T float32 | float64](ctx context.Context, near *Lists, k int, value []T) (*Union[T], error) {
	n := near.N
	u := &Union[T]{near: near, k: k, value: value, shift: min(mostGroup, max(leastGroup, bits.Len(uint(n/256))))}
	groups, size := u.groups(), (n+unionRanges-1)/unionRanges
	next := make([][]int64, par.Count(n, max(1, size))) // by range: where its next of each group comes
	err := par.Blocks(ctx, n, size, func(r, from, to int) {
		count := make([]int64, groups)
		for i := from; i < to; i++ {
			index, _ := near.Row(i)
			for _, j := range index[:k] {
				count[j>>u.shift]++
			}
		}
		next[r] = count
	})
	if err != nil {
		return nil, err
	}
	u.begin = make([]int64, groups+1)
	at := int64(0)
	for g := range groups {
		u.begin[g] = at
		for _, count := range next {
			count[g], at = at, at+count[g]
		}
	}
	u.begin[groups] = at
	u.from, u.to, u.with = large.Make[int32](int(at)), large.Make[uint16](int(at)), large.Make[T](int(at))
	return u, par.Blocks(ctx, n, size, func(r, from, to int) {
		next := next[r]
		for i := from; i < to; i++ {
			index, _ := near.Row(i)
			for slot, j := range index[:k] {
				at := next[j>>u.shift]
				next[j>>u.shift]++
				u.from[at], u.to[at], u.with[at] = int32(i), uint16(j&(1<<u.shift-1)), value[i*k+slot]
			}
		}
	})
}

func (u *Union[T]) groups() int { return (u.near.N + 1<<u.shift - 1) >> u.shift }

// Row is those that a point is joined with, rising: with the value that each has among the neighbours of the point, and
// that of the point among theirs, 0 where it is none.
type Row[T float32 | float64] struct {
	To           []int32
	Mine, Theirs []T
}

func (r *Row[T]) add(to int32, mine, theirs T) {
	r.To, r.Mine, r.Theirs = append(r.To, to), append(r.Mine, mine), append(r.Theirs, theirs)
}

// Each calls do for all points, from several goroutines. The row is its own until it returns. The error is ctx's.
func (u *Union[T]) Each(ctx context.Context, do func(i int, row *Row[T])) error {
	return par.Blocks(ctx, u.groups(), 1, func(g, _, _ int) {
		var row Row[T]
		var own []uint64
		start, from, with := u.group(g)
		first := g << u.shift
		for i := first; i < min(u.near.N, first+1<<u.shift); i++ {
			a, b := start[i-first], start[i-first+1]
			own = u.row(i, from[a:b], with[a:b], own, &row)
			do(i, &row)
		}
	})
}

// group sorts who has each point of a group as a neighbour: those of the point p of it are from start[p] to start[p+1],
// in the order in which they came, that of all points.
func (u *Union[T]) group(g int) (start []int32, from []int32, with []T) {
	a, b := u.begin[g], u.begin[g+1]
	start = make([]int32, 1<<u.shift+1)
	for _, p := range u.to[a:b] {
		start[p+1]++
	}
	for p := range 1 << u.shift {
		start[p+1] += start[p]
	}
	next := slices.Clone(start)
	from, with = make([]int32, b-a), make([]T, b-a)
	for e := a; e < b; e++ {
		p := u.to[e]
		from[next[p]], with[next[p]] = u.from[e], u.with[e]
		next[p]++
	}
	return start, from, with
}

// row joins the neighbours of a point with those, rising, whose neighbour it is. own is scratch, and is returned.
func (u *Union[T]) row(i int, from []int32, with []T, own []uint64, row *Row[T]) []uint64 {
	index, _ := u.near.Row(i)
	own = own[:0]
	for slot, j := range index[:u.k] {
		own = append(own, uint64(j)<<32|uint64(slot))
	}
	own = rising(own)
	row.To, row.Mine, row.Theirs = row.To[:0], row.Mine[:0], row.Theirs[:0]
	b := 0
	for _, e := range own {
		to, mine := int32(e>>32), u.value[i*u.k+int(uint32(e))]
		for ; b < len(from) && from[b] < to; b++ {
			row.add(from[b], 0, with[b])
		}
		theirs := T(0)
		if b < len(from) && from[b] == to {
			theirs = with[b]
			b++
		}
		row.add(to, mine, theirs)
	}
	for ; b < len(from); b++ {
		row.add(from[b], 0, with[b])
	}
	return own
}

// rising sorts keys by their upper halves, then the lower: into as many bins as there are keys, about, and then those
// that fell into the same. Where all fall into a few that is slower than any other way, but not by much.
func rising(keys []uint64) []uint64 {
	const most = 256
	if len(keys) < 24 || len(keys) > most {
		slices.Sort(keys)
		return keys
	}
	low, high := keys[0], keys[0]
	for _, k := range keys {
		low, high = min(low, k), max(high, k)
	}
	low >>= 32
	scale := uint64(most<<32-1) / (high>>32 - low + 1) // so that the highest is in the last bin
	var begin [most + 1]uint16
	bin := func(k uint64) uint64 { return (k>>32 - low) * scale >> 32 }
	for _, k := range keys {
		begin[bin(k)+1]++
	}
	for b := range most {
		begin[b+1] += begin[b]
	}
	var sorted [most]uint64
	for _, k := range keys {
		b := bin(k)
		sorted[begin[b]] = k
		begin[b]++
	}
	for i := range keys {
		k, j := sorted[i], i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
	return keys
}
