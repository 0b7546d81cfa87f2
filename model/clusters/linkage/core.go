package linkage

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// nearLists is how many neighbours are asked for at a time.
const nearLists = 1 << 24

// findCores finds how far each point is from the MinSamples-th nearest other leaf, in float64.
func (p *points) findCores(ctx context.Context, o Options) error {
	if o.Near != nil && p.metric == Euclidean {
		if err := p.askCores(ctx, o, nearLists); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	return p.seekCores(ctx, o)
}

// askCores has a device find them: Euclidean weights are the roots of the same sums that it sorts by.
func (p *points) askCores(ctx context.Context, o Options, lists int) error {
	core, k := make([]float64, p.n), o.MinSamples
	for size, from := max(1, lists/k), 0; from < p.n; from += size {
		some := make([]int32, min(size, p.n-from))
		for i := range some {
			some[i] = p.rowOf(p.leaf(int32(from + i)))
		}
		q := knn.Query{K: k, Points: some, Threads: o.Threads}
		if o.Report != nil {
			q.Progress = func(done, _ int64) { o.Report("cores", int64(from)+done, int64(p.n)) }
		}
		l := knn.NewLists(p.x, q)
		if err := o.Near.Others(ctx, q, l); err != nil {
			return err
		}
		for i, row := range some {
			near, _ := l.Row(i)
			core[from+i] = p.metric.weight(p.x.Row(int(row)), p.x.Row(int(near[k-1])), 0, 0)
		}
	}
	p.core = core
	return nil
}

// seekCores finds them in plain Go, for any metric: the points in blocks, of which those are passed over whose centre,
// less their radius, is farther away than the neighbour sought so far.
func (p *points) seekCores(ctx context.Context, o Options) error {
	many := make([]int32, p.n) // leaves that are equal to the point, itself too
	for i := range many {
		many[i] = 1
	}
	if p.first != nil {
		for leaf, f := range p.first {
			if int(f) != leaf {
				at, _ := p.pointOf(f)
				many[at]++
			}
		}
	}
	b, err := p.bounded(ctx, o.Threads)
	if err != nil {
		return err
	}
	core := make([]float64, p.n)
	var done atomic.Int64
	err = par.On(ctx, o.Threads, p.n, BlockSize, func(own, from, to int) {
		near, row := newNearest(o.MinSamples), make([]float64, p.x.Cols)
		order, gaps := b.about(own)
		for _, i := range b.ids[from:to] {
			if ctx.Err() != nil {
				return
			}
			p.values(i, row)
			near.reset()
			near.add(0, int(many[i])-1)
			for _, at := range order {
				within := b.within(near.worst())
				if gaps[at] > within {
					break
				}
				if b.apart(row, b.centre(int(at)))*b.less-b.radius[at] <= within {
					p.compare(i, b.in(int(at)), many, near)
				}
			}
			core[i] = near.worst()
		}
		if o.Report != nil {
			o.Report("cores", done.Add(int64(to-from)), int64(p.n))
		}
	})
	if err == nil {
		err = ctx.Err() // in the last block of a single thread
	}
	if err != nil {
		return err
	}
	p.core = core
	return nil
}

// compare shows near how far other points are from point i.
func (p *points) compare(i int32, others, many []int32, near *nearest) {
	x, nx := p.row(i), p.normOf(i)
	for ; len(others) >= 4; others = others[4:] {
		var y [4][]float32
		var ny [4]float64
		for k := range y {
			y[k], ny[k] = p.row(others[k]), p.normOf(others[k])
		}
		for k, w := range p.metric.weights(x, &y, nx, &ny) {
			if at := others[k]; at != i && w < near.worst() {
				near.add(w, int(many[at]))
			}
		}
	}
	for _, at := range others {
		if at != i {
			near.add(p.plain(i, at), int(many[at]))
		}
	}
}

// nearest are the k smallest numbers seen, ascending.
type nearest struct {
	k    int
	list []float64
}

func newNearest(k int) *nearest { return &nearest{k, make([]float64, 0, k+1)} }

func (n *nearest) reset() { n.list = n.list[:0] }

// worst is the k-th smallest, infinite while there are fewer.
func (n *nearest) worst() float64 {
	if len(n.list) < n.k {
		return math.Inf(1)
	}
	return n.list[n.k-1]
}

// add sees w so many times.
func (n *nearest) add(w float64, times int) {
	for ; times > 0 && w < n.worst(); times-- {
		at, _ := slices.BinarySearch(n.list, w)
		n.list = slices.Insert(n.list, at, w)
		n.list = n.list[:min(len(n.list), n.k)]
	}
}
