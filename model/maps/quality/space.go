package quality

import (
	"context"
	"sync"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// SampleSize is how many points are measured among each other where there are more: the standard error is then about
// 0.004, and half a second is enough.
const SampleSize = 2500

// MostMeasured is the largest number of points that a Space may have.
const MostMeasured = 1 << 16

// Space is a sample of points, with the order of all others by their distance from each in the space. It is all that
// does not change while a map is changed; measuring a map of it costs a tenth of making it. It is immutable.
type Space struct {
	Points []int32 // which points of x, rising
	Of     int     // the points of x that have a place
	X      matrix.Matrix32
	near   []uint16 // n x n-1: the others, nearest first
}

// Work says how a measure is computed. The zero value takes all cores.
type Work struct {
	Threads int    // at most so many goroutines; 0: as many as there are cores
	Pause   func() // called again and again by each of them, to leave the machine to others; nil: nothing
	// Progress is told how much is done, from several goroutines; nil: nobody is.
	Progress func(done, total int64)
	// Find looks for neighbours, as knn.Finder.Others of a device that holds x; nil: in float64 on the cores.
	Find func(ctx context.Context, x matrix.Matrix32, q knn.Query, out *knn.Lists) error
	// Sample is an order by chance of some points, for Among where they are more than Exact: the first are asked for
	// their neighbours, and ranks are counted among the first Ranked; nil: the points are in such an order.
	Sample []int32

	done, total int64 // progress of a work in parts, told as one
}

// report tells how much of the present part is done.
func (w *Work) report(done int64) {
	if w.Progress != nil && done%16 == 0 {
		w.Progress(w.done+done, w.total)
	}
}

// neighbours finds those that q asks for among x, and counts them as done.
func (w *Work) neighbours(ctx context.Context, x matrix.Matrix32, q knn.Query) (*knn.Lists, error) {
	find := w.Find
	if find == nil {
		find = knn.Search
	}
	q.Threads = w.Threads
	q.Progress = func(done, _ int64) {
		if w.Progress != nil {
			w.Progress(w.done+done, w.total)
		}
		if w.Pause != nil {
			w.Pause()
		}
	}
	out := knn.NewLists(x, q)
	err := find(ctx, x, q, out)
	w.done += int64(out.N)
	return out, err
}

// NewSpace takes the first size points of x (n x d) that are finite: the points of a map are in an order by chance,
// so that they are a fair sample. The error is ctx's.
func NewSpace(ctx context.Context, x matrix.Matrix32, size int, w Work) (*Space, error) {
	s := &Space{}
	size = min(size, MostMeasured)
	for i := range x.Rows {
		if !finite(x.Row(i)) {
			continue
		}
		if s.Of++; len(s.Points) < size {
			s.Points = append(s.Points, int32(i))
		}
	}
	n := len(s.Points)
	s.X = matrix.New(n, x.Cols)
	for at, i := range s.Points {
		copy(s.X.Row(at), x.Row(int(i)))
	}
	if n < 2 {
		return s, ctx.Err()
	}
	s.near = make([]uint16, n*(n-1))
	err := w.ranked(ctx, n, func(r *ranker, i int) {
		xi := s.X.Row(i)
		for j := range n {
			r.far[j] = distance2(xi, s.X.Row(j))
		}
		row := s.near[i*(n-1):]
		for at, k := range r.order(n, i) {
			row[at] = uint16(k)
		}
	})
	return s, err
}

// Len is the number of points of the sample.
func (s *Space) Len() int { return len(s.Points) }

// Gather takes the positions of the sample's points out of those of all, dims for each.
func (s *Space) Gather(pos []float32, dims int, out []float32) []float32 {
	out = out[:0]
	for _, i := range s.Points {
		out = append(out, pos[int(i)*dims:(int(i)+1)*dims]...)
	}
	return out
}

// ranked calls do for every point, each goroutine with a ranker of its own.
func (w Work) ranked(ctx context.Context, n int, do func(r *ranker, i int)) error {
	rankers := sync.Pool{New: func() any { return newRanker(n) }}
	return w.each(ctx, n, func(i int) {
		r := rankers.Get().(*ranker)
		do(r, i)
		rankers.Put(r)
	})
}

// each calls do for every number below n.
func (w Work) each(ctx context.Context, n int, do func(i int)) error {
	const block = 16
	work := func(_, from, to int) {
		for i := from; i < to && ctx.Err() == nil; i++ {
			do(i)
		}
		if w.Pause != nil {
			w.Pause()
		}
	}
	var err error
	if w.Threads > 0 {
		err = par.On(ctx, w.Threads, n, block, work)
	} else {
		err = par.Blocks(ctx, n, block, work)
	}
	if err == nil {
		err = ctx.Err() // a block may have been left
	}
	return err
}
