package quality

import (
	"context"
	"math"
	"sync"

	"blossom/model/base/problem"
)

// Measure returns the quality of positions of the sample's points, dims for each (see Space.Gather). Points without a
// place on the map are left out, of both. The result does not depend on the number of goroutines. The error is ctx's,
// or a Problem where positions are not those of the sample.
func (s *Space) Measure(ctx context.Context, pos []float32, dims int, w Work) (*Result, error) {
	if dims < 1 || len(pos) != s.Len()*dims {
		return nil, problem.New("", "please report this", "%d coordinates in %d dimensions are not those of %d points",
			len(pos), dims, s.Len())
	}
	here, dead := s.placed(pos, dims)
	n := len(here)
	out := &Result{Points: n, Error: math.NaN(), AUC: math.NaN(), Trustworthiness: math.NaN(),
		Continuity: math.NaN()}
	if n < 3 {
		return out, ctx.Err()
	}
	// Neighbours that are kept, by the smallest K with which they are: integers, so that the order of the sums is of
	// no consequence.
	kept, k := make([]int64, n), K(n)
	var intruders, missing, sum, squares int64
	var mu sync.Mutex
	scratch := sync.Pool{New: func() any { return &tally{rank: make([]int32, s.Len()), kept: make([]int64, n)} }}
	err := w.ranked(ctx, n, func(r *ranker, i int) {
		t := scratch.Get().(*tally)
		defer scratch.Put(t)
		t.count(s, pos, dims, here, dead, r, i, k)
		mu.Lock()
		defer mu.Unlock()
		for at, c := range t.kept {
			kept[at] += c
		}
		intruders += t.intruders
		missing += t.missing
		sum += t.near
		squares += t.near * t.near
	})
	if err != nil {
		return nil, err
	}
	out.RNX = make([]float64, n-2)
	all := int64(0)
	for at := range out.RNX {
		all += kept[at+1]
		out.RNX[at] = rnx(float64(all)/float64(n)/float64(at+1), n, at+1)
	}
	out.AUC = area(out.RNX)
	out.Error = standardError(sum, squares, n, n, k)
	if n > 2*Trusted {
		out.Trustworthiness, out.Continuity = penalty(intruders, n, n, Trusted), penalty(missing, n, n, Trusted)
	}
	return out, nil
}

// placed returns which of the sample's points have a place on the map, and whether one has not.
func (s *Space) placed(pos []float32, dims int) (here []int32, dead bool) {
	here = make([]int32, 0, s.Len())
	for i := range s.Len() {
		if finite(pos[i*dims : (i+1)*dims]) {
			here = append(here, int32(i))
		}
	}
	return here, len(here) < s.Len()
}

// standardError is that of R_NX(k) as the mean over queries of which each keeps so many of its k neighbours among n
// points, by the sum of these numbers and of their squares.
func standardError(sum, squares int64, queries, n, k int) float64 {
	if queries < 2 {
		return math.NaN()
	}
	mean := float64(sum) / float64(queries)
	variance := max(0, (float64(squares)-mean*float64(sum))/float64(queries-1))
	return math.Sqrt(variance/float64(queries)) / float64(k) * float64(n-1) / float64(n-1-k)
}

// tally is what is counted of one point.
type tally struct {
	rank                     []int32 // rank of each point in the space, from 1; 0: it has no place on the map
	kept                     []int64 // by the smallest K at which they are neighbours on both sides
	intruders, missing, near int64
}

// count adds the point here[i].
func (t *tally) count(s *Space, pos []float32, dims int, here []int32, dead bool, r *ranker, i, k int) {
	me := here[i]
	row := s.near[int(me)*(s.Len()-1) : (int(me)+1)*(s.Len()-1)]
	if dead {
		clear(t.rank)
		for _, j := range here {
			t.rank[j] = -1
		}
		at := int32(0)
		for _, j := range row {
			if t.rank[j] != 0 {
				at++
				t.rank[j] = at
			}
		}
	} else {
		for at, j := range row {
			t.rank[j] = int32(at + 1)
		}
	}
	mine := pos[int(me)*dims : (int(me)+1)*dims]
	if dims == 2 {
		x, y := float64(mine[0]), float64(mine[1])
		for a, j := range here {
			dx, dy := x-float64(pos[2*j]), y-float64(pos[2*j+1])
			r.far[a] = dx*dx + dy*dy
		}
	} else {
		for a, j := range here {
			r.far[a] = distance2(mine, pos[int(j)*dims:(int(j)+1)*dims])
		}
	}
	clear(t.kept)
	t.intruders, t.missing, t.near = 0, 0, 0
	for at, a := range r.order(len(here), i) {
		onMap, inSpace := int32(at+1), t.rank[here[uint32(a)]]
		both := max(onMap, inSpace)
		t.kept[both]++
		if both <= int32(k) {
			t.near++
		}
		switch {
		case onMap <= Trusted && inSpace > Trusted:
			t.intruders += int64(inSpace - Trusted)
		case inSpace <= Trusted && onMap > Trusted:
			t.missing += int64(onMap - Trusted)
		}
	}
}
