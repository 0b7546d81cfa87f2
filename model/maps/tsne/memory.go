package tsne

import (
	"fmt"
	"math"

	"blossom/model/base/problem"
)

// A map that forms keeps so many bytes: for a pair of neighbours found (its index and distance), for what affinities
// are joined from, and for an affinity, of which there are about 1.4 a neighbour: once by rows, once as a processor
// keeps them in the order of its slots. The memory that they are joined from may not have been given back by then.
const (
	neighbourBytes = 8 + 14
	edgeBytes      = 1.4 * (8 + 8)
)

// pointBytes is what a point takes in so many dimensions: positions, velocities, gains and forces as the processor
// keeps them, padded to 2 or 4 numbers, its place in orders, and what positions are made into.
func pointBytes(dims int) float64 {
	if dims == 3 {
		return 7*16 + 60
	}
	return 7*8 + 52
}

// latticeBytes is what the largest lattice takes that is planned by itself for n points (see Options.plan, choose).
func latticeBytes(n, dims int) float64 {
	if dims != 2 {
		return 0
	}
	return 20 * math.Min(MostNodes*MostNodes, math.Max(leastNodes*leastNodes, 16*float64(n)))
}

// Bytes is about how much memory a map of n points of cols coordinates takes at a perplexity, beside the points
// themselves. copied says that they are copied.
func Bytes(n, cols, dims int, perplexity float64, copied bool) int64 {
	_, k := Allowed(n, perplexity)
	each := float64(k)*(neighbourBytes+edgeBytes) + pointBytes(dims)
	if copied {
		each += 4 * float64(cols)
	}
	return int64(each*float64(n) + latticeBytes(n, dims))
}

// Fits says (problem.Problem) that a map does not fit into so many bytes of free memory, with what would: fewer points,
// which fewer turns into what the user can do. free 0: it is not known.
func Fits(n, cols, dims int, perplexity float64, copied bool, free int64, fewer func(n int) string) error {
	need, room := Bytes(n, cols, dims, perplexity, copied), 0.9*float64(free)
	if free <= 0 || float64(need) <= room {
		return nil
	}
	remedy := "close other programs, or take a smaller perplexity"
	fit := problem.Fewer(n, room, func(n int) float64 { return float64(Bytes(n, cols, dims, perplexity, true)) })
	if fit > 0 {
		remedy = fewer(fit) + ", or a smaller perplexity"
	}
	return problem.New("", remedy, "t-SNE of %d points at a perplexity of %g needs about %s of memory, and %s are free",
		n, perplexity, gigabytes(need), gigabytes(free))
}

func gigabytes(b int64) string { return fmt.Sprintf("%.1f GB", float64(b)/1e9) }
