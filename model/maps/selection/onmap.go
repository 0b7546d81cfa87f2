package selection

import (
	"context"

	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// OnMap is a region of a flat map in the map's own coordinates, times Factor: whatever a view shows of it.
type OnMap struct {
	Region Region
	Points Points  // in two dimensions
	Factor float64 // a power of two
}

// Pick returns the rows of the points that are in the region. Points without a position never are.
func (o OnMap) Pick(ctx context.Context) (*Set, error) {
	p := o.Points
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Dims != 2 {
		return nil, problem.New("", "choose a flat map", "a region lies on a flat map, and this one has 3 dimensions")
	}
	n := p.Len()
	t, err := o.Region.tester(ctx, n)
	if err != nil || t == nil {
		return None(n), err
	}
	masks := func(from, to int, fn func(at int, m uint64)) {
		var x, y [64]float64
		for at := from; at < to; at += 64 {
			m := min(64, to-at)
			for i := range m {
				x[i], y[i] = o.Factor*float64(p.Pos[2*(at+i)]), o.Factor*float64(p.Pos[2*(at+i)+1])
			}
			fn(at, p.there(at, t.mask(x[:m], y[:m])))
		}
	}
	if p.Order != nil {
		words, err := p.scattered(ctx, masks)
		if err != nil {
			return nil, err
		}
		return FromBits(n, words), nil
	}
	words := make([]uint64, wordsOf(n))
	err = par.Blocks(ctx, n, block, func(_, from, to int) {
		masks(from, to, func(at int, m uint64) { words[at/64] = m })
	})
	if err != nil {
		return nil, err
	}
	return FromBits(n, words), nil
}
