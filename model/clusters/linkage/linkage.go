// Package linkage is single linkage, exactly: the hierarchy of the components of all pairs of points no further apart
// than a height, for every height. It follows from any minimum spanning tree (MST) of the points.
//
// Weights of pairs are defined to the last bit (Metric), so that heights are equal on every engine and those of SciPy;
// under ties rows are in a canonical order (see Z), so that a hierarchy has one Z whatever tree it came from.
//
// Algorithms are a family, a file each: prim, the reference, looks at every pair in float64 with memory for O(n)
// numbers; light rules most pairs out by bounds and proves the rest; boruvka and cuslink are the published system,
// certified and as it was (C. Nolet et al., "cuSLINK: Single-linkage Agglomerative Clustering on the GPU", 2023).
package linkage

// Edge joins two points, I < J, that are W apart.
type Edge struct {
	I, J int32
	W    float64
}

// Linkage is the hierarchy of the valid rows of a table, which are its leaves, numbered in the order of the rows.
type Linkage struct {
	Rows       int     // rows of the table
	Leaves     []int32 // the row of each leaf, ascending; nil where every row is one
	Duplicates int     // leaves that are equal to an earlier one
	Z          Z
	Tree       []Edge // an MST over leaves, by (W, I, J); nil of a Z that was read from a file
}

// Len is the number of leaves.
func (l *Linkage) Len() int { return leavesOf(l.Rows, l.Leaves) }

func leavesOf(rows int, leaves []int32) int {
	if leaves == nil {
		return rows
	}
	return len(leaves)
}

// Row is the row of the table that a leaf is.
func (l *Linkage) Row(leaf int32) int32 {
	if l.Leaves == nil {
		return leaf
	}
	return l.Leaves[leaf]
}

// Spread returns labels of leaves as labels of rows: -1 for a row that is no leaf.
func (l *Linkage) Spread(labels []int32) []int32 {
	if l.Leaves == nil {
		return labels
	}
	out := make([]int32, l.Rows)
	for i := range out {
		out[i] = Noise
	}
	for i, row := range l.Leaves {
		out[row] = labels[i]
	}
	return out
}
