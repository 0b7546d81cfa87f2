package linkage

import (
	"context"
	"math"
	"slices"
)

// light looks at pairs of blocks with thresholds that are known beforehand. T is any spanning tree; a pair is light if
// it is lighter than T's way between its points. T is an MST if and only if no pair is light, and the MST of T and all
// light pairs is one (D. Karger, P. Klein, R. Tarjan, "A Randomized Linear-Time Algorithm to Find Minimum Spanning
// Trees", 1995). A better tree of T and pairs that were found has no way that goes further, so that a pair once ruled
// out stays so: T gets better on the way, pairs are looked at once and in any order, and a bad T only costs time.
func init() {
	register(Algorithm{ID: "light", Title: "Light pairs", Exact: true,
		Help:  "bounds rule pairs out, the rest is looked at once; exact, and the fastest",
		start: newLight})
}

const (
	treeNeighbours = 4  // of each point, for the first tree
	chunks         = 64 // parts of the pass after each of which the tree may be made anew
	leastChunk     = 8  // blocks of rows
)

type light struct {
	p     *points
	l     *Layout
	ids   []int32 // the point of each place
	hold  Holding
	track *tracker
	edges []Edge // the tree, of places, sorted
	kept  []Edge
	spare []Edge

	step1 int32 // from one block of rows to the next, going round
	next  int   // of the pass
	chunk []Task
	done  int // of the chunk
	w     Work
}

