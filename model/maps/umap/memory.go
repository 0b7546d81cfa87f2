package umap

import (
	"fmt"

	"blossom/model/base/problem"
)

// A map that forms keeps so many bytes: for a pair of neighbours found (its index, distance and membership, and what
// edges are joined from), for an edge, of which there are about 1.5 a neighbour (column, weight and rate, and again as
// a processor keeps them), and for a point.
const (
	neighbourBytes = 8 + 4 + 8
	edgeBytes      = 1.5 * (12 + 8)
	pointBytes     = 136
)

// Bytes is about how much memory a map of n points of cols coordinates takes with so many neighbours, beside the points
// themselves. copied says that they are copied.
func Bytes(n, cols, neighbours int, copied bool) int64 {
	_, k := Allowed(n, neighbours)
	each := float64(k)*(neighbourBytes+edgeBytes) + pointBytes
	if copied {
		each += 4 * float64(cols)
	}
	return int64(each * float64(n))
}

// Fits says (problem.Problem) that a map does not fit into so many bytes of free memory, with what would: fewer points,
// which fewer turns into what the user can do. free 0: it is not known.
func Fits(n, cols, neighbours int, copied bool, free int64, fewer func(n int) string) error {
	need, room := Bytes(n, cols, neighbours, copied), 0.9*float64(free)
	if free <= 0 || float64(need) <= room {
		return nil
	}
	remedy := "close other programs, or take fewer neighbours"
	bytes := func(n int) float64 { return float64(Bytes(n, cols, neighbours, true)) }
	if fit := problem.Fewer(n, room, bytes); fit > 0 {
		remedy = fewer(fit) + ", or fewer neighbours"
	}
	return problem.New("", remedy, "UMAP of %d points with %d neighbours needs about %s of memory, and %s are free", n,
		neighbours, gigabytes(need), gigabytes(free))
}

func gigabytes(b int64) string { return fmt.Sprintf("%.1f GB", float64(b)/1e9) }
