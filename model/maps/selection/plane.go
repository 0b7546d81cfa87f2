package selection

import (
	"context"

	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// OnPlane is a region of two columns of numbers: of rows whose values, times Factor, are a place in it.
type OnPlane struct {
	Region Region
	X, Y   []float32 // a value for each row; NaN is nowhere
	Factor float64
}

// Pick returns the rows whose places are in the region.
func (p OnPlane) Pick(ctx context.Context) (*Set, error) {
	n := len(p.X)
	if len(p.Y) != n {
		return nil, problem.New("", again, "there are %d values for one axis and %d for the other", n, len(p.Y))
	}
	t, err := p.Region.tester(ctx, n)
	if err != nil || t == nil {
		return None(n), err
	}
	words := make([]uint64, wordsOf(n))
	err = par.Blocks(ctx, n, block, func(_, from, to int) {
		var x, y [64]float64
		for at := from; at < to; at += 64 {
			m := min(64, to-at)
			for i := range m {
				x[i], y[i] = p.Factor*float64(p.X[at+i]), p.Factor*float64(p.Y[at+i])
			}
			words[at/64] = t.mask(x[:m], y[:m])
		}
	})
	if err != nil {
		return nil, err
	}
	return FromBits(n, words), nil
}

// Outline is the corners of a region that has sides: two of a rectangle, all of a lasso, many on the rim of an ellipse;
// nil where it has none.
func (r Region) Outline() (corners []Point, rectangle bool) {
	switch {
	case !r.some || r.radius > 0:
		return nil, false
	case r.round:
		return r.oval().rim(), false
	case r.path == nil:
		return []Point{r.lo, r.hi}, true
	}
	return r.path, false
}
