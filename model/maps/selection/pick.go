package selection

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"

	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// Points are the points of a map.
type Points struct {
	Pos  []float32 // their positions, row-major, Dims numbers each
	Dims int       // 2 or 3
	// Order is the row of the data set of each point; nil: point i is row i.
	Order []int32
	// Among are the rows that there are: others are as if they were no points; nil: all are.
	Among *Set
}

// Len is the number of points.
func (p Points) Len() int {
	if p.Dims < 1 {
		return 0
	}
	return len(p.Pos) / p.Dims
}

// Row returns the row of a point.
func (p Points) Row(point int) int {
	if p.Order == nil {
		return point
	}
	return int(p.Order[point])
}

// check refuses what is not points.
func (p Points) check() error {
	switch {
	case p.Dims != 2 && p.Dims != 3, len(p.Pos)%max(p.Dims, 1) != 0:
		return problem.New("", again, "%d numbers are no positions in %d dimensions", len(p.Pos), p.Dims)
	case p.Order != nil && len(p.Order) != p.Len():
		return problem.New("", again, "the order of points is of %d, and there are %d", len(p.Order), p.Len())
	}
	return nil
}

const again = "open the file again"

// block is the number of points that one core does at a time: whole chunks and whole words of bits.
const block = 16 * chunkSize

// each projects the points [from, to), from being a multiple of 64, and calls fn for chunks of them.
func (p Points) each(v *projector, from, to int, fn func(c *chunk, at, n int)) {
	var c chunk
	for at := from; at < to; at += chunkSize {
		n := min(chunkSize, to-at)
		v.fill(&c, p.Pos[at*p.Dims:(at+n)*p.Dims], p.Dims)
		fn(&c, at, n)
	}
}

// masks calls fn for every 64 of the points [from, to): bit i of m says whether point at+i is in, and in front where
// depths say that.
func (p Points) masks(v *projector, t tester, d *Depths, from, to int, fn func(at int, m uint64)) {
	p.each(v, from, to, func(c *chunk, at, n int) {
		for i := 0; i < n; i += 64 {
			end := min(i+64, n)
			fn(at+i, d.front(c, i, p.there(at+i, t.mask(c.x[i:end], c.y[i:end]))))
		}
	})
}

// there leaves those of the 64 points from at on whose rows are among those that there are.
func (p Points) there(at int, m uint64) uint64 {
	if p.Among == nil {
		return m
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		if !p.Among.Contains(p.Row(at + i)) {
			m &^= 1 << i
		}
	}
	return m
}

// has says whether a point is one of those that there are.
func (p Points) has(point int) bool { return p.Among == nil || p.Among.Contains(p.Row(point)) }

// Pick returns the rows of the points that are in a region of a view: as many rows as points. Points behind
// the eye, and those without a position, never are. The error is a Problem, or that of a cancelled context.
func Pick(ctx context.Context, r Region, v View, p Points) (*Set, error) {
	return pick(ctx, r, v, p, Front{})
}

// pick is Pick of those in front.
func pick(ctx context.Context, r Region, v View, p Points, f Front) (*Set, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	n := p.Len()
	t, err := r.tester(ctx, n)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return None(n), nil
	}
	d, err := f.Depths(ctx, v, p)
	if err != nil {
		return nil, err
	}
	proj := v.projector()
	if p.Order == nil {
		words := make([]uint64, wordsOf(n))
		err := par.Blocks(ctx, n, block, func(_, from, to int) {
			p.masks(&proj, t, d, from, to, func(at int, m uint64) { words[at/64] = m })
		})
		if err != nil {
			return nil, err
		}
		return FromBits(n, words), nil
	}
	words, err := p.scattered(ctx, func(from, to int, fn func(at int, m uint64)) {
		p.masks(&proj, t, d, from, to, fn)
	})
	if err != nil {
		return nil, err
	}
	return FromBits(n, words), nil
}

// scattered puts the bits of points, as masks gives them, where their rows are. Rows lie anywhere, so each
// worker has bits of its own, which are put together in the end: the same whoever did what.
func (p Points) scattered(ctx context.Context, masks func(from, to int, fn func(at int, m uint64))) ([]uint64, error) {
	n := p.Len()
	var lock sync.Mutex
	var all, idle [][]uint64
	var strange atomic.Bool
	err := par.Blocks(ctx, n, block, func(_, from, to int) {
		var own []uint64
		lock.Lock()
		if len(idle) > 0 {
			own, idle = idle[len(idle)-1], idle[:len(idle)-1]
		}
		lock.Unlock()
		fresh := own == nil
		if fresh {
			own = make([]uint64, wordsOf(n))
		}
		masks(from, to, func(at int, m uint64) {
			for ; m != 0; m &= m - 1 {
				row := uint(p.Order[at+bits.TrailingZeros64(m)])
				if row >= uint(n) {
					strange.Store(true)
					continue
				}
				own[row/64] |= 1 << (row % 64)
			}
		})
		lock.Lock()
		idle = append(idle, own)
		if fresh {
			all = append(all, own)
		}
		lock.Unlock()
	})
	if err == nil && strange.Load() {
		err = problem.New("", again, "the order of points names rows that there are not")
	}
	if err != nil || len(all) == 0 {
		return nil, err
	}
	words := all[0]
	return words, par.Blocks(ctx, len(words), block, func(_, from, to int) {
		for _, other := range all[1:] {
			for i, w := range other[from:to] {
				words[from+i] |= w
			}
		}
	})
}

// count returns how many of the points [from, to) are in, from being a multiple of 64.
func (p Points) count(ctx context.Context, v *projector, t tester, d *Depths, from, to int) (int, error) {
	if t == nil {
		return 0, ctx.Err()
	}
	var sum atomic.Int64
	err := par.Blocks(ctx, to-from, block, func(_, first, last int) {
		own := 0
		p.masks(v, t, d, from+first, from+last, func(_ int, m uint64) { own += bits.OnesCount64(m) })
		sum.Add(int64(own))
	})
	return int(sum.Load()), err
}
