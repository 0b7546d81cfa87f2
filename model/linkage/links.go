package linkage

import "math"

// links tells how far the way through a tree between two points goes at most: the height at which they are together.
// It is a forest of union by size without shortcuts, so that a point is log2 n links below its root at most and links
// get heavier on the way up.
type links struct {
	up []int32   // itself of the root
	w  []float64 // of the link to up; infinite of the root
}

// newLinks makes the links of a tree that is sorted.
func newLinks(n int, tree []Edge) *links {
	l := &links{make([]int32, n), make([]float64, n)}
	l.set(tree, make([]int32, n))
	return l
}

// set makes the links anew. size is memory for as many points.
func (l *links) set(tree []Edge, size []int32) {
	for i := range l.up {
		l.up[i], l.w[i], size[i] = int32(i), math.Inf(1), 1
	}
	for _, e := range tree {
		a, b := l.root(e.I), l.root(e.J)
		if a == b {
			continue
		}
		if size[a] < size[b] {
			a, b = b, a
		}
		l.up[b], l.w[b] = a, e.W
		size[a] += size[b]
	}
}

func (l *links) root(i int32) int32 {
	for l.up[i] != i {
		i = l.up[i]
	}
	return i
}

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
