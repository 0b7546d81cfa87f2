package quality

import (
	"context"
	"math"
	"sync/atomic"

	"blossom/model/matrix"
	"blossom/model/problem"
)

// Lost is how much of each point's neighbourhood a map has lost.
type Lost struct {
	// Share is for each point the share of its K nearest points of the sample, in the space, that are not among the K
	// nearest on the map; NaN for a point without a place. 0: all neighbours kept; by chance 1 - K/(Sample-1).
	Share  []float32
	K      int
	Sample int // points among which neighbours are looked for, the first that have a place
	Of     int // points that have a place
}

// LossWork is the number of products that Loss affords by default: some ten seconds of two cores.
const LossWork = 2e10

// leastSample is the smallest sample that a point's neighbours are looked for among.
const leastSample = 500

// Loss looks for the neighbours of every point of x (n x d), in the space and at positions of dims each, among a sample
// as large as work products of coordinates allow, all points if they do. The error is ctx's, or a Problem.
func Loss(ctx context.Context, x matrix.Matrix32, pos []float32, dims int, work float64, w Work) (*Lost, error) {
	if dims < 1 || len(pos) != x.Rows*dims {
		return nil, problem.New("", "please report this", "%d coordinates in %d dimensions are not those of %d points",
			len(pos), dims, x.Rows)
	}
	out := &Lost{Share: make([]float32, x.Rows)}
	var here []int32
	most := max(leastSample, int(min(work/float64(max(1, x.Rows))/float64(x.Cols+dims), 1e9)))
	for i := range x.Rows {
		out.Share[i] = float32(math.NaN())
		if finite(x.Row(i)) && finite(pos[i*dims:(i+1)*dims]) {
			if out.Of++; len(here) < most {
				here = append(here, int32(i))
			}
		}
	}
	out.Sample = len(here)
	if out.K = K(len(here)); out.K == 0 {
		return out, ctx.Err()
	}
	places := matrix.Matrix32{Rows: x.Rows, Cols: dims, Data: pos}
	var done atomic.Int64
	err := w.each(ctx, x.Rows, func(i int) {
		if now := done.Add(1); w.Progress != nil && now%1024 == 0 {
			w.Progress(now, int64(x.Rows))
		}
		if !finite(x.Row(i)) || !finite(places.Row(i)) {
			return
		}
		space, onMap := nearest(x, here, i, out.K), nearest(places, here, i, out.K)
		lost := 0
		for _, c := range space {
			if !has(onMap, c.j) {
				lost++
			}
		}
		out.Share[i] = float32(lost) / float32(len(space))
	})
	return out, err
}

// nearest returns the k points of here, by their place in it, that are nearest to point i of x, but i itself.
func nearest(x matrix.Matrix32, here []int32, i, k int) []candidate {
	list, me := make([]candidate, 0, k), x.Row(i)
	limit := math.Inf(1)
	for j, row := range here {
		if int(row) == i {
			continue
		}
		d := within(me, x.Row(int(row)), limit)
		if d >= limit { // one at the same distance has a higher index
			continue
		}
		c := candidate{int32(j), d}
		if len(list) < k {
			list = append(list, c)
		} else {
			list[k-1] = c
		}
		for at := len(list) - 1; at > 0 && list[at].less(list[at-1]); at-- {
			list[at], list[at-1] = list[at-1], list[at]
		}
		if len(list) == k {
			limit = list[k-1].d
		}
	}
	return list
}

// within is distance2, or some number of at least limit where that is as much.
func within(a, b []float32, limit float64) float64 {
	b = b[:len(a)]
	s := 0.0
	for len(a) > 8 {
		s += distance2(a[:8], b[:8])
		if s >= limit {
			return s
		}
		a, b = a[8:], b[8:]
	}
	return s + distance2(a, b)
}
