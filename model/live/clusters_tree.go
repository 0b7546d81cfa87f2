package live

import (
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
)

// TreeLine is an edge of the spanning tree over the points of a view, or over landmarks.
type TreeLine struct {
	A, B int32 // in the order of the map
	Kind TreeKind
}

// TreeKind is what an edge of the tree joins.
type TreeKind uint8

// The kinds, as they are drawn above each other.
const (
	TreeStray  TreeKind = iota // a point in no cluster
	TreeInside                 // points of one cluster
	TreeBridge                 // two clusters
)

// MostTreeLines is how many edges of a tree are drawn: of more, the longest.
const MostTreeLines = 50_000

// treeLines are the edges that are drawn, kept until what they are of changes.
type treeLines struct {
	lines []TreeLine
	of    *parts.Hierarchy
	cut   revision.Revision
	table revision.Revision
	rev   revision.Revision

	point   []int32 // the point of each row of the data; -1: none
	pointOf revision.Revision
}

// Tree returns the edges of the spanning tree, the longest where there are too many to draw, by what they join, bridges
// last; of how many they are; whether they are of landmarks; and a revision that is another whenever they are. There
// are none where there is no hierarchy.
func (c *Clusters) Tree() (lines []TreeLine, all int, landmarks bool, rev revision.Revision) {
	f, _, cut := c.Flat()
	if f == nil {
		return nil, 0, false, 0
	}
	h, t := c.of, &c.tree
	landmarks = c.at.choice.Landmarks
	if t.of != h || t.cut != cut || t.table != c.m.table.Rev {
		t.of, t.cut, t.table, t.rev = h, cut, c.m.table.Rev, revision.Next()
		t.lines = c.lines(h, f, landmarks)
	}
	return t.lines, len(h.Linkage.Tree), landmarks, t.rev
}

func (c *Clusters) lines(h *parts.Hierarchy, f *linkage.Flat, landmarks bool) []TreeLine {
	edges := h.Linkage.Tree
	edges = edges[max(len(edges)-MostTreeLines, 0):] // they are sorted
	labels := c.labels(f)
	point := func(row int32) int32 { return row }
	if !landmarks {
		c.tree.places(c.m)
		point = func(row int32) int32 { return c.tree.point[row] }
	}
	var by [TreeBridge + 1][]TreeLine
	for _, e := range edges {
		i, j := h.Row(e.I), h.Row(e.J)
		a, b := point(i), point(j)
		if a < 0 || b < 0 {
			continue
		}
		kind := TreeStray
		switch x, y := labels[i], labels[j]; {
		case x != x || y != y:
		case x == y:
			kind = TreeInside
		default:
			kind = TreeBridge
		}
		by[kind] = append(by[kind], TreeLine{a, b, kind})
	}
	return append(append(by[TreeStray], by[TreeInside]...), by[TreeBridge]...)
}

// places finds the point of the map of each row.
func (t *treeLines) places(m *Map) {
	if t.point != nil && t.pointOf == m.table.Rev {
		return
	}
	t.pointOf, t.point = m.table.Rev, make([]int32, m.Doc.Data.Points)
	for i := range t.point {
		t.point[i] = -1
	}
	for i := range m.table.X.Rows {
		t.point[rowOf(m.table.Order, i)] = int32(i)
	}
}
