package linkage

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
)

// boruvka is the published way made exact: every part of the forest is joined to the point nearest to it (O. Boruvka,
// 1926), which is looked for among the k nearest points of its points, found beforehand. A list whose points have all
// come into the part says only that others are no nearer than its last: where that is nearer than the best of the part,
// the point's whole row is looked at.
func init() {
	register(Algorithm{ID: "boruvka", Title: "Boruvka, certified", Exact: true, Neighbours: true,
		Help: "the published way made exact: a graph of nearest neighbours, and whole rows where it does not tell",
		start: func(ctx context.Context, p *points, o Options) (growing, error) {
			a := &boruvka{}
			return a, a.open(ctx, p, o, false)
		}})
}

// searched is how many points a look at a whole row brings.
const searched = 4

type boruvka struct {
	graph
	list  [][]near  // the nearest known places of each place, by weight
	least []float64 // how far whatever is missing in the list of a place is at least
	edges []Edge    // edges of the tree so far
	done  bool
	rows  int64 // rows that were looked at whole
}

// near is a point that is near another one.
type near struct {
	v int32
	w float64
}

func (a *boruvka) total() int64 { return a.units() }

func (a *boruvka) step(ctx context.Context, units int) (int64, error) {
	if a.l == nil {
		return 0, nil
	}
	if a.list == nil {
		a.list, a.least = make([][]near, a.l.N), make([]float64, a.l.N)
	}
	for units > 0 && a.at < a.l.Blocks {
		n := min(max(units, a.hold.Abreast()), a.l.Blocks-a.at, max(64, a.hold.Abreast()))
		if err := a.find(ctx, a.blocks(a.at, n), nil, a.k, nil); err != nil {
			return int64(a.at), err
		}
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

// find looks for the k nearest points of another label of all places of blocks, or of those that rows say, and makes
// them the lists of these places.
func (a *boruvka) find(ctx context.Context, blocks []int32, rows []uint64, k int, label []int32) error {
	l := a.l
	ids, scores := make([]int32, len(blocks)*BlockSize*k), make([]float32, len(blocks)*BlockSize*k)
	if err := a.hold.Nearest(ctx, Query{Blocks: blocks, Rows: rows, K: k, Label: label}, ids, scores); err != nil {
		return err
	}
	var edges []Edge
	each := func(do func(u int32, ids []int32, scores []float32)) {
		for i, b := range blocks {
			mask := ^uint64(0)
			if rows != nil {
				mask = rows[i]
			}
			for ; mask != 0; mask &= mask - 1 {
				r := bits.TrailingZeros64(mask)
				if u := b*BlockSize + int32(r); int(u) < l.N {
					at := (i*BlockSize + r) * k
					do(u, ids[at:at+k], scores[at:at+k])
				}
			}
		}
	}
	each(func(u int32, ids []int32, _ []float32) {
		for _, v := range ids {
			if v >= 0 {
				edges = append(edges, Edge{I: u, J: v})
			}
		}
	})
	if err := a.hold.Weights(ctx, edges); err != nil {
		return err
	}
	a.w.Tested += int64(len(blocks)) * BlockSize * int64(l.N)
	a.w.Rechecked += int64(len(edges))
	longest := slices.Max(l.Longest)
	each(func(u int32, ids []int32, scores []float32) {
		list := a.list[u][:0]
		a.least[u] = math.Inf(1)
		for i, v := range ids {
			if v < 0 {
				break
			}
			list = append(list, near{v, edges[0].W})
			edges = edges[1:]
			if i == k-1 {
				a.least[u] = l.floor(u, scores[i], longest)
			}
		}
		slices.SortFunc(list, func(a, b near) int {
			return cmp.Or(cmp.Compare(a.w, b.w), cmp.Compare(a.v, b.v))
		})
		a.list[u] = list
	})
	return nil
}

// floor is the least weight that a pair of place u with another, of at most this length, can have whose score is not
// above this.
func (l *Blocked) floor(u int32, score, longest float32) float64 {
	low := float64(l.Half[u]) - float64(score) - float64(l.margin(l.Length[u]+longest))
	low *= 1 - 0x1p-20
	if !(low > 0) {
		low = 0
	}
	switch l.Metric {
	case L1:
		low /= l.Scale
	case Cosine:
		low = max(0, low/l.Scale/l.Scale-float64(l.D+8)*0x1p-49)
	default:
		low = math.Sqrt(2*low) / l.Scale
	}
	if l.Core != nil {
		low = max(low, l.Core[u])
	}
	return low
}

// join makes the tree of the lists, and of whole rows where they do not tell.
func (a *boruvka) join(ctx context.Context) error {
	n := a.l.N
	up := newSets(n)
	edges := make([]Edge, 0, n-1)
	best := make([]Edge, n) // the least edge of each part
	label := make([]int32, n)
	for len(edges) < n-1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range label {
			label[i] = up.find(int32(i))
			best[i].W = math.Inf(1)
		}
		for u := range int32(n) {
			a.offer(u, label, best)
		}
		for first := true; ; first = false {
			blocks, rows := a.unsure(label, best, first)
			if len(blocks) == 0 {
				break
			}
			if err := a.find(ctx, blocks, rows, min(searched, n-1), label); err != nil {
				return err
			}
			for i, b := range blocks {
				for mask := rows[i]; mask != 0; mask &= mask - 1 {
					u := b*BlockSize + int32(bits.TrailingZeros64(mask))
					a.weighWhole(u, label)
					a.offer(u, label, best)
					a.rows++
				}
			}
		}
		var found []Edge
		for i, e := range best {
			if label[i] == int32(i) {
				found = append(found, e)
			}
		}
		sortEdges(found, nil)
		for _, e := range found {
			if up.unite(e.I, e.J) {
				edges = append(edges, e)
			}
		}
		a.w.Refreshes++
	}
	sortEdges(edges, nil)
	a.edges = edges
	return nil
}

// first is the first of a place's list that is of another part; those before it have come into its own for good.
func (a *boruvka) first(u int32, label []int32) (near, bool) {
	list := a.list[u]
	for len(list) > 0 && label[list[0].v] == label[u] {
		list = list[1:]
	}
	a.list[u] = list
	if len(list) == 0 {
		return near{}, false
	}
	return list[0], true
}

// offer compares the first of a place's list with the best of its part.
func (a *boruvka) offer(u int32, label []int32, best []Edge) {
	f, ok := a.first(u, label)
	if !ok {
		return
	}
	e := Edge{min(u, f.v), max(u, f.v), f.w}
	if less(e, best[label[u]]) < 0 {
		best[label[u]] = e
	}
}

// unsure are the places whose rows may have something nearer than the best of their part: at first, of each part the
// one that may have the nearest.
func (a *boruvka) unsure(label []int32, best []Edge, first bool) (blocks []int32, rows []uint64) {
	open := func(u int32) bool {
		if !(a.least[u] < best[label[u]].W) {
			return false
		}
		f, ok := a.first(u, label)
		return !ok || f.w > a.least[u]
	}
	var chosen map[int32]int32
	if first {
		chosen = map[int32]int32{}
		for u := range int32(a.l.N) {
			if open(u) {
				if v, ok := chosen[label[u]]; !ok || a.least[u] < a.least[v] {
					chosen[label[u]] = u
				}
			}
		}
	}
	for b := range int32(a.l.Blocks) {
		var mask uint64
		for i := range int32(BlockSize) {
			u := b*BlockSize + i
			if int(u) >= a.l.N || !open(u) {
				continue
			}
			if v, ok := chosen[label[u]]; !first || ok && v == u {
				mask |= 1 << i
			}
		}
		if mask != 0 {
			blocks, rows = append(blocks, b), append(rows, mask)
		}
	}
	return blocks, rows
}

// weighWhole weighs a whole row where the margin of what was found leaves it open what is the nearest.
func (a *boruvka) weighWhole(u int32, label []int32) {
	if f, ok := a.first(u, label); ok && f.w <= a.least[u] || !ok && math.IsInf(a.least[u], 1) {
		return
	}
	best := near{-1, math.Inf(1)}
	for v := range int32(a.l.N) {
		if label[v] != label[u] {
			if w := a.l.Weight(u, v); w < best.w {
				best = near{v, w}
			}
		}
	}
	a.w.Rechecked += int64(a.l.N)
	a.list[u], a.least[u] = append(a.list[u][:0], best), best.w
}

func (a *boruvka) tree(ctx context.Context) ([]Edge, error) {
	if a.l == nil {
		return nil, ctx.Err()
	}
	if a.done {
		return a.places(a.edges), ctx.Err()
	}
	var edges []Edge
	for u, list := range a.list {
		for _, x := range list {
			edges = append(edges, Edge{min(int32(u), x.v), max(int32(u), x.v), x.w})
		}
	}
	edges, err := a.spanning(ctx, edges)
	return a.places(edges), err
}

// graph is what boruvka and cuslink share: a layout on a device, and how far its lists of neighbours are.
type graph struct {
	p    *points
	l    *Blocked
	ids  []int32
	hold Holding
	k    int
	at   int // blocks of rows
	w    Work
}

// open prepares the layout. raw: as the published system has it, in the order of the rows and not centred.
func (g *graph) open(ctx context.Context, p *points, o Options, raw bool) error {
	g.p = p
	if p.n < 2 {
		return nil
	}
	g.k = o.neighbours(p.n)
	device := o.Device
	if device == nil {
		device = Plain(p.threads)
	}
	return o.stage("arrange", func() (err error) {
		if g.l, err = newLayout(ctx, p); err != nil {
			return err
		}
		if raw {
			g.ids = make([]int32, p.n)
			for i := range g.ids {
				g.ids[i] = int32(i)
			}
			if err = g.l.centre(ctx, p.threads, raw); err == nil {
				err = g.l.fill(ctx, p.threads)
			}
		} else {
			g.ids, err = g.l.Arrange(ctx, p.threads)
		}
		if err == nil {
			g.hold, err = device.Hold(ctx, g.l)
		}
		return err
	})
}

// neighbours is how many the graph of n points has of each.
func (o Options) neighbours(n int) int {
	k := o.K
	if k == 0 {
		k = bits.Len(uint(n)) - 1 + 15 // floor(log2 n) + 15
	}
	return min(k, n-1, MostNear)
}

// units are the blocks of rows, and one for the tree.
func (g *graph) units() int64 {
	if g.l == nil {
		return 0
	}
	return int64(g.l.Blocks) + 1
}

func (g *graph) blocks(from, n int) (list []int32) {
	for i := range n {
		list = append(list, int32(from+i))
	}
	return list
}

// spanning is the spanning tree of edges, with places joined that follow each other where they leave parts.
func (g *graph) spanning(ctx context.Context, edges []Edge) ([]Edge, error) {
	for i := int32(1); int(i) < g.l.N; i++ {
		edges = append(edges, Edge{i - 1, i, g.l.Weight(i-1, i)})
	}
	sortEdges(edges, nil)
	return kruskal(ctx, newSets(g.l.N), edges, nil, make([]Edge, 0, g.l.N-1))
}

// places is a tree of places as one of points, sorted.
func (g *graph) places(edges []Edge) []Edge {
	out := make([]Edge, 0, len(edges))
	for _, e := range edges {
		i, j := g.ids[e.I], g.ids[e.J]
		out = append(out, Edge{min(i, j), max(i, j), e.W})
	}
	sortEdges(out, nil)
	return out
}

func (g *graph) work() Work {
	n := int64(g.p.n)
	g.w.Pairs = n * (n - 1) / 2
	return g.w
}

func (g *graph) close() {
	if g.hold != nil {
		g.hold.Free()
		g.hold = nil
	}
}
