package linkage

import (
	"context"
	"slices"
)

// grown is a tree of places that gets better by what is kept, with its bounds, on the processor.
type grown struct {
	l       *Layout
	threads int
	track   *tracker
	edges   []Edge // the tree, sorted
	kept    []Edge
	spare   []Edge
}

// first makes the first tree, with the neighbours and weights of a device: of near points, and of those that follow
// each other where that leaves parts.
func (a *grown) first(ctx context.Context, hold Holding) error {
	n, k := a.l.N, TreeNeighbours
	ids, scores := make([]int32, a.l.Blocks*BlockSize*k), make([]float32, a.l.Blocks*BlockSize*k)
	q := Query{K: k, Local: true}
	for b := range int32(a.l.Blocks) {
		q.Blocks = append(q.Blocks, b)
	}
	if err := hold.Nearest(ctx, q, ids, scores); err != nil {
		return err
	}
	up := newSets(n)
	a.edges = nil
	for r := range k + 1 { // a rank at a time, so that there are never many more edges than points
		for u := range int32(n) {
			if r == k {
				if u > 0 && up.find(u-1) != up.find(u) {
					a.kept = append(a.kept, Edge{I: u - 1, J: u})
				}
				continue
			}
			v := ids[int(u)*k+r]
			if v < 0 || v < u && slices.Contains(ids[int(v)*k:int(v+1)*k], u) {
				continue // there is none, or the other has it too
			}
			up[up.find(u)] = up.find(v)
			a.kept = append(a.kept, Edge{I: min(u, v), J: max(u, v)})
		}
		if err := hold.Weights(ctx, a.kept); err != nil {
			return err
		}
		a.merge()
	}
	a.track = newTracker(a.l, a.threads)
	if err := a.track.set(ctx, a.edges); err != nil {
		return err
	}
	a.track.b.Full = a.sided()
	return nil
}

// kruskal appends to out the MST of n points and two lists of edges that are sorted; of equal weights the first list's
// come first.
func kruskal(n int, first, second, out []Edge) []Edge {
	up := newSets(n)
	for len(first)+len(second) > 0 {
		var e Edge
		if len(second) == 0 || len(first) > 0 && first[0].W <= second[0].W {
			e, first = first[0], first[1:]
		} else {
			e, second = second[0], second[1:]
		}
		if i, j := up.find(e.I), up.find(e.J); i != j {
			up[i] = j
			out = append(out, e)
			if len(out) == n-1 {
				break
			}
		}
	}
	return out
}

// sided says whether both sides of a pair look is less work than one with the bounds of both, by a sample of blocks.
func (a *grown) sided() bool {
	l, b := a.l, &a.track.b
	const sample, rows = 24, 4
	ways := make([]float32, l.Blocks)
	one, both := 0, 0
	for s := range min(sample, l.Blocks) {
		x := int32(s * l.Blocks / min(sample, l.Blocks))
		b.Ways(x, ways)
		for y := range int32(l.Blocks) {
			if x == y {
				continue
			}
			wide := max(ways[y], b.SMax[x], b.SMax[y])
			if l.Skip(x, y, wide) {
				continue
			}
			for r := range int32(rows) {
				u := x*BlockSize + r*BlockSize/rows
				if int(u) >= l.N {
					break
				}
				own, _ := l.panel(x)
				look := func(t float32) bool {
					return !plain{l}.far(own[u%BlockSize:], l.Centre[int(y)*l.D:int(y+1)*l.D], l.Half[u],
						l.CentreHalf[y], (t+l.Radius[y])*wider, l.Length[u]+l.CentreLength[y])
				}
				if look(max(ways[y], b.S[u], b.SMax[y])) {
					one++
				}
				if look(max(ways[y], b.S[u])) {
					both += 2
				}
			}
		}
	}
	return both < one
}

// merge makes the tree of itself and what was kept.
func (a *grown) merge() {
	a.spare = sortEdges(a.kept, a.spare)
	if cap(a.spare) < a.l.N-1 {
		a.spare = make([]Edge, 0, a.l.N-1)
	}
	tree := kruskal(a.l.N, a.edges, a.kept, a.spare[:0])
	a.edges, a.spare, a.kept = tree, a.edges[:0], a.kept[:0]
}

// refresh makes the tree anew where something was kept, and its bounds.
func (a *grown) refresh(ctx context.Context) error {
	if len(a.kept) > 0 {
		a.merge()
	}
	return a.track.set(ctx, a.edges)
}

// tree is that of what was kept too.
func (a *grown) tree() []Edge {
	if len(a.kept) == 0 {
		return slices.Clone(a.edges)
	}
	kept := slices.Clone(a.kept)
	sortEdges(kept, nil)
	return kruskal(a.l.N, a.edges, kept, make([]Edge, 0, a.l.N-1))
}
