package quality

import (
	"cmp"
	"math"
	"slices"
)

// ranker sorts points by their distance from one of them.
type ranker struct {
	key, spare []uint64 // 32 bits of the distance, 32 of the index
	count      [3][2048]uint32
	far        []float64 // squared distances, by index
}

func newRanker(n int) *ranker {
	return &ranker{key: make([]uint64, n), spare: make([]uint64, n), far: make([]float64, n)}
}

// order returns the indices below n, but i, by their squared distance in r.far, ties to the lower index. The slice
// is the ranker's own: the low 32 bits of each entry are an index.
//
// A radix sort of the upper half of the bits of a float64, which keeps the order of indices among equals, leaves only
// runs to be sorted whose distances agree in the first 22 bits.
func (r *ranker) order(n, i int) []uint64 {
	keys := r.key[:0]
	r.count = [3][2048]uint32{}
	for j, d := range r.far[:n] {
		if j == i {
			continue
		}
		k := uint32(math.Float64bits(d) >> 31)
		r.count[0][k&2047]++
		r.count[1][k>>11&2047]++
		r.count[2][k>>22]++
		keys = append(keys, uint64(k)<<32|uint64(uint32(j)))
	}
	from, to := keys, r.spare[:len(keys)]
	for pass := range 3 {
		count, shift := &r.count[pass], 32+11*pass
		sum := uint32(0)
		for b, c := range count {
			count[b] = sum
			sum += c
		}
		for _, k := range from {
			b := k >> shift & 2047
			to[count[b]] = k
			count[b]++
		}
		from, to = to, from
	}
	r.key, r.spare = from[:cap(from)], to[:cap(to)]
	for a := 0; a < len(from); {
		b := a + 1
		for b < len(from) && from[b]>>32 == from[a]>>32 {
			b++
		}
		if b > a+1 {
			r.sortTies(from[a:b])
		}
		a = b
	}
	return from
}

// sortTies sorts a run of points whose distances are almost equal.
func (r *ranker) sortTies(run []uint64) {
	compare := func(a, b uint64) int {
		a, b = a&math.MaxUint32, b&math.MaxUint32
		if x, y := r.far[a], r.far[b]; x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	}
	if len(run) > 12 {
		slices.SortFunc(run, compare)
		return
	}
	for i := 1; i < len(run); i++ {
		for j := i; j > 0 && compare(run[j], run[j-1]) < 0; j-- {
			run[j], run[j-1] = run[j-1], run[j]
		}
	}
}

// distance2 is the squared distance of two points, in float64 and in the order of coordinates.
func distance2(a, b []float32) float64 {
	b = b[:len(a)]
	s := 0.0
	for i, x := range a {
		d := float64(x) - float64(b[i])
		s += d * d
	}
	return s
}

func finite(x []float32) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}
