package knn

import (
	"context"
	"errors"

	"blossom/model/base/large"
)

// Blend makes the value of a pair of two: what a point gives the other, and what it gets from it; 0 where it gives
// none. With Over they are (a + b) / Over. Without, they are a + b - ab, the union of fuzzy sets, and a pair of which
// that is 0 is left out.
type Blend struct{ Over float64 }

// of is that value; every product and sum is rounded, as on devices.
func (b Blend) of(mine, theirs float64) float64 {
	if b.Over > 0 {
		return (mine + theirs) / b.Over
	}
	return mine + theirs - float64(mine*theirs)
}

// Joined is the graph of a union with blended values, by rows: those of point i are Start[i]..Start[i+1], columns
// rising.
type Joined[T float32 | float64] struct {
	Start  []int64 // n + 1
	Column []int32
	Value  []T
}

// Joiner is a device that joins lists, with the bits of Join. Where it has not the memory for it, its error is ErrRoom.
type Joiner interface {
	Join(ctx context.Context, near *Lists, k int, value []float32, b Blend) (*Joined[float32], error)
}

// ErrRoom is that of a device which has not the memory for something that the processor may have it for.
var ErrRoom = errors.New("the device has not enough memory for it")

// WorthJoining says whether there are so many neighbours that they are worth the way to a device and back.
func WorthJoining(near *Lists) bool { return len(near.Index) >= 1<<20 }

// JoinBy is Join by a device, where there is one (nil: there is none) that has the memory for it, and enough to do.
func JoinBy(ctx context.Context, by Joiner, near *Lists, k int, value []float32, b Blend) (*Joined[float32], error) {
	if by != nil && WorthJoining(near) {
		j, err := by.Join(ctx, near, k, value, b)
		if !errors.Is(err, ErrRoom) {
			return j, err
		}
	}
	return Join(ctx, near, k, value, b)
}

// Join makes the graph in which each point is joined with its first k neighbours, whose values are n x k, and with
// those whose neighbour it is, on all cores. The error is ctx's.
func Join[T float32 | float64](ctx context.Context, near *Lists, k int, value []T, b Blend) (*Joined[T], error) {
	u, err := NewUnion(ctx, near, k, value)
	if err != nil {
		return nil, err
	}
	each := func(see func(i, at int, j int32, v T)) error {
		return u.Each(ctx, func(i int, row *Row[T]) {
			at := 0
			for e, j := range row.To {
				if v := T(b.of(float64(row.Mine[e]), float64(row.Theirs[e]))); v > 0 || b.Over > 0 {
					see(i, at, j, v)
					at++
				}
			}
		})
	}
	out := &Joined[T]{Start: make([]int64, near.N+1)}
	if err := each(func(i, _ int, _ int32, _ T) { out.Start[i+1]++ }); err != nil {
		return nil, err
	}
	out.open()
	return out, each(func(i, at int, j int32, v T) {
		out.Column[out.Start[i]+int64(at)], out.Value[out.Start[i]+int64(at)] = j, v
	})
}

// open makes room for rows whose lengths are in Start, one place on.
func (j *Joined[T]) open() {
	for i := range len(j.Start) - 1 {
		j.Start[i+1] += j.Start[i]
	}
	all := int(j.Start[len(j.Start)-1])
	j.Column, j.Value = large.Make[int32](all), large.Make[T](all)
}

// Rows makes a graph whose rows have so many pairs, which are still to be filled in.
func Rows(lengths []int32) *Joined[float32] {
	j := &Joined[float32]{Start: make([]int64, len(lengths)+1)}
	for i, n := range lengths {
		j.Start[i+1] = int64(n)
	}
	j.open()
	return j
}
