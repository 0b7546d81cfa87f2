package linkage

import (
	"cmp"
	"context"
	"slices"

	"blossom/model/internal/par"
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
	root  int32 // of it
	of    int32 // number of the cluster that it becomes a part of, in the order of their smallest leaves
}

// FromTree makes Z of an MST of m leaves whose edges are sorted by weight.
func FromTree(m int, tree []Edge) Z { return fromTree(m, tree, nil, 1) }

// joined is a set of leaves that are one so far, at the place of one of them; of the others only up counts.
type joined struct {
	up    int32 // itself of the root
	id    int32
	count int32
	least int32 // its smallest leaf
}

// roots find the root of a place with path halving, as sets.
type roots []joined

func (c roots) find(i int32) int32 {
	for c[i].up != i {
		c[i].up = c[c[i].up].up
		i = c[i].up
	}
	return i
}

// fromTree is FromTree where leaves have places in memory, so that those near each other are found together: at says
// which, each once; nil: a leaf's own number.
func fromTree(m int, tree []Edge, at []int32, threads int) Z {
	if m < 2 {
		return Z{}
	}
	z := make(Z, 0, 4*(m-1))
	all := make(roots, m)
	ends := make([][2]int32, len(tree)) // places of edges
	ctx := context.Background()
	_ = par.On(ctx, threads, m, block, func(_, from, to int) {
		for i := int32(from); int(i) < to; i++ {
			p := i
			if at != nil {
				p = at[i]
			}
			all[p] = joined{up: p, id: i, count: 1, least: i}
		}
	})
	_ = par.On(ctx, threads, len(tree), block, func(_, from, to int) {
		for k, e := range tree[from:to] {
			if ends[from+k] = [2]int32{e.I, e.J}; at != nil {
				ends[from+k] = [2]int32{at[e.I], at[e.J]}
			}
		}
	})
	join := func(a, b int32, w float64) int32 { // of roots
		x, y := min(all[a].id, all[b].id), max(all[a].id, all[b].id)
		if all[a].count < all[b].count {
			a, b = b, a
		}
		to, from := &all[a], &all[b]
		from.up = a
		to.id = int32(m + len(z)/4)
		to.count += from.count
		to.least = min(to.least, from.least)
		z = append(z, float64(x), float64(y), w, float64(to.count))
		return a
	}
	var parts []part
	var ties ties
	for i := 0; i < len(tree); {
		j := i + 1
		for j < len(tree) && tree[j].W == tree[i].W {
			j++
		}
		if j == i+1 {
			join(all.find(ends[i][0]), all.find(ends[i][1]), tree[i].W)
			i = j
			continue
		}
		parts = ties.parts(parts[:0], ends[i:j], all)
		for k := 0; k < len(parts); {
			at := parts[k].root
			of := parts[k].of
			for k++; k < len(parts) && parts[k].of == of; k++ {
				at = join(at, parts[k].root, tree[i].W)
			}
		}
		i = j
	}
	return z
}

// ties is the memory of what finds the clusters that edges of one height make.
type ties struct {
	number map[int32]int32 // of a root among the parts
	up     sets            // of parts
}

// parts are the clusters that edges of one height join, those of one new cluster together, by their smallest leaf, and
// new clusters by theirs.
func (t *ties) parts(parts []part, edges [][2]int32, all roots) []part {
	if t.number == nil {
		t.number = map[int32]int32{}
	}
	clear(t.number)
	t.up = t.up[:0]
	number := func(place int32) int32 {
		root := all.find(place)
		n, known := t.number[root]
		if !known {
			n = int32(len(parts))
			t.number[root] = n
			t.up = append(t.up, n)
			parts = append(parts, part{least: all[root].least, root: root})
		}
		return n
	}
	for _, e := range edges {
		a, b := t.up.find(number(e[0])), t.up.find(number(e[1]))
		if parts[a].least > parts[b].least { // the root of a new cluster is the part with the smallest leaf
			a, b = b, a
		}
		t.up[b] = a
	}
	for i := range parts {
		parts[i].of = parts[t.up.find(int32(i))].least
	}
	slices.SortFunc(parts, func(a, b part) int {
		if a.of != b.of {
			return cmp.Compare(a.of, b.of)
		}
		return cmp.Compare(a.least, b.least)
	})
	return parts
}
