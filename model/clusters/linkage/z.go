package linkage

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"blossom/model/base/par"
)

// Z is a hierarchy of m leaves in SciPy's format: m-1 rows of four numbers, ids a < b of the clusters that become one,
// their height, and how many leaves it has. Ids below m are leaves; row i makes cluster m+i. Heights ascend.
//
// What becomes one at the same height is in a canonical order, so that Z depends on the hierarchy alone: a new cluster
// of the parts P1, P2, ..., by their smallest leaf, has the rows (P1,P2), (that,P3), and so on, and new clusters of one
// height come in the order of their smallest leaf.
type Z []float64

// Len is the number of leaves.
func (z Z) Len() int { return len(z)/4 + 1 }

// Height is that of row i.
func (z Z) Height(i int) float64 { return z[4*i+2] }

// ids are the clusters of row i.
func (z Z) ids(i int) (a, b int32) { return int32(z[4*i]), int32(z[4*i+1]) }

// part is a cluster that joins others at one height.
type part struct {
	least int32 // its smallest leaf
	root  int32 // the root of a set
	of    int32 // number of the cluster that it becomes a part of, in the order of their smallest leaves
}

// FromTree makes Z of an MST of m leaves whose edges are sorted by weight.
func FromTree(m int, tree []Edge) Z {
	z, _ := fromTree(context.Background(), m, tree, 1)
	return z
}

// joined is a set of leaves that are one so far, where one of them is; of the others only up counts.
type joined struct {
	up    int32 // itself of the root
	id    int32
	count int32
	least int32 // its smallest leaf
}

// roots find the root of a leaf with path halving, as sets.
type roots []joined

func (c roots) find(i int32) int32 {
	for c[i].up != i {
		c[i].up = c[c[i].up].up
		i = c[i].up
	}
	return i
}

// fromTree is FromTree on so many cores, as far as it goes. The error is ctx's.
func fromTree(ctx context.Context, m int, tree []Edge, threads int) (Z, error) {
	if m < 2 {
		return Z{}, ctx.Err()
	}
	u := merging{make(Z, 0, 4*(m-1)), make(roots, m)}
	all := u.all
	if err := par.On(ctx, threads, m, block, func(_, from, to int) {
		for i := int32(from); int(i) < to; i++ {
			all[i] = joined{up: i, id: i, count: 1, least: i}
		}
	}); err != nil {
		return nil, err
	}
	var parts []part
	var ties ties
	const ahead = 24 // so that memory has come by then
	warm, seen := int32(0), 0
	for i := 0; i < len(tree); {
		if i >= seen {
			if seen = i + glance; ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		if i+ahead < len(tree) {
			far, near := tree[i+ahead], tree[i+ahead/2]
			warm ^= all[far.I].up ^ all[far.J].up ^ all[all[near.I].up].up ^ all[all[near.J].up].up
		}
		j := i + 1
		for j < len(tree) && tree[j].W == tree[i].W {
			j++
		}
		if j == i+1 {
			u.join(all.find(tree[i].I), all.find(tree[i].J), tree[i].W)
			i = j
			continue
		}
		parts = ties.parts(parts[:0], tree[i:j], all)
		for k := 0; k < len(parts); {
			at := parts[k].root
			of := parts[k].of
			for k++; k < len(parts) && parts[k].of == of; k++ {
				at = u.join(at, parts[k].root, tree[i].W)
			}
		}
		i = j
	}
	runtime.KeepAlive(warm)
	return u.z, nil
}

// merging is a hierarchy that is being made, with the clusters that there are so far.
type merging struct {
	z   Z
	all roots
}

// join makes one cluster of two roots, at w, and returns its root.
func (u *merging) join(a, b int32, w float64) int32 {
	all := u.all
	x, y := min(all[a].id, all[b].id), max(all[a].id, all[b].id)
	if all[a].count < all[b].count {
		a, b = b, a
	}
	to, from := &all[a], &all[b]
	from.up = a
	to.id = int32(len(all) + len(u.z)/4)
	to.count += from.count
	to.least = min(to.least, from.least)
	u.z = append(u.z, float64(x), float64(y), w, float64(to.count))
	return a
}

// ties is the memory of what finds the clusters that edges of one height make.
type ties struct {
	number []int32 // the number of a root among the parts; -1: none
	up     follow  // the links between parts
}

// follow says of each thing which one of its set it follows, itself of the root, which is chosen by who joins them.
type follow []int32

func (f follow) find(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// parts are the clusters that edges of one height join, those of one new cluster together, by their smallest leaf, and
// new clusters by theirs.
func (t *ties) parts(parts []part, edges []Edge, all roots) []part {
	if t.number == nil {
		t.number = make([]int32, len(all))
		for i := range t.number {
			t.number[i] = -1
		}
	}
	t.up = t.up[:0]
	number := func(leaf int32) int32 {
		root := all.find(leaf)
		n := t.number[root]
		if n < 0 {
			n = int32(len(parts))
			t.number[root] = n
			t.up = append(t.up, n)
			parts = append(parts, part{least: all[root].least, root: root})
		}
		return n
	}
	for _, e := range edges {
		a, b := t.up.find(number(e.I)), t.up.find(number(e.J))
		if parts[a].least > parts[b].least { // the root of a new cluster is the part with the smallest leaf
			a, b = b, a
		}
		t.up[b] = a
	}
	for i := range parts {
		parts[i].of = parts[t.up.find(int32(i))].least
		t.number[parts[i].root] = -1
	}
	if len(parts) > len(all)/64 && len(parts) > few {
		return countParts(parts, len(all))
	}
	slices.SortFunc(parts, func(a, b part) int {
		if a.of != b.of {
			return cmp.Compare(a.of, b.of)
		}
		return cmp.Compare(a.least, b.least)
	})
	return parts
}

// countParts sorts parts as parts does, many of them: by what they are of in the order of their smallest leaves, each
// a leaf of its own.
func countParts(parts []part, leaves int) []part {
	at := make([]int32, leaves) // from 1: the part whose smallest leaf it is
	for i, p := range parts {
		at[p.least] = int32(i) + 1
	}
	byLeast, starts := make([]part, 0, len(parts)), make([]int32, leaves+1)
	for _, i := range at {
		if i > 0 {
			byLeast = append(byLeast, parts[i-1])
			starts[parts[i-1].of+1]++
		}
	}
	for i := range leaves {
		starts[i+1] += starts[i]
	}
	for _, p := range byLeast {
		parts[starts[p.of]] = p
		starts[p.of]++
	}
	return parts
}