func newLight(ctx context.Context, p *points, o Options) (body, error) {
	a := &light{p: p}
	if p.n < 2 {
		return a, nil
	}
	device := o.Device
	if device == nil {
		device = Plain(p.threads)
	}
	var err error
	if a.l, a.ids, err = newLayout(ctx, p, false); err != nil {
		return nil, err
	}
	if a.hold, err = device.Hold(ctx, a.l); err != nil {
		return nil, err
	}
	if err = a.first(ctx); err != nil {
		a.close()
		return nil, err
	}
	nb := a.l.Blocks
	a.step1 = 1
	for s := int32(float64(nb) * 0.618); s > 1; s-- { // spread over all places
		if gcd(int(s), nb) == 1 {
			a.step1 = s
			break
		}
	}
	return a, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// first makes the first tree: of near points, and of those that follow each other where that leaves parts.
func (a *light) first(ctx context.Context) error {
	n, k := a.l.N, treeNeighbours
	ids, scores := make([]int32, a.l.Blocks*BlockSize*k), make([]float32, a.l.Blocks*BlockSize*k)
	q := Query{K: k, Local: true}
	for b := range int32(a.l.Blocks) {
		q.Blocks = append(q.Blocks, b)
	}
	if err := a.hold.Nearest(ctx, q, ids, scores); err != nil {
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
		if err := a.hold.Weights(ctx, a.kept); err != nil {
			return err
		}
		a.merge()
	}
	a.track = newTracker(a.l, a.p.threads)
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
func (a *light) sided() bool {
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

func (a *light) total() int64 {
	if a.l == nil {
		return 0
	}
	return int64(a.l.Blocks)
}

// task is the i-th block of rows of the pass. One side looks at the half of all blocks that follows, going round.
func (a *light) task(i, most int) Task {
	nb := int32(a.l.Blocks)
	t := Task{Block: int32(int64(i) * int64(a.step1) % int64(nb)), To: nb, Most: int32(most)}
	if !a.track.b.Full {
		t.To = (nb + 1) / 2
		if nb%2 == 0 && t.Block < nb/2 {
			t.To++
		}
	}
	return t
}

func (a *light) step(ctx context.Context, units int) (int64, error) {
	if a.l == nil {
		return 0, nil
	}
	for units > 0 && (a.next < a.l.Blocks || len(a.chunk) > 0) {
		if len(a.chunk) == 0 {
			a.begin()
		}
		n := min(units, len(a.chunk)-a.done)
		if n > 0 {
			if err := a.look(ctx, a.chunk[a.done:a.done+n]); err != nil {
				return a.settled(), err
			}
			a.done += n
			units -= n
		}
		if a.done == len(a.chunk) {
			if err := a.end(ctx); err != nil {
				return a.settled(), err
			}
		}
	}
	return a.settled(), nil
}

// settled is how many blocks of rows are done; the last only when the tree is made of what it found.
func (a *light) settled() int64 {
	return int64(a.next - len(a.chunk) + min(a.done, max(0, len(a.chunk)-1)))
}

// begin takes the next chunk of blocks.
func (a *light) begin() {
	nb := a.l.Blocks
	size := max(leastChunk, nb/chunks)
	if a.next < nb/chunks { // the first tree is bad: what it keeps is many, and makes it much better
		size = max(leastChunk, nb/chunks/8)
	}
	size = min(size, nb-a.next)
	most := max(4096, a.l.N/size)
	a.chunk, a.done = a.chunk[:0], 0
	for i := range size {
		a.chunk = append(a.chunk, a.task(a.next+i, most))
	}
	a.next += size
}

func (a *light) look(ctx context.Context, tasks []Task) error {
	return a.hold.Look(ctx, &a.track.b, tasks, func(e Edge) { a.kept = append(a.kept, e) }, &a.w)
}

// end finishes the tasks of a chunk that have kept too much, and makes the tree anew where that is worth it.
func (a *light) end(ctx context.Context) error {
	for {
		open := a.chunk[:0]
		for _, t := range a.chunk {
			if t.From < t.To {
				open = append(open, t)
			}
		}
		a.chunk = open
		a.done = len(open)
		if len(open) > 0 || 4*len(a.kept) > a.l.N || a.next == a.l.Blocks {
			if err := a.refresh(ctx); err != nil {
				return err
			}
		}
		if len(open) == 0 {
			return nil
		}
		if err := a.look(ctx, open); err != nil {
			return err
		}
	}
}

// merge makes the tree of itself and what was kept.
func (a *light) merge() {
	a.spare = sortEdges(a.kept, a.spare)
	if cap(a.spare) < a.l.N-1 {
		a.spare = make([]Edge, 0, a.l.N-1)
	}
	tree := kruskal(a.l.N, a.edges, a.kept, a.spare[:0])
	a.edges, a.spare, a.kept = tree, a.edges[:0], a.kept[:0]
}

// refresh makes the tree anew where something was kept, and its bounds.
func (a *light) refresh(ctx context.Context) error {
	if len(a.kept) > 0 {
		a.merge()
		a.w.Refreshes++
	}
	return a.track.set(ctx, a.edges)
}

func (a *light) tree() []Edge {
	if a.l == nil {
		return nil
	}
	edges := a.edges
	if len(a.kept) > 0 {
		kept := append([]Edge(nil), a.kept...)
		sortEdges(kept, nil)
		edges = kruskal(a.l.N, edges, kept, make([]Edge, 0, a.l.N-1))
	}
	out := make([]Edge, 0, len(edges))
	for _, e := range edges {
		i, j := a.ids[e.I], a.ids[e.J]
		out = append(out, Edge{min(i, j), max(i, j), e.W})
	}
	sortEdges(out, nil)
	return out
}

func (a *light) work() Work {
	w, n := a.w, int64(a.p.n)
	w.Pairs = n * (n - 1) / 2
	if a.l == nil {
		return w
	}
	settled := float64(w.Pairs) * float64(a.settled()) / float64(a.l.Blocks)
	if a.track.b.Full { // each pair has two sides that can look
		w.Tested = int64(math.Ceil(float64(w.Tested) / 2))
	}
	w.RuledOut = max(0, int64(settled)-w.Tested)
	return w
}

func (a *light) close() {
	if a.hold != nil {
		a.hold.Free()
		a.hold = nil
	}
}
