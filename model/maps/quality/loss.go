package quality

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/space/knn"
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
	most := max(leastSample, int(min(work/float64(max(1, x.Rows))/float64(x.Cols+dims), 1e9)))
	places := matrix.Matrix32{Rows: x.Rows, Cols: dims, Data: pos}
	var here []int32 // the points that have a place
	for i := range x.Rows {
		out.Share[i] = float32(math.NaN())
		if finite(x.Row(i)) && finite(places.Row(i)) {
			here = append(here, int32(i))
		}
	}
	out.Of, out.Sample = len(here), min(most, len(here))
	if out.K = K(out.Sample); out.K == 0 {
		return out, ctx.Err()
	}
	w.total = 2 * int64(out.Of)
	sample := here[:out.Sample]
	among, placed := rows(x, sample), rows(places, sample)
	// The sample among itself, then the others, some at a time.
	for from := 0; from < len(here); {
		to := out.Sample
		q := [2]knn.Query{{K: out.K}, {K: out.K}}
		if from > 0 {
			to = min(len(here), from+lossChunk)
			q[0].New, q[1].New = rows(x, here[from:to]), rows(places, here[from:to])
		}
		space, err := w.neighbours(ctx, among, q[0])
		if err != nil {
			return nil, err
		}
		onMap, err := w.neighbours(ctx, placed, q[1])
		if err != nil {
			return nil, err
		}
		for r, i := range here[from:to] {
			a, _ := space.Row(r)
			b, _ := onMap.Row(r)
			lost := 0
			for _, j := range a {
				if !slices.Contains(b, j) {
					lost++
				}
			}
			out.Share[i] = float32(lost) / float32(len(a))
		}
		from = to
	}
	return out, ctx.Err()
}

// lossChunk is how many points are compared with the sample at a time.
const lossChunk = 1 << 16

// rows returns some rows of m, which are m itself where they are its first.
func rows(m matrix.Matrix32, which []int32) matrix.Matrix32 {
	if n := len(which); n == 0 || int(which[n-1]) == n-1 { // rising
		return matrix.Matrix32{Rows: n, Cols: m.Cols, Data: m.Data[:n*m.Cols]}
	}
	out := matrix.New(len(which), m.Cols)
	for at, i := range which {
		copy(out.Row(at), m.Row(int(i)))
	}
	return out
}

// within is distance2, or some number of at least limit where that is as much. It adds in the order in which distance2
// does.
func within(a, b []float32, limit float64) float64 {
	b = b[:len(a)]
	s := 0.0
	for len(a) >= 8 {
		x, y := a[:8], b[:8]
		for i, v := range x {
			d := float64(v) - float64(y[i])
			s += d * d
		}
		if s >= limit {
			return s
		}
		a, b = a[8:], b[8:]
	}
	for i, v := range a {
		d := float64(v) - float64(b[i])
		s += d * d
	}
	return s
}
