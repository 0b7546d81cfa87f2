package linkage

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"blossom/model/base/par"
)

// sproutParts is in how many parts, by their weights, the pairs of near places are put in order: memory is for two.
const sproutParts = 8

// sprout makes the first tree: a spanning tree of the pairs of each place with those near it (Kruskal), by weights that
// are good enough for that, and of places that follow each other where those leave parts. Then its edges are weighed.
func (a *grown) sprout(ctx context.Context, hold Holding) error {
	const k = TreeNeighbours
	l := a.l
	slots := l.Blocks * BlockSize * k
	ids, key := make([]int32, slots), make([]float32, slots)
	q := Query{K: k, Local: true, Blocks: make([]int32, l.Blocks)}
	for b := range q.Blocks {
		q.Blocks[b] = int32(b)
	}
	if err := hold.Nearest(ctx, q, ids, key); err != nil {
		return err
	}
	if err := par.On(ctx, a.threads, l.Blocks, 16, func(_, from, to int) {
		for s := from * BlockSize * k; s < to*BlockSize*k; s++ {
			u, v := int32(s/k), ids[s]
			if int(u) >= l.N || v < 0 || v < u && slices.Contains(ids[int(v)*k:int(v+1)*k], u) {
				key[s] = float32(math.Inf(1)) // there is none, or the other has it too
				continue
			}
			key[s] = l.about(u, v, key[s])
		}
	}); err != nil {
		return err
	}
	taken := make([]uint64, par.Count(slots, 64))
	if err := a.markForest(ctx, ids, key, taken); err != nil {
		return err
	}
	edges := a.room(0)
	for at, word := range taken { // places side by side are weighed together, since weighing goes through the caches
		for ; word != 0; word &= word - 1 {
			s := at*64 + bits.TrailingZeros64(word)
			edges = append(edges, Edge{I: int32(s / k), J: ids[s]})
		}
	}
	ids, key, taken = nil, nil, nil
	sweep(l.N)
	if err := hold.Weights(ctx, edges); err != nil {
		return err
	}
	for i, e := range edges {
		edges[i].I, edges[i].J = min(e.I, e.J), max(e.I, e.J)
	}
	a.spare = nil
	a.spare = sortEdgesOn(a.threads, edges, a.room(0))
	for u := int32(1); int(u) < l.N; u++ {
		if a.up.find(u-1) != a.up.find(u) {
			a.kept = append(a.kept, Edge{I: u - 1, J: u})
		}
	}
	a.edges = edges
	if err := hold.Weights(ctx, a.kept); err != nil {
		return err
	}
	return a.merge(ctx)
}

// about is about how far two places are apart, of which the score is known, in the filter's space: by the score unless
// that is hardly more than its margin.
func (l *Blocked) about(u, v int32, score float32) float32 {
	s, off := l.Half[u]-score, l.margin(l.Length[u]+l.Length[v])
	switch {
	case !(s > 8*off):
		return l.reach(l.Weight(u, v))
	case l.Metric != L1:
		s = float32(math.Sqrt(float64(2 * s)))
	}
	if l.Core != nil {
		s = max(s, l.reach(l.Core[u]), l.reach(l.Core[v]))
	}
	return s
}

// markForest marks the slots whose pairs make a spanning forest, and joins their places in a.up.
func (a *grown) markForest(ctx context.Context, ids []int32, key []float32, taken []uint64) error {
	left := a.l.N - 1
	borders := quantiles(key, sproutParts)
	parts, free := make(chan []uint64, 1), make(chan []uint64, 2)
	for range cap(free) {
		free <- make([]uint64, 0, len(key)/sproutParts*5/4)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // the next part is put in order while this one is joined
		defer close(parts)
		var spare []uint64
		for p := range len(borders) - 1 {
			var list []uint64
			select {
			case list = <-free:
			case <-ctx.Done():
				return
			}
			list = list[:0]
			for s, x := range key {
				if x >= borders[p] && x < borders[p+1] {
					list = append(list, uint64(math.Float32bits(x))<<32|uint64(s))
				}
			}
			spare = sortKeys(list, spare)
			select {
			case parts <- list:
			case <-ctx.Done():
				return
			}
		}
	}()
	for list := range parts {
		for i, x := range list {
			if i%glance == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			s := uint32(x)
			if a.up.unite(int32(s/TreeNeighbours), ids[s]) {
				taken[s/64] |= 1 << (s % 64)
				left--
			}
		}
		if left == 0 {
			break
		}
		free <- list
	}
	return ctx.Err()
}

// quantiles are the borders of so many parts of about as many keys, from 0 to what is above all that are finite.
func quantiles(key []float32, parts int) []float32 {
	const each = 256
	sample := make([]float32, 0, parts*each)
	for i := range parts * each {
		if x := key[i*len(key)/(parts*each)]; !math.IsInf(float64(x), 1) {
			sample = append(sample, x)
		}
	}
	slices.Sort(sample)
	borders := []float32{0}
	for p := 1; p < parts && len(sample) > 0; p++ {
		if x := sample[p*len(sample)/parts]; x > borders[len(borders)-1] {
			borders = append(borders, x)
		}
	}
	return append(borders, float32(math.Inf(1)))
}

// sortKeys sorts numbers by their upper halves, equal ones as they come. spare is memory that it may use; it is
// returned.
func sortKeys(list, spare []uint64) []uint64 {
	if cap(spare) < len(list) {
		spare = make([]uint64, cap(list))
	}
	any, all := uint64(0), ^uint64(0)
	for _, x := range list {
		any |= x
		all &= x
	}
	const digit = 11
	from, to := list, spare[:len(list)]
	for shift := 32; shift < 64; shift += digit {
		if (any&^all)>>shift&(1<<digit-1) == 0 {
			continue
		}
		var count [1 << digit]int32
		for _, x := range from {
			count[x>>shift&(1<<digit-1)]++
		}
		at := int32(0)
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, x := range from {
			k := x >> shift & (1<<digit - 1)
			to[count[k]] = x
			count[k]++
		}
		from, to = to, from
	}
	if len(list) > 0 && &from[0] != &list[0] {
		copy(list, from)
	}
	return spare
}
