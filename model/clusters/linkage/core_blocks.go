package linkage

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/space/blocks"
)

// bounded are points in blocks, in the space where distances bound weights: that of the values, or for Cosine of their
// directions.
type bounded struct {
	metric  Metric
	d       int
	ids     []int32   // points, in order
	centres []float64 // blocks x d
	radius  []float64 // no point of a block is farther from its centre
	less    float64   // factor that takes off a distance as much as rounding may have added
	slack   float64   // how far rounding may change weights of directions
}

// values writes the coordinates of point i in that space.
func (p *points) values(i int32, to []float64) {
	by := 1.0
	if p.metric == Cosine {
		by = p.normOf(i)
	}
	for c, v := range p.row(i) {
		to[c] = float64(v) / by
	}
}

// bounded puts the points in blocks. The error is ctx's.
func (p *points) bounded(ctx context.Context, threads int) (*bounded, error) {
	const eps = 0x1p-52
	d := p.x.Cols
	n := par.Count(p.n, BlockSize)
	b := &bounded{metric: p.metric, d: d, ids: make([]int32, p.n), centres: make([]float64, n*d),
		radius: make([]float64, n), less: 1 - float64(d+8)*4*eps, slack: float64(d+8) * 4 * eps}
	for i := range b.ids {
		b.ids[i] = int32(i)
	}
	row := p.row
	if p.metric == Cosine { // blocks of directions
		x := matrix.New(p.n, d)
		err := par.On(ctx, threads, p.n, block, func(_, from, to int) {
			for i := from; i < to; i++ {
				for c, v := range p.row(int32(i)) {
					x.Row(i)[c] = float32(float64(v) / p.normOf(int32(i)))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		row = func(i int32) []float32 { return x.Row(int(i)) }
	}
	if err := blocks.Order(ctx, threads, d, b.ids, row); err != nil {
		return nil, err
	}
	return b, par.On(ctx, threads, n, 16, func(_, from, to int) {
		row := make([]float64, d)
		for at := from; at < to; at++ {
			centre, in := b.centre(at), b.in(at)
			for _, i := range in {
				p.values(i, row)
				for c, v := range row {
					centre[c] += v / float64(len(in))
				}
			}
			for _, i := range in {
				p.values(i, row)
				b.radius[at] = max(b.radius[at], b.apart(row, centre)/b.less)
			}
		}
	})
}

// in are the points of a block.
func (b *bounded) in(at int) []int32 { return b.ids[at*BlockSize : min(len(b.ids), (at+1)*BlockSize)] }

func (b *bounded) centre(at int) []float64 { return b.centres[at*b.d : (at+1)*b.d] }

// apart is how far two places are apart.
func (b *bounded) apart(x, y []float64) (s float64) {
	y = y[:len(x)]
	if b.metric == L1 {
		for c, v := range x {
			s += math.Abs(v - y[c])
		}
		return s
	}
	for c, v := range x {
		s += (v - y[c]) * (v - y[c])
	}
	return math.Sqrt(s)
}

// about returns how far each block is from block own at least, and the blocks, nearest first.
func (b *bounded) about(own int) (order []int32, gaps []float64) {
	order, gaps = make([]int32, len(b.radius)), make([]float64, len(b.radius))
	for at, r := range b.radius {
		order[at] = int32(at)
		gaps[at] = b.apart(b.centre(own), b.centre(at))*b.less - r - b.radius[own]
	}
	slices.SortFunc(order, func(x, y int32) int { return cmp.Or(cmp.Compare(gaps[x], gaps[y]), cmp.Compare(x, y)) })
	return order, gaps
}

// within is how far points are apart at most that are lighter than w. Half the square of how far two directions are
// apart is 1 less their cosine.
func (b *bounded) within(w float64) float64 {
	if b.metric == Cosine {
		w = math.Sqrt(2 * (w + b.slack))
	}
	return w / b.less
}
