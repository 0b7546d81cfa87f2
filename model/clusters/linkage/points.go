package linkage

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// points are the rows of a table that take part: the valid ones, and of equal ones the first.
type points struct {
	x      matrix.Matrix32
	metric Metric
	leaves []int32 // the row of each leaf; nil: all
	m      int     // leaves
	one    []int32 // the leaves that go on, ascending: no two are equal; nil: all
	n      int     // how many there are
	first  []int32 // the first leaf that equals each leaf; nil where no two are equal
	norm   []float64
	core   []float64 // core distances of the points that go on, for mutual reachability; nil: plain linkage

	threads int
}

// leaf is the leaf that point p is.
func (p *points) leaf(i int32) int32 {
	if p.one != nil {
		return p.one[i]
	}
	return i
}

// pointOf is the point that a leaf is, if it goes on.
func (p *points) pointOf(leaf int32) (i int32, ok bool) {
	if p.one == nil {
		return leaf, true
	}
	at, ok := slices.BinarySearch(p.one, leaf)
	return int32(at), ok
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
	if err := p.group(ctx, hashes); err != nil {
		return nil, err
	}
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
func (p *points) group(ctx context.Context, hashes []uint64) error {
	p.n = p.m
	equal := func(a, b int32) bool { return slices.Equal(p.x.Row(int(p.rowOf(a))), p.x.Row(int(p.rowOf(b)))) }
	type same struct{ leaf, first int32 }
	found := make([][]same, hashBuckets)
	if err := hashed(ctx, p.threads, hashes, func(bucket int, run []int32) {
		var different []int32 // all but always one
		for _, leaf := range run {
			if at := slices.IndexFunc(different, func(d int32) bool { return equal(d, leaf) }); at >= 0 {
				found[bucket] = append(found[bucket], same{leaf, different[at]})
			} else {
				different = append(different, leaf)
			}
		}
	}); err != nil {
		return err
	}
	gone := 0
	for _, list := range found {
		for _, s := range list {
			if p.first == nil {
				p.first = make([]int32, p.m)
				for i := range p.first {
					p.first[i] = int32(i)
				}
			}
			p.first[s.leaf] = s.first
			gone++
		}
	}
	if gone == 0 {
		return nil
	}
	p.n -= gone
	p.one = make([]int32, 0, p.n)
	for i, f := range p.first {
		if int(f) == i {
			p.one = append(p.one, f)
		}
	}
	return nil
}

const hashBuckets = 1 << 10

// hashed calls do, from several goroutines but one for each bucket, with the numbers of hashes that are equal, of two
// and more, ascending.
func hashed(ctx context.Context, threads int, hashes []uint64, do func(bucket int, run []int32)) error {
	type entry struct {
		hash uint64
		i    int32
	}
	const share, shift = 1 << 16, 64 - 10 // by the highest bits
	blocks := par.Count(len(hashes), share)
	at := make([]int32, blocks*hashBuckets)
	if err := par.On(ctx, threads, len(hashes), share, func(b, from, to int) {
		own := at[b*hashBuckets : (b+1)*hashBuckets]
		for _, h := range hashes[from:to] {
			own[h>>shift]++
		}
	}); err != nil {
		return err
	}
	starts, sum := make([]int32, hashBuckets+1), int32(0)
	for k := range hashBuckets {
		starts[k] = sum
		for b := range blocks {
			at[b*hashBuckets+k], sum = sum, sum+at[b*hashBuckets+k]
		}
	}
	starts[hashBuckets] = sum
	entries := make([]entry, len(hashes))
	if err := par.On(ctx, threads, len(hashes), share, func(b, from, to int) {
		own := at[b*hashBuckets : (b+1)*hashBuckets]
		for i, h := range hashes[from:to] {
			k := h >> shift
			entries[own[k]] = entry{h, int32(from + i)}
			own[k]++
		}
	}); err != nil {
		return err
	}
	return par.On(ctx, threads, hashBuckets, 8, func(_, from, to int) {
		var run []int32
		for k := from; k < to; k++ {
			list := entries[starts[k]:starts[k+1]]
			slices.SortFunc(list, func(a, b entry) int {
				return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.i, b.i))
			})
			for i := 0; i < len(list); {
				j := i + 1
				for j < len(list) && list[j].hash == list[i].hash {
					j++
				}
				if j > i+1 {
					run = run[:0]
					for _, e := range list[i:j] {
						run = append(run, e.i)
					}
					do(k, run)
				}
				i = j
			}
		}
	})
}

// whole is the MST of all leaves, sorted, from one of the points that go on, which is: equal leaves hang on the first
// of them.
func (p *points) whole(tree []Edge) []Edge {
	if p.one == nil {
		return tree
	}
	out := make([]Edge, len(tree), max(0, p.m-1))
	_ = par.On(context.Background(), p.threads, len(tree), block, func(_, from, to int) {
		for k, e := range tree[from:to] {
			out[from+k] = Edge{p.one[e.I], p.one[e.J], e.W}
		}
	})
	for i, f := range p.first {
		if int(f) != i {
			e := Edge{I: f, J: int32(i)}
			if p.core != nil {
				at, _ := p.pointOf(f)
				e.W = p.core[at]
			}
			out = append(out, e)
		}
	}
	sortEdgesOn(p.threads, out, nil)
	return out
}
