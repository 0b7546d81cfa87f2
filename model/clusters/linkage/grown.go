package linkage

import (
	"context"
	"sync/atomic"

	"blossom/model/base/par"
)

// grown is a tree of places that gets better by what is kept, with its bounds, on the processor. What it holds is as
// long as the points and stays where it is: the tree, what was kept, and memory for the tree that becomes of both.
type grown struct {
	l       *Blocked
	threads int
	track   *tracker
	edges   []Edge // the tree, sorted
	kept    []Edge
	spare   []Edge
	up      sets
	since   int // edges that were kept since the bounds were made
}

// first makes the first tree, of near points and of those that follow each other where that leaves parts.
func (a *grown) first(ctx context.Context, hold Holding) error {
	a.up = newSets(a.l.N)
	if err := a.sprout(ctx, hold); err != nil {
		return err
	}
	sweep(a.l.N)
	a.track = newTracker(a.l, a.threads, a.up)
	if err := a.track.set(ctx, a.edges); err != nil {
		return err
	}
	full, err := a.sided(ctx)
	a.track.b.Full = full
	return err
}

// room is memory for as many edges as the tree has, or more.
func (a *grown) room(n int) []Edge {
	if n = max(n, a.l.N-1); cap(a.spare) < n {
		a.spare = make([]Edge, 0, n)
	}
	return a.spare[:0]
}

// kruskal appends to out the MST of n points and two lists of edges that are sorted; of equal weights the first list's
// come first. up is its memory, of n. The error is ctx's.
func kruskal(ctx context.Context, up sets, first, second, out []Edge) ([]Edge, error) {
	up.reset()
	left := len(up) - 1
	for k := 0; left > 0 && len(first)+len(second) > 0; k++ {
		if k%glance == 0 && ctx.Err() != nil {
			return out, ctx.Err()
		}
		var e Edge
		if len(second) == 0 || len(first) > 0 && first[0].W <= second[0].W {
			e, first = first[0], first[1:]
		} else {
			e, second = second[0], second[1:]
		}
		if up.unite(e.I, e.J) {
			out = append(out, e)
			left--
		}
	}
	return out, nil
}

// sided says whether both sides of a pair look is less work than one with the bounds of both, by a sample of blocks.
func (a *grown) sided(ctx context.Context) (bool, error) {
	l, b := a.l, &a.track.b
	const sample, rows = 24, 4
	many := min(sample, l.Blocks)
	var one, both atomic.Int64
	err := par.On(ctx, a.threads, many, 1, func(s, _, _ int) {
		ways := make([]float32, l.Blocks)
		x := int32(s * l.Blocks / many)
		b.Ways(x, ways)
		own, _ := l.panel(x)
		for y := range int32(l.Blocks) {
			wide := max(ways[y], b.SMax[x], b.SMax[y])
			if x == y || l.Skip(x, y, wide) {
				continue
			}
			for r := range int32(rows) {
				u := x*BlockSize + r*BlockSize/rows
				if int(u) >= l.N {
					break
				}
				look := func(t float32) bool {
					return !plain{l}.far(own[u%BlockSize:], l.Centre[int(y)*l.D:int(y+1)*l.D], l.Half[u],
						l.CentreHalf[y], (t+l.Radius[y])*wider, l.Length[u]+l.CentreLength[y])
				}
				if look(max(ways[y], b.S[u], b.SMax[y])) {
					one.Add(1)
				}
				if look(max(ways[y], b.S[u])) {
					both.Add(2)
				}
			}
		}
	})
	return both.Load() < one.Load(), err
}

// merge makes the tree of itself and what was kept. After an error nothing was.
func (a *grown) merge(ctx context.Context) error {
	if len(a.kept) == 0 {
		return nil
	}
	a.spare = sortEdgesOn(a.threads, a.kept, a.room(len(a.kept)))
	tree, err := kruskal(ctx, a.up, a.edges, a.kept, a.room(0))
	if err != nil {
		return err
	}
	a.edges, a.spare, a.kept = tree, a.edges[:0], a.kept[:0]
	return nil
}

// keep adds edges to what was kept.
func (a *grown) keep(edges []Edge) {
	if need := len(a.kept) + len(edges); need > cap(a.kept) {
		more := make([]Edge, len(a.kept), max(need+need/4, a.l.N)) // seldom too few; what is not used is no memory
		copy(more, a.kept)
		a.kept = more
	}
	a.kept = append(a.kept, edges...)
	a.since += len(edges)
}

// refresh makes the tree anew where something was kept, and its bounds.
func (a *grown) refresh(ctx context.Context) error {
	if err := a.merge(ctx); err != nil {
		return err
	}
	if err := a.track.set(ctx, a.edges); err != nil {
		return err
	}
	a.since = 0
	return nil
}
