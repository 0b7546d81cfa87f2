package linkage

import (
	"cmp"
	"slices"
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
func FromTree(m int, tree []Edge) Z {
	if m < 2 {
		return Z{}
	}
	z := make(Z, 0, 4*(m-1))
	up := newSets(m)
	id, count, least := make([]int32, m), make([]int32, m), make([]int32, m) // of roots
	for i := range id {
		id[i], count[i], least[i] = int32(i), 1, int32(i)
	}
	join := func(a, b int32, w float64) int32 { // of roots
		x, y := min(id[a], id[b]), max(id[a], id[b])
		if count[a] < count[b] {
			a, b = b, a
		}
		up[b] = a
		id[a] = int32(m + len(z)/4)
		count[a] += count[b]
		least[a] = min(least[a], least[b])
		z = append(z, float64(x), float64(y), w, float64(count[a]))
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
			join(up.find(tree[i].I), up.find(tree[i].J), tree[i].W)
			i = j
			continue
		}
		parts = ties.parts(parts[:0], tree[i:j], up, least)
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
func (t *ties) parts(parts []part, edges []Edge, up sets, least []int32) []part {
	if t.number == nil {
		t.number = map[int32]int32{}
	}
	clear(t.number)
	t.up = t.up[:0]
	number := func(leaf int32) int32 {
		root := up.find(leaf)
		n, known := t.number[root]
		if !known {
			n = int32(len(parts))
			t.number[root] = n
			t.up = append(t.up, n)
			parts = append(parts, part{least: least[root], root: root})
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
	}
	slices.SortFunc(parts, func(a, b part) int {
		if a.of != b.of {
			return cmp.Compare(a.of, b.of)
		}
		return cmp.Compare(a.least, b.least)
	})
	return parts
}
