package linkage

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// LinkageOf is Linkage of a table whose rows are those of another one in a different order: order is the row there of
// each row, nil for the same, and rows is how many that has. What is of no row is no leaf.
func (r *Clustering) LinkageOf(ctx context.Context, order []int32, rows int) (*Linkage, error) {
	if order == nil {
		return r.Linkage(ctx)
	}
	l := &Linkage{Rows: rows, Duplicates: r.p.m - r.p.n}
	err := r.time("linkage", func() error {
		leaf := make([]int32, rows) // the leaf of each row there
		for i := range leaf {
			leaf[i] = -1
		}
		for i := range int32(r.p.m) {
			leaf[order[r.p.rowOf(i)]] = 0
		}
		at := int32(0)
		for i := range leaf {
			if leaf[i] == 0 {
				leaf[i] = at
				at++
			}
		}
		if int(at) < rows {
			l.Leaves = make([]int32, 0, at)
			for row, i := range leaf {
				if i >= 0 {
					l.Leaves = append(l.Leaves, int32(row))
				}
			}
		}
		tree, err := r.body.tree(ctx)
		if err != nil {
			return err
		}
		tree = r.p.whole(tree)
		l.Tree = make([]Edge, len(tree))
		if err := par.On(ctx, r.o.Threads, len(tree), block, func(_, from, to int) {
			for k := from; k < to; k++ {
				e := tree[k]
				i, j := leaf[order[r.p.rowOf(e.I)]], leaf[order[r.p.rowOf(e.J)]]
				l.Tree[k] = Edge{min(i, j), max(i, j), e.W}
			}
		}); err != nil {
			return err
		}
		sortTies(l.Tree, nil)
		l.Z, err = fromTree(ctx, r.p.m, l.Tree, r.o.Threads)
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// OfTree is the hierarchy of a spanning tree over so many of the rows of a table, sorted by weight; its edges are of
// rows and become those of leaves. The error is a Problem: it is no such tree.
func OfTree(rows, leaves int, edges []Edge) (*Linkage, error) {
	bad := func(format string, args ...any) (*Linkage, error) {
		return nil, problem.New("", "compute it again", format, args...)
	}
	if leaves < 0 || leaves > rows || rows > math.MaxInt32/2 || len(edges) != max(leaves-1, 0) {
		return bad("a tree of %d edges does not span %d of %d points", len(edges), leaves, rows)
	}
	leaf := make([]int32, rows)
	for k, e := range edges {
		if e.I < 0 || e.J <= e.I || int(e.J) >= rows || !(e.W >= 0) || math.IsInf(e.W, 1) ||
			k > 0 && less(edges[k-1], e) >= 0 {
			return bad("edge %d of the tree cannot be one", k+1)
		}
		leaf[e.I], leaf[e.J] = 1, 1
	}
	l := &Linkage{Rows: rows, Tree: edges}
	if leaves == 1 && rows > 1 || leaves < rows && leaves == 0 {
		l.Leaves = []int32{} // which point is alone is not known: it has no neighbour to be in a cluster with
		return l, nil
	}
	if leaves < rows {
		at := int32(0)
		for row := range leaf {
			if leaf[row] != 0 {
				l.Leaves = append(l.Leaves, int32(row))
				leaf[row] = at
				at++
			}
		}
		if len(l.Leaves) != leaves {
			return bad("the tree has %d points, not %d", len(l.Leaves), leaves)
		}
		for k, e := range edges {
			edges[k].I, edges[k].J = leaf[e.I], leaf[e.J]
		}
	}
	up := newSets(leaves)
	for k, e := range edges {
		if !up.unite(e.I, e.J) {
			return bad("edge %d closes a ring", k+1)
		}
	}
	l.Z = FromTree(leaves, edges)
	return l, nil
}

// Sum is a number by which the tree is known again: other edges give another one.
func (l *Linkage) Sum() uint64 {
	const prime = 0x100000001b3 // FNV-1a (Fowler, Noll, Vo), a word at a time
	h := uint64(0xcbf29ce484222325)
	add := func(v uint64) {
		h = (h ^ v) * prime
		h ^= h >> 29
	}
	add(uint64(l.Rows))
	for _, e := range l.Tree {
		add(uint64(l.Row(e.I))<<32 | uint64(l.Row(e.J)))
		add(math.Float64bits(e.W))
	}
	return h
}
