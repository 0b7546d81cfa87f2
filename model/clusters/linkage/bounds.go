package linkage

import (
	"context"
	"math"

	"blossom/model/base/par"
)

// tracker makes the bounds of one tree after the other. Representatives of blocks stay what they were at first: then
// all bounds only fall while the tree gets better, and a pair that was ruled out stays so from either side.
type tracker struct {
	l       *Blocked
	threads int
	links   *links
	b       Bounds
	rep     []int32 // a place of each block, its representative
	up      sets    // memory of links
	// lists of representatives that are joined, in the order of the tree's leaves
	tail, next []int32   // the end of the list that a block heads; the block after each
	gap        []float64 // before each block
}

func newTracker(l *Blocked, threads int, up sets) *tracker {
	t := &tracker{l: l, threads: threads, links: &links{make([]int32, l.N), make([]float64, l.N)}, up: up,
		tail: make([]int32, l.Blocks), next: make([]int32, l.Blocks), gap: make([]float64, l.Blocks)}
	t.b = Bounds{S: make([]float32, l.Blocks*BlockSize), SMax: make([]float32, l.Blocks),
		Order: make([]int32, l.Blocks), At: make([]int32, l.Blocks), Gap: make([]float32, l.Blocks)}
	t.b.Up, t.b.W = t.links.up, t.links.w
	if l.Core != nil {
		t.b.Core = make([]float32, l.Blocks*BlockSize)
		for i, c := range l.Core {
			t.b.Core[i] = l.Within(c)
		}
	}
	return t
}

// none is where a list ends, or that there is none.
const none = -1

// set makes the bounds of a tree that is sorted and spans the places. The error is ctx's: then they are of no use until
// it was called again.
func (t *tracker) set(ctx context.Context, tree []Edge) error {
	l := t.l
	t.b.Turn++
	if err := t.link(ctx, tree); err != nil {
		return err
	}
	if t.rep == nil {
		rep := make([]int32, l.Blocks)
		if err := par.On(ctx, t.threads, l.Blocks, 16, func(_, from, to int) {
			for b := from; b < to; b++ {
				rep[b] = t.central(b)
			}
		}); err != nil {
			return err
		}
		t.rep = rep
		if err := t.link(ctx, tree); err != nil { // for the order of the leaves
			return err
		}
	}
	return par.On(ctx, t.threads, l.Blocks, 16, func(_, from, to int) {
		for b := from; b < to; b++ {
			most := float32(0)
			for i := b * BlockSize; i < min(l.N, (b+1)*BlockSize); i++ {
				t.b.S[i] = l.reach(t.links.apart(int32(i), t.rep[b]))
				most = max(most, t.b.S[i])
			}
			t.b.SMax[b] = most
		}
	})
}

// link makes the links of a tree, and puts the representatives in the order of its leaves: between two of them lies the
// most of the gaps. A root's link, which nobody needs before it is there, is meanwhile the head of its list.
func (t *tracker) link(ctx context.Context, tree []Edge) error {
	up, w, sets := t.links.up, t.links.w, t.up
	sets.reset()
	for i := range up {
		up[i], w[i] = none, math.Inf(1)
	}
	for b, r := range t.rep {
		up[r], t.tail[b], t.next[b] = int32(b), int32(b), none
	}
	for k, e := range tree {
		if k%glance == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, b := sets.find(e.I), sets.find(e.J)
		if a == b {
			continue
		}
		a, b = sets.join(a, b)
		switch first, second := up[a], up[b]; {
		case second == none:
		case first == none:
			up[a] = second
		default:
			t.next[t.tail[first]], t.gap[second] = second, e.W
			t.tail[first] = t.tail[second]
		}
		up[b], w[b] = a, e.W
	}
	root := sets.find(0)
	at := int32(0)
	for b := up[root]; b != none; b = t.next[b] {
		t.b.Order[at], t.b.At[b] = b, at
		if at > 0 {
			t.b.Gap[at] = t.l.reach(t.gap[b])
		}
		at++
	}
	up[root] = root
	return nil
}

// central is the place of a block with the least sum of ways through the tree to the others.
func (t *tracker) central(b int) int32 {
	from, to := b*BlockSize, min(t.l.N, (b+1)*BlockSize)
	ways := t.chain(from, to-from)
	sum := ways.sums(to - from)
	best := 0
	for i := 1; i < to-from; i++ {
		if sum[i] < sum[best] {
			best = i
		}
	}
	return int32(from + best)
}

// way joins two places of a block, w apart in the tree.
type way struct {
	w    float64
	i, j int32
}

// waysOfBlock are the ways that join the places of a block, one fewer than there are, shortest first.
type waysOfBlock [BlockSize]way

// chain joins the n places from from on.
func (t *tracker) chain(from, n int) (ways waysOfBlock) {
	// A chain in which each place follows the one it is nearest to, as Prim has it: ways of it are those of the tree.
	var near [BlockSize]float64
	var with, out [BlockSize]int32
	left := 0
	for i := 1; i < n; i++ {
		out[left] = int32(i)
		near[i] = t.links.apart(int32(from), int32(from+i))
		left++
	}
	for left > 0 {
		at := 0
		for k := 1; k < left; k++ {
			if near[out[k]] < near[out[at]] {
				at = k
			}
		}
		i := out[at]
		// Ways are put in order as they come.
		k := n - 1 - left
		for ; k > 0 && ways[k-1].w > near[i]; k-- {
			ways[k] = ways[k-1]
		}
		ways[k] = way{near[i], with[i], i}
		left--
		out[at] = out[left]
		for _, j := range out[:left] { // none of them was nearer
			if w := t.links.apart(int32(from)+i, int32(from)+j); w < near[j] {
				near[j], with[j] = w, i
			}
		}
	}
	return ways
}

// sums adds up for each of n places how far the others are: when two parts become one at w, each place of one is w from
// each of the other. A part is a ring.
func (ways *waysOfBlock) sums(n int) (sum [BlockSize]float64) {
	var after, of, many [BlockSize]int32
	for i := range n {
		after[i], of[i], many[i] = int32(i), int32(i), 1
	}
	for _, w := range ways[:max(n-1, 0)] {
		a, b := of[w.i], of[w.j]
		if many[a] < many[b] {
			a, b = b, a
		}
		na, nb := float64(many[a]), float64(many[b])
		for i, first := a, true; first || i != a; i, first = after[i], false {
			sum[i] += w.w * nb
		}
		for i, first := b, true; first || i != b; i, first = after[i], false {
			sum[i] += w.w * na
			of[i] = a
		}
		many[a] += many[b]
		after[a], after[b] = after[b], after[a]
	}
	return sum
}

// Ways writes to m, by block, the most that the tree's way goes between its representative and that of block a.
func (b *Bounds) Ways(a int32, m []float32) {
	m[a] = 0
	way := float32(0)
	for at := int(b.At[a]) + 1; at < len(b.Order); at++ {
		way = max(way, b.Gap[at])
		m[b.Order[at]] = way
	}
	way = 0
	for at := int(b.At[a]); at > 0; at-- {
		way = max(way, b.Gap[at])
		m[b.Order[at-1]] = way
	}
}
