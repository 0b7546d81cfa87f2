package linkage

import (
	"context"
	"slices"

	"blossom/model/internal/par"
)

// tracker makes the bounds of one tree after the other. Representatives of blocks stay what they were at first: then
// all bounds only fall while the tree gets better, and a pair that was ruled out stays so from either side.
type tracker struct {
	l       *Layout
	threads int
	links   *links
	b       Bounds
	rep     []int32 // of each block, a place
	size    []int32 // memory of links
	// lists of representatives that are joined, in the order of the tree's leaves
	head, tail, next []int32   // by root, by root, by block
	gap              []float64 // before each block
}

func newTracker(l *Layout, threads int) *tracker {
	t := &tracker{l: l, threads: threads, links: &links{make([]int32, l.N), make([]float64, l.N)},
		size: make([]int32, l.N), head: make([]int32, l.N), tail: make([]int32, l.N),
		next: make([]int32, l.Blocks), gap: make([]float64, l.Blocks)}
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

// set makes the bounds of a tree that is sorted.
func (t *tracker) set(ctx context.Context, tree []Edge) error {
	l := t.l
	t.b.Turn++
	t.links.set(tree, t.size)
	if t.rep == nil {
		t.rep = make([]int32, l.Blocks)
		if err := par.On(ctx, t.threads, l.Blocks, 16, func(_, from, to int) {
			for b := from; b < to; b++ {
				t.rep[b] = t.central(b)
			}
		}); err != nil {
			t.rep = nil
			return err
		}
	}
	t.leaves(tree)
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

// central is the place of a block with the least sum of ways through the tree to the others.
func (t *tracker) central(b int) int32 {
	from, to := b*BlockSize, min(t.l.N, (b+1)*BlockSize)
	// By leaves of the part of the tree within the block: joining them by their nearest ways keeps sums.
	n := to - from
	type way struct {
		w    float64
		i, j int
	}
	// A chain in which each place follows the one it is nearest to, as Prim has it: ways of it are those of the tree.
	var near [BlockSize]float64
	var with [BlockSize]int
	ways := make([]way, 0, BlockSize)
	var out [BlockSize]int
	left := 0
	for i := 1; i < n; i++ {
		out[left] = i
		near[i], with[i] = t.links.apart(int32(from), int32(from+i)), 0
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
		ways = append(ways, way{near[i], with[i], i})
		left--
		out[at] = out[left]
		for k := range left {
			// The way to i is known to be at most max(near[i], way to the others): an ultrametric.
			j := out[k]
			if near[j] > near[i] || near[j] == near[i] {
				if w := t.links.apart(int32(from+i), int32(from+j)); w < near[j] {
					near[j], with[j] = w, i
				}
			}
		}
	}
	slices.SortFunc(ways, func(a, b way) int {
		if a.w < b.w {
			return -1
		} else if a.w > b.w {
			return 1
		}
		return 0
	})
	// Sums: when two parts become one at w, each place of one is w from each of the other.
	var sum [BlockSize]float64
	var part [BlockSize][]int
	var of [BlockSize]int
	for i := range n {
		part[i], of[i] = append(make([]int, 0, 4), i), i
	}
	for _, w := range ways {
		a, b := of[w.i], of[w.j]
		if len(part[a]) < len(part[b]) {
			a, b = b, a
		}
		na, nb := float64(len(part[a])), float64(len(part[b]))
		for _, i := range part[a] {
			sum[i] += w.w * nb
		}
		for _, i := range part[b] {
			sum[i] += w.w * na
			of[i] = a
		}
		part[a] = append(part[a], part[b]...)
		part[b] = nil
	}
	best := 0
	for i := 1; i < n; i++ {
		if sum[i] < sum[best] {
			best = i
		}
	}
	return int32(from + best)
}

// leaves puts representatives in the order of the tree's leaves: between two of them lies the most of the gaps.
func (t *tracker) leaves(tree []Edge) {
	const none = -1
	for i := range t.head {
		t.head[i], t.tail[i] = none, none
	}
	for b, r := range t.rep {
		t.head[r], t.tail[r], t.next[b] = int32(b), int32(b), none
	}
	up := newSets(len(t.head))
	last := int32(0)
	for _, e := range tree {
		a, b := up.find(e.I), up.find(e.J)
		up[b] = a
		last = a
		switch {
		case t.head[b] == none:
		case t.head[a] == none:
			t.head[a], t.tail[a] = t.head[b], t.tail[b]
		default:
			t.next[t.tail[a]] = t.head[b]
			t.gap[t.head[b]] = e.W
			t.tail[a] = t.tail[b]
		}
	}
	at := int32(0)
	for b := t.head[last]; b != none; b = t.next[b] {
		t.b.Order[at], t.b.At[b] = b, at
		if at > 0 {
			t.b.Gap[at] = t.l.reach(t.gap[b])
		}
		at++
	}
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
