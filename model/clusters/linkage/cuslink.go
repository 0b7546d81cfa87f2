package linkage

import (
	"context"
	"maps"
	"math"
	"slices"

	"blossom/model/base/par"
)

// cuslink is the published system as it was, to compare with: a graph of the k nearest neighbours, by squared distances
// in float32 that are expanded to |x|^2 + |y|^2 - 2 x.y and not centred; its spanning forest, with noise on weights
// against ties; the nearest point of another part for each point, the lightest for each two parts, and again, until all
// is one. Where dense clusters are bridged it is wrong, and it cannot tell.
func init() {
	register(Algorithm{ID: "cuslink", Title: "cuSLINK, as published", Neighbours: true,
		Help: "as published, and wrong where dense clusters are bridged; to compare with",
		start: func(ctx context.Context, p *points, o Options) (growing, error) {
			a := &cuslink{seed: o.Seed}
			return a, a.open(ctx, p, o, true)
		}})
}

type cuslink struct {
	graph
	seed  uint64
	edges []Edge // edges of the graph, then of the tree
	done  bool
}

func (a *cuslink) total() int64 { return a.units() }

func (a *cuslink) step(ctx context.Context, units int) (int64, error) {
	if a.l == nil {
		return 0, nil
	}
	for units > 0 && a.at < a.l.Blocks {
		n := min(max(units, a.hold.Abreast()), a.l.Blocks-a.at, max(64, a.hold.Abreast()))
		edges, err := a.nearest(ctx, a.blocks(a.at, n), a.k, nil)
		if err != nil {
			return int64(a.at), err
		}
		if a.edges == nil {
			a.edges = make([]Edge, 0, a.l.N*a.k)
		}
		a.edges = append(a.edges, edges...)
		a.at += n
		units -= n
	}
	if units > 0 && !a.done {
		if err := a.join(ctx); err != nil {
			return int64(a.at), err
		}
		a.done = true
	}
	if a.done {
		return a.total(), nil
	}
	return int64(a.at), nil
}

// nearest returns edges to the k nearest points of another label of all places of blocks.
func (a *cuslink) nearest(ctx context.Context, blocks []int32, k int, label []int32) ([]Edge, error) {
	l := a.l
	ids, scores := make([]int32, len(blocks)*BlockSize*k), make([]float32, len(blocks)*BlockSize*k)
	if err := a.hold.Nearest(ctx, Query{Blocks: blocks, K: k, Label: label, Published: true}, ids, scores); err != nil {
		return nil, err
	}
	a.w.Tested += int64(len(blocks)) * BlockSize * int64(l.N)
	edges := make([]Edge, len(ids))
	err := par.On(ctx, a.p.threads, len(ids), 1<<14, func(_, from, to int) {
		for i := from; i < to; i++ {
			if v := ids[i]; v >= 0 {
				u := blocks[i/k/BlockSize]*BlockSize + int32(i/k%BlockSize)
				edges[i] = Edge{min(u, v), max(u, v), a.apart(u, v, scores[i])}
			}
		}
	})
	return slices.DeleteFunc(edges, func(e Edge) bool { return e.I == e.J }), err // there was none
}

// apart is the weight of a score, as float32 has it.
func (a *cuslink) apart(u, v int32, score float32) float64 {
	l := a.l
	s := l.Half[u] - score
	w := float64(max(0, s)) / l.Scale
	switch l.Metric {
	case Cosine:
		w /= l.Scale
	case Euclidean:
		w = float64(float32(math.Sqrt(float64(max(0, 2*s))))) / l.Scale
	}
	if l.Core != nil {
		w = max(w, l.Core[u], l.Core[v])
	}
	return w
}

func (a *cuslink) join(ctx context.Context) error {
	n := a.l.N
	forest, err := a.hold.Forest(ctx, a.edges, a.seed)
	if err != nil {
		return err
	}
	for len(forest) < n-1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		up := newSets(n)
		for _, e := range forest {
			up.unite(e.I, e.J)
		}
		label := make([]int32, n)
		for i := range label {
			label[i] = up.find(int32(i))
		}
		edges, err := a.nearest(ctx, a.blocks(0, a.l.Blocks), 1, label)
		if err != nil {
			return err
		}
		lightest := map[[2]int32]Edge{}
		for _, e := range edges {
			pair := [2]int32{min(label[e.I], label[e.J]), max(label[e.I], label[e.J])}
			if was, ok := lightest[pair]; !ok || less(e, was) < 0 {
				lightest[pair] = e
			}
		}
		forest = slices.AppendSeq(forest, maps.Values(lightest))
		if forest, err = a.hold.Forest(ctx, forest, a.seed); err != nil {
			return err
		}
		a.w.Refreshes++
	}
	a.edges = forest
	return nil
}

func (a *cuslink) tree(ctx context.Context) ([]Edge, error) {
	if a.l == nil {
		return nil, ctx.Err()
	}
	if a.done {
		return a.places(a.edges), ctx.Err()
	}
	edges, err := a.spanning(ctx, slices.Clone(a.edges))
	return a.places(edges), err
}

// Wrong is what a tree has that no MST has.
type Wrong struct {
	Heights int     `json:"wrong_heights"` // ranks at which its edges, weighed exactly, are of another weight
	Edges   int     `json:"wrong_edges"`   // edges longer than the exact way between their points
	Ratio   float64 `json:"largest_ratio"` // the largest ratio of a height found to the exact one of its rank; 1: equal
}

// Against compares what a run has found with the exact hierarchy of the same points. The error is ctx's.
func (r *Clustering) Against(ctx context.Context, exact *Linkage) (Wrong, error) {
	p := r.p
	wrong := Wrong{Ratio: 1}
	tree, err := r.body.tree(ctx)
	if err != nil {
		return wrong, err
	}
	found := slices.Clone(p.whole(tree))
	links, err := newLinks(ctx, p.m, exact.Tree)
	if err != nil {
		return wrong, err
	}
	for i, e := range found {
		if e.W > 0 && exact.Tree[i].W > 0 {
			wrong.Ratio = max(wrong.Ratio, e.W/exact.Tree[i].W, exact.Tree[i].W/e.W)
		}
	}
	for i, e := range found {
		u, known := p.pointOf(e.I)
		v, both := p.pointOf(e.J)
		if known && both { // else equal points, at 0
			found[i].W = p.weight(u, v)
		}
		if found[i].W > links.apart(e.I, e.J) {
			wrong.Edges++
		}
	}
	sortEdges(found, nil)
	for i, e := range found {
		if e.W != exact.Tree[i].W {
			wrong.Heights++
		}
	}
	return wrong, nil
}
