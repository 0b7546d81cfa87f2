package linkage

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/par"
)

// less is the order of edges: by weight, then by their points.
func less(a, b Edge) int {
	if a.W != b.W {
		return cmp.Compare(a.W, b.W)
	}
	if a.I != b.I {
		return cmp.Compare(a.I, b.I)
	}
	return cmp.Compare(a.J, b.J)
}

// few is the number of edges below which comparing is quicker than counting.
const few = 512

// sortEdges sorts edges by (W, I, J). spare is memory that it may use, as long as edges or grown; it is returned.
func sortEdges(edges, spare []Edge) []Edge {
	if len(edges) < few {
		slices.SortFunc(edges, less)
		return spare
	}
	// Weights are not negative, so that their bits are in their order: 11 of them at a time, from the lowest that
	// differ. What is equal is then put in the order of the points.
	if cap(spare) < len(edges) {
		spare = make([]Edge, len(edges))
	}
	from, to := edges, spare[:len(edges)]
	any, all := uint64(0), ^uint64(0)
	for i := range edges {
		b := math.Float64bits(edges[i].W)
		any |= b
		all &= b
	}
	differ := any &^ all
	const digit = 11
	for shift := 0; shift < 64; shift += digit {
		if differ>>shift&(1<<digit-1) == 0 {
			continue
		}
		var count [1 << digit]int32
		for i := range from {
			count[math.Float64bits(from[i].W)>>shift&(1<<digit-1)]++
		}
		at := int32(0)
		for i, n := range count {
			count[i] = at
			at += n
		}
		for i := range from {
			k := math.Float64bits(from[i].W) >> shift & (1<<digit - 1)
			to[count[k]] = from[i]
			count[k]++
		}
		from, to = to, from
	}
	if &from[0] != &edges[0] {
		copy(edges, from)
	}
	sortTies(edges, spare)
	return spare
}

// sortTies sorts edges that are in the order of their weights by (W, I, J), with spare memory as sortEdges.
func sortTies(edges, spare []Edge) {
	for i := 0; i < len(edges); {
		j := i + 1
		for j < len(edges) && edges[j].W == edges[i].W {
			j++
		}
		switch {
		case j > i+few && cap(spare) >= j-i:
			sortByPoints(edges[i:j], spare[:j-i])
		case j > i+1:
			slices.SortFunc(edges[i:j], less)
		}
		i = j
	}
}

// sortByPoints sorts many edges by (I, J), with as much memory beside them.
func sortByPoints(edges, spare []Edge) {
	from, to := edges, spare
	const digit = 11
	for pass := range 6 {
		key := func(e *Edge) int32 { return e.J >> (digit * pass) & (1<<digit - 1) }
		if pass >= 3 {
			key = func(e *Edge) int32 { return e.I >> (digit * (pass - 3)) & (1<<digit - 1) }
		}
		var count [1 << digit]int32
		for i := range from {
			count[key(&from[i])]++
		}
		if slices.Contains(count[:], int32(len(from))) {
			continue // all are alike
		}
		at := int32(0)
		for i, n := range count {
			count[i] = at
			at += n
		}
		for i := range from {
			k := key(&from[i])
			to[count[k]] = from[i]
			count[k]++
		}
		from, to = to, from
	}
	if &from[0] != &edges[0] {
		copy(edges, from)
	}
}

// byWeight says whether edges are in the order of their weights.
func byWeight(edges []Edge) bool {
	for i := 1; i < len(edges); i++ {
		if edges[i].W < edges[i-1].W {
			return false
		}
	}
	return true
}

// sortEdgesOn is sortEdges on several cores: edges are put into buckets by their weights, which are then sorted.
func sortEdgesOn(threads int, edges, spare []Edge) []Edge {
	const sampled, share = 32, 1 << 14
	buckets := 4 * threads
	if threads < 2 || len(edges) < 8*share {
		return sortEdges(edges, spare)
	}
	if cap(spare) < len(edges) {
		spare = make([]Edge, len(edges))
	}
	to := spare[:len(edges)]
	sample := make([]float64, buckets*sampled)
	for i := range sample {
		sample[i] = edges[i*len(edges)/len(sample)].W
	}
	slices.Sort(sample)
	bucket := func(w float64) int { // equal weights are in the same
		low, high := 0, buckets-1
		for low < high {
			if mid := (low + high) / 2; w < sample[(mid+1)*sampled] {
				high = mid
			} else {
				low = mid + 1
			}
		}
		return low
	}
	blocks := par.Count(len(edges), share)
	at, of := make([]int32, blocks*buckets), make([]uint16, len(edges))
	ctx := context.Background()
	_ = par.On(ctx, threads, len(edges), share, func(b, first, last int) {
		own := at[b*buckets : (b+1)*buckets]
		for i := first; i < last; i++ {
			k := bucket(edges[i].W)
			of[i] = uint16(k)
			own[k]++
		}
	})
	starts, sum := make([]int, buckets+1), int32(0)
	for k := range buckets {
		starts[k] = int(sum)
		for b := range blocks {
			at[b*buckets+k], sum = sum, sum+at[b*buckets+k]
		}
	}
	starts[buckets] = len(edges)
	_ = par.On(ctx, threads, len(edges), share, func(b, first, last int) {
		own := at[b*buckets : (b+1)*buckets]
		for i := first; i < last; i++ {
			to[own[of[i]]] = edges[i]
			own[of[i]]++
		}
	})
	_ = par.On(ctx, threads, buckets, 1, func(k, _, _ int) {
		from, end := starts[k], starts[k+1]
		sortEdges(to[from:end], edges[from:from:end]) // whose own edges are all in to
		copy(edges[from:end], to[from:end])
	})
	return spare
}

// sets is a union-find by size with path halving: of each of n things, one nearer the root of its set, and of a root
// the negative of how many there are.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	s.reset()
	return s
}

// reset makes each thing a set of its own.
func (s sets) reset() {
	for i := range s {
		s[i] = -1
	}
}

func (s sets) find(i int32) int32 {
	for {
		p := s[i]
		if p < 0 {
			return i
		}
		g := s[p]
		if g < 0 {
			return p
		}
		s[i] = g
		i = g
	}
}

// join makes one set of two, by their roots, and returns its root and what hangs on that now.
func (s sets) join(a, b int32) (root, below int32) {
	if s[a] > s[b] {
		a, b = b, a
	}
	s[a] += s[b]
	s[b] = a
	return a, b
}

// unite makes one set of those of i and j; false where they are one already.
func (s sets) unite(i, j int32) bool {
	a, b := s.find(i), s.find(j)
	if a != b {
		s.join(a, b)
	}
	return a != b
}
