package linkage

import (
	"context"
	"math"

	"blossom/model/base/par"
)

// prim grows the tree from point 0 by the point that is nearest to it, in float64 with nothing left out: the
// reference, of n^2/2 weights and memory for n of them (R. C. Prim, "Shortest Connection Networks and Some
// Generalizations", 1957).
func init() {
	register(Algorithm{ID: "prim", Title: "Prim", Help: "every pair in float64; the reference",
		Exact: true, Alone: true,
		start: func(_ context.Context, p *points, _ Options) (growing, error) { return newPrim(p), nil }})
}

type prim struct {
	p     *points
	out   []int32   // points that are not in the tree yet
	near  []float64 // the distance of each from the tree
	from  []int32   // and from which point
	last  int32     // the point that joined last
	edges []Edge
	best  []int // where in out the nearest point of each block is
}

func newPrim(p *points) *prim {
	a := &prim{p: p, edges: make([]Edge, 0, max(0, p.n-1))}
	for i := 1; i < p.n; i++ {
		a.out = append(a.out, int32(i))
		a.near = append(a.near, math.Inf(1))
		a.from = append(a.from, 0)
	}
	return a
}

// size of blocks: a core should have some 100 microseconds to do between two meetings.
func (a *prim) size() int { return max(64, 1<<17/max(1, a.p.x.Cols)) }

func (a *prim) total() int64 { return int64(max(0, a.p.n-1)) }

// step adds units points to the tree.
func (a *prim) step(ctx context.Context, units int) (int64, error) {
	for ; units > 0 && len(a.out) > 0; units-- {
		size := a.size()
		a.best = append(a.best[:0], make([]int, par.Count(len(a.out), size))...)
		if err := par.On(ctx, a.p.threads, len(a.out), size, a.look); err != nil {
			return int64(len(a.edges)), err // rows already seen are looked at again: a minimum stays one
		}
		at := a.best[0]
		for _, b := range a.best[1:] {
			if a.near[b] < a.near[at] || a.near[b] == a.near[at] && a.out[b] < a.out[at] {
				at = b
			}
		}
		i, j := a.from[at], a.out[at]
		a.edges = append(a.edges, Edge{min(i, j), max(i, j), a.near[at]})
		a.last = j
		end := len(a.out) - 1
		a.out[at], a.near[at], a.from[at] = a.out[end], a.near[end], a.from[end]
		a.out, a.near, a.from = a.out[:end], a.near[:end], a.from[:end]
	}
	return int64(len(a.edges)), nil
}

// look compares a block of points with the one that has joined last, and finds the nearest of the block.
func (a *prim) look(b, from, to int) {
	p := a.p
	x, nx := p.row(a.last), p.normOf(a.last)
	best := from
	see := func(at int, w float64) {
		if p.core != nil {
			w = max(w, p.core[a.last], p.core[a.out[at]])
		}
		if w < a.near[at] || w == a.near[at] && a.last < a.from[at] {
			a.near[at], a.from[at] = w, a.last
		}
		if n := a.near[at]; n < a.near[best] || n == a.near[best] && a.out[at] < a.out[best] {
			best = at
		}
	}
	at := from
	for ; at+4 <= to; at += 4 {
		var y [4][]float32
		var ny [4]float64
		for k := range y {
			y[k], ny[k] = p.row(a.out[at+k]), p.normOf(a.out[at+k])
		}
		for k, w := range p.metric.weights(x, &y, nx, &ny) {
			see(at+k, w)
		}
	}
	for ; at < to; at++ {
		see(at, p.metric.weight(x, p.row(a.out[at]), nx, p.normOf(a.out[at])))
	}
	a.best[b] = best
}

// tree has what has joined, and all others on the point of the tree that is nearest.
func (a *prim) tree(ctx context.Context) ([]Edge, error) {
	out := append(make([]Edge, 0, a.p.n), a.edges...)
	for k, j := range a.out {
		i, w := a.from[k], a.near[k]
		if math.IsInf(w, 1) {
			w = a.p.weight(i, j)
		}
		out = append(out, Edge{min(i, j), max(i, j), w})
	}
	sortEdges(out, nil)
	return out, ctx.Err()
}

func (a *prim) work() Work {
	n, left := int64(a.p.n), int64(len(a.out))
	pairs := n * (n - 1) / 2
	return Work{Pairs: pairs, Tested: pairs - left*(left-1)/2, Rechecked: pairs - left*(left-1)/2}
}

func (a *prim) close() {}
