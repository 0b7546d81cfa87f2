package linkage

import (
	"context"
	"math"
)

// links tells how far the way through a tree between two points goes at most: the height at which they are together.
// It is a forest of union by size without shortcuts, so that a point is log2 n links below its root at most and links
// get heavier on the way up.
type links struct {
	up []int32   // itself of the root
	w  []float64 // weight of the link to up; infinite for the root
}

// newLinks makes the links of a tree that is sorted. The error is ctx's.
func newLinks(ctx context.Context, n int, tree []Edge) (*links, error) {
	l := &links{make([]int32, n), make([]float64, n)}
	return l, l.set(ctx, tree, make(sets, n))
}

// set makes the links anew; up is memory for as many points. After an error they are of no use.
func (l *links) set(ctx context.Context, tree []Edge, up sets) error {
	up.reset()
	for i := range l.up {
		l.up[i], l.w[i] = int32(i), math.Inf(1)
	}
	for k, e := range tree {
		if k%glance == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if a, b := up.find(e.I), up.find(e.J); a != b {
			a, b = up.join(a, b)
			l.up[b], l.w[b] = a, e.W
		}
	}
	return nil
}

// glance is how many edges are done between two looks at the context: some milliseconds.
const glance = 1 << 15

// apart is the largest weight on the tree's way between two points: 0 for one, infinite for two that are not joined.
func (l *links) apart(i, j int32) float64 {
	w := 0.0
	for i != j {
		if l.w[i] <= l.w[j] {
			w, i = l.w[i], l.up[i]
		} else {
			w, j = l.w[j], l.up[j]
		}
		if math.IsInf(w, 1) {
			return w
		}
	}
	return w
}
