package linkage

import (
	"context"
	"math"
	"slices"

	"blossom/model/internal/par"
	"blossom/model/matrix"
)

// points are the rows of a table that take part: the valid ones, and of equal ones the first.
type points struct {
	x      matrix.Matrix32
	metric Metric
	leaves []int32 // the row of each leaf; nil: all
	m      int     // leaves
	one    []int32 // the leaves that go on, ascending: no two are equal; nil: all
	n      int     // of them
	first  []int32 // of each leaf, the first that is equal; nil where no two are
	norm   []float64
	core   []float64 // of the points that go on, for mutual reachability; nil: plain linkage

	threads int
}

// leaf is the leaf that point p is.
func (p *points) leaf(i int32) int32 {
	if p.one != nil {
		return p.one[i]
	}
	return i
}

// rowOf is the row of the table that a leaf is.
func (p *points) rowOf(leaf int32) int32 {
	if p.leaves != nil {
		return p.leaves[leaf]
	}
	return leaf
}

// row is the values of point i.
func (p *points) row(i int32) []float32 { return p.x.Row(int(p.rowOf(p.leaf(i)))) }

func (p *points) normOf(i int32) float64 {
	if p.norm == nil {
		return 0
	}
	return p.norm[i]
}

// plain is the weight of two points without their cores.
func (p *points) plain(i, j int32) float64 {
	return p.metric.weight(p.row(i), p.row(j), p.normOf(i), p.normOf(j))
}

// weight is that of two points.
func (p *points) weight(i, j int32) float64 {
	w := p.plain(i, j)
	if p.core != nil {
		w = max(w, p.core[i], p.core[j])
	}
	return w
}

// block is how many rows a core takes at a time where each costs little.
const block = 1024

// newPoints finds the valid rows of x, and among them those that are equal.
func newPoints(ctx context.Context, x matrix.Matrix32, metric Metric, threads int) (*points, error) {
	p := &points{x: x, metric: metric, threads: threads}
	hashes, bad := make([]uint64, x.Rows), make([]int, par.Count(x.Rows, block))
	err := par.On(ctx, threads, x.Rows, block, func(b, from, to int) {
		for i := from; i < to; i++ {
			hash, ok := p.hash(x.Row(i))
			if !ok {
				bad[b]++
			}
			hashes[i] = hash
		}
	})
	if err != nil {
		return nil, err
	}
	p.m = x.Rows
	invalid := 0
	for _, n := range bad {
		invalid += n
	}
	if invalid > 0 {
		p.m -= invalid
		p.leaves = make([]int32, 0, p.m)
		for i, h := range hashes {
			if h != 0 {
				hashes[len(p.leaves)] = h
				p.leaves = append(p.leaves, int32(i))
			}
		}
		hashes = hashes[:p.m]
	}
	p.group(hashes)
	if metric == Cosine {
		p.norm = make([]float64, p.n)
		err = par.On(ctx, threads, p.n, block, func(_, from, to int) {
			for i := from; i < to; i++ {
				p.norm[i] = metric.norm(p.row(int32(i)))
			}
		})
	}
	return p, err
}

// hash is a number that equal rows share, -0 being 0; 0 and false for an invalid row.
func (p *points) hash(x []float32) (uint64, bool) {
	h, sum, zero := uint64(14695981039346656037), float32(0), true
	for _, v := range x {
		sum += v - v // NaN if it is not finite
		zero = zero && v == 0
		h = (h ^ uint64(math.Float32bits(v+0))) * 0x9e3779b97f4a7c15 // -0 + 0 is 0
		h ^= h >> 29
	}
	if sum != 0 || zero && p.metric == Cosine {
		return 0, false
	}
	return h | 1, true
}

// group finds leaves that are equal to an earlier one, by the hashes of leaves.
func (p *points) group(hashes []uint64) {
	p.n = p.m
	order := byHash(hashes)
	equal := func(a, b int32) bool { return slices.Equal(p.x.Row(int(p.rowOf(a))), p.x.Row(int(p.rowOf(b)))) }
	gone := 0
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && hashes[order[to]] == hashes[order[from]] {
			to++
		}
		if run := order[from:to]; len(run) > 1 { // ascending, as the order is stable
			var different []int32 // all but always one
			for _, leaf := range run {
				at := slices.IndexFunc(different, func(d int32) bool { return equal(d, leaf) })
				if at < 0 {
					different = append(different, leaf)
					continue
				}
				if p.first == nil {
					p.first = make([]int32, p.m)
					for i := range p.first {
						p.first[i] = int32(i)
					}
				}
				p.first[leaf] = different[at]
				gone++
			}
		}
		from = to
	}
	if gone == 0 {
		return
	}
	p.n -= gone
	p.one = make([]int32, 0, p.n)
	for i, f := range p.first {
		if int(f) == i {
			p.one = append(p.one, f)
		}
	}
}

// byHash is the numbers of hashes in their order; of equal ones the smaller first.
func byHash(hashes []uint64) []int32 {
	order, spare := make([]int32, len(hashes)), make([]int32, len(hashes))
	for i := range order {
		order[i] = int32(i)
	}
	const digit = 16 // the hash is even enough that two digits tell most apart; what they do not is compared
	for _, shift := range []int{32, 48} {
		count := make([]int32, 1<<digit+1)
		for _, h := range hashes {
			count[h>>shift&(1<<digit-1)+1]++
		}
		for i := 1; i < len(count); i++ {
			count[i] += count[i-1]
		}
		for _, i := range order {
			k := hashes[i] >> shift & (1<<digit - 1)
			spare[count[k]] = i
			count[k]++
		}
		order, spare = spare, order
	}
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && hashes[order[to]]>>32 == hashes[order[from]]>>32 {
			to++
		}
		if to > from+1 {
			slices.SortStableFunc(order[from:to], func(a, b int32) int {
				if hashes[a] != hashes[b] {
					if hashes[a] < hashes[b] {
						return -1
					}
					return 1
				}
				return int(a - b)
			})
		}
		from = to
	}
	return order
}

// whole is the MST of all leaves, sorted, from one of the points that go on: equal leaves hang on the first of them.
func (p *points) whole(tree []Edge, spare []Edge) []Edge {
	out := make([]Edge, 0, max(0, p.m-1))
	for _, e := range tree {
		a, b := p.leaf(e.I), p.leaf(e.J)
		out = append(out, Edge{min(a, b), max(a, b), e.W})
	}
	if p.first != nil {
		point := 0 // that the first is
		cores := make(map[int32]float64)
		if p.core != nil {
			for ; point < p.n; point++ {
				cores[p.one[point]] = p.core[point]
			}
		}
		for i, f := range p.first {
			if int(f) != i {
				out = append(out, Edge{f, int32(i), cores[f]})
			}
		}
	}
	sortEdges(out, spare)
	return out
}
