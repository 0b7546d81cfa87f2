package quality

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"blossom/model/internal/par"
	"blossom/model/matrix"
	"blossom/model/problem"
)

// Exact is the number of points up to which Among takes all of them as queries.
const Exact = 5000

// Queries is how many it takes of more.
const Queries = 2000

// Whole is the quality of a map at one K, of some points among all.
type Whole struct {
	Points, Queries             int     // n, and how many of them were asked for their neighbours
	K                           int     // of RNX
	RNX, Error                  float64 // and its standard error; 0 where all were asked
	Trustworthiness, Continuity float64 // at Trusted; NaN for 24 points or fewer
}

// Among returns the quality of positions, dims for each point of x (n x d): of the first finite points, whose ranks are
// among all. The points of a map are in an order by chance, so that the first are a fair sample. It takes a time of
// queries * n * d; for a map that is watched see Space. The error is ctx's, or a Problem.
func Among(ctx context.Context, x matrix.Matrix32, pos []float32, dims int, w Work) (*Whole, error) {
	if dims < 1 || len(pos) != x.Rows*dims {
		return nil, problem.New("", "please report this", "%d coordinates in %d dimensions are not those of %d points",
			len(pos), dims, x.Rows)
	}
	var here []int32
	for i := range x.Rows {
		if finite(x.Row(i)) && finite(pos[i*dims:(i+1)*dims]) {
			here = append(here, int32(i))
		}
	}
	n := len(here)
	out := &Whole{Points: n, Queries: n, K: K(n), RNX: math.NaN(), Error: math.NaN(), Trustworthiness: math.NaN(),
		Continuity: math.NaN()}
	if n > Exact {
		out.Queries = Queries
	}
	if n < 3 {
		return out, ctx.Err()
	}
	places := matrix.Matrix32{Rows: x.Rows, Cols: dims, Data: pos}
	var near, squares, intruders, missing, done atomic.Int64
	keep := max(out.K, min(Trusted, n-1))
	threads := w.Threads
	if threads <= 0 {
		threads = math.MaxInt
	}
	err := par.On(ctx, min(threads, par.Cores()), out.Queries, 1, func(_, i, _ int) {
		space, onMap := find(ctx, x, here, i, keep), find(ctx, places, here, i, keep)
		if ctx.Err() != nil {
			return
		}
		kept := int64(0)
		for _, c := range space[:out.K] {
			if has(onMap[:out.K], c.j) {
				kept++
			}
		}
		near.Add(kept)
		squares.Add(kept * kept)
		if n > 2*Trusted {
			intruders.Add(beyond(x, here, i, onMap[:Trusted], space[:Trusted]))
			missing.Add(beyond(places, here, i, space[:Trusted], onMap[:Trusted]))
		}
		if now := done.Add(1); w.Progress != nil && now%16 == 0 {
			w.Progress(now, int64(out.Queries))
		}
		if w.Pause != nil {
			w.Pause()
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	q := float64(near.Load()) / float64(out.Queries) / float64(out.K)
	out.RNX = rnx(q, n, out.K)
	if out.Error = 0; out.Queries < n {
		out.Error = standardError(near.Load(), squares.Load(), out.Queries, n, out.K)
	}
	if n > 2*Trusted {
		out.Trustworthiness = penalty(intruders.Load(), out.Queries, n, Trusted)
		out.Continuity = penalty(missing.Load(), out.Queries, n, Trusted)
	}
	return out, nil
}

// candidate is a point, by its place in here, and its squared distance.
type candidate struct {
	j int32
	d float64
}

// less orders candidates by distance, ties to the lower index.
func (a candidate) less(b candidate) bool { return a.d < b.d || a.d == b.d && a.j < b.j }

// find returns the k nearest of the points here to here[i], nearest first.
func find(ctx context.Context, x matrix.Matrix32, here []int32, i, k int) []candidate {
	list, me := make([]candidate, 0, k+1), x.Row(int(here[i]))
	for j, row := range here {
		if j == i {
			continue
		}
		if j%65536 == 0 && ctx.Err() != nil {
			return nil
		}
		c := candidate{int32(j), distance2(me, x.Row(int(row)))}
		if len(list) == k && !c.less(list[k-1]) {
			continue
		}
		if len(list) < k {
			list = append(list, c)
		} else {
			list[k-1] = c
		}
		for at := len(list) - 1; at > 0 && list[at].less(list[at-1]); at-- {
			list[at], list[at-1] = list[at-1], list[at]
		}
	}
	return list
}

func has(list []candidate, j int32) bool {
	return slices.ContainsFunc(list, func(c candidate) bool { return c.j == j })
}

// beyond sums by how much the ranks in x of those in list are more than len(near), the nearest in x.
func beyond(x matrix.Matrix32, here []int32, i int, list, near []candidate) (sum int64) {
	me := x.Row(int(here[i]))
	var out []candidate
	for _, c := range list {
		if !has(near, c.j) {
			out = append(out, candidate{c.j, distance2(me, x.Row(int(here[c.j])))})
		}
	}
	if len(out) == 0 {
		return 0
	}
	for j, row := range here {
		if j == i {
			continue
		}
		c := candidate{int32(j), distance2(me, x.Row(int(row)))}
		for _, o := range out {
			if c.less(o) {
				sum++
			}
		}
	}
	return sum - int64(len(out))*int64(len(near)-1)
}
