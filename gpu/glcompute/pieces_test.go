package glcompute

import (
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// cached returns what stage A wrote of the points of a resident that has one page: ids, then distances.
func cached(e *computer, r *resident) []uint32 {
	s := &r.pages.slots[0]
	ids, deltas := make([]uint32, s.ids.bytes/4), make([]uint32, s.deltas.bytes/4)
	e.thread.run(func() {
		read(&s.ids, 0, ids)
		read(&s.deltas, 0, deltas)
	})
	return append(ids, deltas...)
}

// firstDifference says where two caches differ, in points; rows at the end of the last tile hold nothing.
func firstDifference(a, b []uint32, r *resident) (point, rank int, found bool) {
	words := (r.find + 1) / 2
	room := len(a) / (words + r.find)
	for i := range a {
		at, each := i, words
		if i >= words*room {
			at, each = i-words*room, r.find
		}
		point, rank = at/32/each*32+at%32, at/32%each
		if point < r.x.Rows && a[i] != b[i] && !(rank > 0 && marked(a, words, room, r.find, point)) {
			return point, rank, true
		}
	}
	return 0, 0, false
}

// marked says whether a point has a mark in place of neighbours.
func marked(a []uint32, words, room, find, point int) bool {
	return a[words*room+point/32*find*32+point%32]>>31 != 0
}

func searchCases() []enginetest.Case {
	rng := rand.New(rand.NewPCG(7, 8)) // one number of neighbours serves all, for compiling takes long
	cases := []enginetest.Case{
		enginetest.Blobs(rng, 700, 5, 70, 10, 2), enginetest.Uniform(rng, 300, 17, 300, 10, 2),
		enginetest.Blobs(rng, 200, 64, 130, 10, 2),
	}
	ties := enginetest.Uniform(rng, 100, 6, 90, 10, 2) // too many for a list
	for i := range ties.Codebook.Data {
		ties.Codebook.Data[i] = float32(i % 2)
	}
	cases[0].X.Row(3)[2] = float32(1e20)
	return append(cases, ties)
}

// The cache of a point does not depend on the range it was searched in.
func TestSearchInPieces(t *testing.T) {
	e := openEngine(t, engine.Options{}).(*computer)
	defer e.Close()
	for _, c := range searchCases() {
		l := c.Landmarks()
		search := func(cuts ...int) []uint32 {
			cuts = append(cuts, c.X.Rows)
			r := load(t, e, c.X)
			defer r.Free()
			for i := len(cuts) - 2; i >= 0; i-- {
				must(t, r.Neighbours(ctx, l, c.P, engine.Range{From: cuts[i], To: cuts[i+1]}))
			}
			must(t, r.Wait())
			return slices.Clone(cached(e, r))
		}
		all := search(0)
		for _, cuts := range [][]int{{0, 1, 16, 40, 41, 97}, {0, 64}, {0, 31, 33, 95}} {
			r := load(t, e, c.X)
			must(t, r.Neighbours(ctx, l, c.P, engine.Range{From: 0, To: 1})) // its sizes
			if point, rank, found := firstDifference(all, search(cuts...), r); found {
				t.Errorf("%s of %d columns in pieces %v: point %d differs at rank %d", c.Name, c.X.Cols, cuts, point,
					rank)
			}
			r.Free()
		}
	}
}

// Nor does a position, of neighbours that were found at once.
func TestPlacesInPieces(t *testing.T) {
	e := openEngine(t, engine.Options{}).(*computer)
	defer e.Close()
	for _, c := range searchCases() {
		r := load(t, e, c.X)
		l, n, m := c.Landmarks(), c.X.Rows, c.Pos.Cols
		whole, pieces := embedsom.NewHostTarget(n, m), embedsom.NewHostTarget(n, m)
		must(t, r.Neighbours(ctx, l, c.P, engine.Range{From: 0, To: n}),
			r.Project(ctx, l, c.P, whole, engine.Range{From: 0, To: n}))
		cuts := []int{0, 1, 16, 40, 41, 97, n}
		for i := len(cuts) - 2; i >= 0; i-- {
			must(t, r.Project(ctx, l, c.P, pieces, engine.Range{From: cuts[i], To: cuts[i+1]}))
		}
		for i := range n {
			if a, b := whole.Data[i*m:(i+1)*m], pieces.Data[i*m:(i+1)*m]; !sameBits(a, b) {
				t.Errorf("%s of %d columns: point %d is at %v in all, at %v in pieces", c.Name, c.X.Cols, i, a, b)
				break
			}
		}
		r.Free()
	}
}
