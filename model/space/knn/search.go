package knn

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// Of returns the k nearest others of each row of x (n x d). The error is ctx's.
func Of(ctx context.Context, x matrix.Matrix32, k int) (*Lists, error) {
	q := Query{K: k}
	out := NewLists(x, q)
	return out, Search(ctx, x, q, out)
}

// Search is Finder.Others by all pairs in float64. The error is ctx's, or what Check says.
func Search(ctx context.Context, x matrix.Matrix32, q Query, out *Lists) error {
	if err := q.Check(x); err != nil {
		return err
	}
	if out.K == 0 {
		clearAll(x, q, out)
		return ctx.Err()
	}
	threads := q.Threads
	if threads <= 0 {
		threads = par.Cores()
	}
	blocks := Blocks(x, q, together)
	scratch := sync.Pool{New: func() any { return newSearcher(x, q, out.K) }}
	var done atomic.Int64
	err := par.On(ctx, threads, len(blocks), 1, func(_, b, _ int) {
		s := scratch.Get().(*searcher)
		defer scratch.Put(s)
		if s.block(ctx, blocks[b], out) && q.Progress != nil {
			q.Progress(done.Add(int64(len(blocks[b].Rows))), int64(out.N))
		}
	})
	if err == nil {
		err = ctx.Err() // in the last block of a single thread
	}
	return err
}

// clearAll answers where nobody has another.
func clearAll(x matrix.Matrix32, q Query, out *Lists) {
	for r := range out.N {
		if p, _ := q.Row(x, r); !Finite(p) {
			out.Clear(r)
		}
	}
}

const (
	together = 16 // rows that are searched for side by side
	panel    = 64 // points that they are compared with at a time
)

// searcher is the memory of one goroutine.
type searcher struct {
	x     matrix.Matrix32
	q     Query
	k     int
	mine  []float64 // together x d: the rows of the block
	wide  []float64 // panel x d: points to compare with
	ids   []int32   // and which they are
	lists []best    // together
}

func newSearcher(x matrix.Matrix32, q Query, k int) *searcher {
	return &searcher{x: x, q: q, k: k, mine: make([]float64, together*x.Cols), wide: make([]float64, panel*x.Cols),
		ids: make([]int32, 0, panel), lists: make([]best, together)}
}

// block fills the rows of a block; it says whether it came to the end.
func (s *searcher) block(ctx context.Context, b Block, out *Lists) bool {
	d := s.x.Cols
	var self, rows []int32 // rows of the valid ones
	for _, r := range b.Rows {
		p, me := s.q.Row(s.x, int(r))
		if !Finite(p) {
			out.Clear(int(r))
			continue
		}
		i := len(rows)
		widen(s.mine[i*d:], p)
		s.lists[i].reset(s.k)
		rows, self = append(rows, r), append(self, int32(me))
	}
	if len(rows) == 0 {
		return true
	}
	compare := func() {
		for i := range rows {
			s.lists[i].compare(s.mine[i*d:(i+1)*d], s.wide, s.ids, self[i])
		}
		s.ids = s.ids[:0]
	}
	ok := true
	b.Candidates(s.x, s.q, func(p int32) bool {
		row := s.x.Row(int(p))
		if !Finite(row) {
			return true
		}
		widen(s.wide[len(s.ids)*d:], row)
		if s.ids = append(s.ids, p); len(s.ids) == panel {
			compare()
			ok = ctx.Err() == nil
		}
		return ok
	})
	if !ok {
		s.ids = s.ids[:0]
		return false
	}
	compare()
	for i, r := range rows {
		out.Set(int(r), s.lists[i].sorted())
	}
	return true
}

func widen(to []float64, from []float32) {
	for c, v := range from {
		to[c] = float64(v)
	}
}

// best keeps the k best of what it is offered: a list of up to twice as many, from which the worse half is dropped
// whenever it is full.
type best struct {
	k     int
	list  []Found
	limit Found // a distance that is not less is not wanted
	full  bool  // whether there is a limit
}

func (b *best) reset(k int) {
	if b.k != k {
		b.list = make([]Found, 0, 2*k+panel)
	}
	b.k, b.list, b.full = k, b.list[:0], false
}

// compare offers the points in wide (rows of len(me)) but the one whose number is self. Four sums at once: a sum waits
// for the addition before it, four do not wait for each other.
func (b *best) compare(me, wide []float64, ids []int32, self int32) {
	d := len(me)
	i := 0
	for ; i+4 <= len(ids); i += 4 {
		p0, p1 := wide[i*d:][:d], wide[(i+1)*d:][:d]
		p2, p3 := wide[(i+2)*d:][:d], wide[(i+3)*d:][:d]
		var s0, s1, s2, s3 float64
		for c, v := range me {
			e0, e1, e2, e3 := v-p0[c], v-p1[c], v-p2[c], v-p3[c]
			s0 += float64(e0 * e0)
			s1 += float64(e1 * e1)
			s2 += float64(e2 * e2)
			s3 += float64(e3 * e3)
		}
		b.offer(s0, ids[i], self)
		b.offer(s1, ids[i+1], self)
		b.offer(s2, ids[i+2], self)
		b.offer(s3, ids[i+3], self)
	}
	for ; i < len(ids); i++ {
		s := 0.0
		for c, v := range wide[i*d:][:d] {
			e := me[c] - v
			s += float64(e * e)
		}
		b.offer(s, ids[i], self)
	}
}

func (b *best) offer(d float64, id, self int32) {
	if id == self || b.full && !(d <= b.limit.Squared) {
		return
	}
	f := Found{id, d}
	if b.full && !f.Less(b.limit) {
		return
	}
	if b.list = append(b.list, f); len(b.list) == cap(b.list) {
		b.list = b.list[:Select(b.list, b.k)]
		b.limit, b.full = b.list[b.k-1], true
	}
}

// sorted returns the k best, nearest first.
func (b *best) sorted() []Found {
	b.list = b.list[:Select(b.list, b.k)]
	slices.SortFunc(b.list, func(x, y Found) int {
		if x.Less(y) {
			return -1
		}
		return 1
	})
	return b.list
}

// Select brings the k best of a list to its front, the worst of them last, and returns how many that are (Hoare's
// quickselect, by the median of three).
func Select(list []Found, k int) int {
	if k >= len(list) {
		k = len(list)
	}
	if k == 0 {
		return 0
	}
	for lo, hi := 0, len(list)-1; lo < hi; {
		mid := lo + (hi-lo)/2
		if list[mid].Less(list[lo]) {
			list[mid], list[lo] = list[lo], list[mid]
		}
		if list[hi].Less(list[lo]) {
			list[hi], list[lo] = list[lo], list[hi]
		}
		if list[hi].Less(list[mid]) {
			list[hi], list[mid] = list[mid], list[hi]
		}
		p, i, j := list[mid], lo, hi
		for i <= j {
			for list[i].Less(p) {
				i++
			}
			for p.Less(list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return k
		}
	}
	return k
}
