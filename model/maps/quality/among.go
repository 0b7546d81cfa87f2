package quality

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/space/knn"
)

// Exact is the number of points up to which Among takes all of them as queries.
const Exact = 5000

// Queries is how many it takes of more.
const Queries = 2000

// Ranked is how many points there are at most among which ranks are counted. Those among more are estimated from that
// sample, so that a map of any number of points is measured in the same time.
const Ranked = 20_000

// Whole is the quality of a map at one K, of some points among all.
type Whole struct {
	Points, Queries             int     // n, and how many of them were asked for their neighbours
	Ranked                      int     // ranks beyond these are counted among so many of all, n where that is exact
	K                           int     // the number of neighbours for RNX
	RNX, Error                  float64 // and its standard error; 0 where all were asked
	Trustworthiness, Continuity float64 // at Trusted; NaN for 24 points or fewer
}

// Among returns the quality of positions, dims for each point of x (n x d): of some finite points, w.Sample or the
// first (the points of a map are in an order by chance, so that those are a fair sample). Their neighbours are those
// among all, which w.Find looks for. The rank of a point that is none of the K nearest is counted among all up to
// Ranked points; of more it is
//
//	K + 1 + (n-1-K) / |S| * |{s in S: s is nearer}|
//
// where S are points by chance, but the one that is asked and its K nearest: no rank is off in the mean. For a map that
// is watched see Space. The error is ctx's, or a Problem.
func Among(ctx context.Context, x matrix.Matrix32, pos []float32, dims int, w Work) (*Whole, error) {
	if dims < 1 || len(pos) != x.Rows*dims {
		return nil, problem.New("", "please report this", "%d coordinates in %d dimensions are not those of %d points",
			len(pos), dims, x.Rows)
	}
	places := matrix.Matrix32{Rows: x.Rows, Cols: dims, Data: pos}
	asked, x, places := present(x, places, w.Sample)
	n := x.Rows
	out := &Whole{Points: n, Queries: n, Ranked: n, K: K(n), RNX: math.NaN(), Error: math.NaN(),
		Trustworthiness: math.NaN(), Continuity: math.NaN()}
	among := upTo(n)
	if n > Exact {
		if n > Ranked {
			among = asked[:min(Ranked, len(asked))]
		}
		asked = asked[:min(Queries, len(asked))]
	} else {
		asked = among
	}
	out.Queries, out.Ranked = len(asked), len(among)
	if n < 3 || out.Queries == 0 {
		return out, ctx.Err()
	}
	// Neighbours on both sides, then ranks: a third of the work each, about.
	w.total = 3 * int64(out.Queries)
	keep := max(out.K, min(Trusted, n-1))
	space, err := w.neighbours(ctx, x, knn.Query{K: keep, Points: asked})
	if err != nil {
		return nil, err
	}
	onMap, err := w.neighbours(ctx, places, knn.Query{K: keep, Points: asked})
	if err != nil {
		return nil, err
	}
	c := agreement{w: w, x: x, places: places, asked: asked, among: among, space: space, onMap: onMap, k: out.K,
		beyond: make([][2]float64, len(asked))}
	if err := w.each(ctx, out.Queries, c.count); err != nil {
		return nil, err
	}
	q := float64(c.near.Load()) / float64(out.Queries) / float64(out.K)
	out.RNX = rnx(q, n, out.K)
	if out.Error = 0; out.Queries < n {
		out.Error = standardError(c.near.Load(), c.squares.Load(), out.Queries, n, out.K)
	}
	if n > 2*Trusted {
		intruders, missing := 0.0, 0.0
		for _, b := range c.beyond {
			intruders, missing = intruders+b[0], missing+b[1]
		}
		out.Trustworthiness = penalty(intruders, out.Queries, n, Trusted)
		out.Continuity = penalty(missing, out.Queries, n, Trusted)
	}
	return out, nil
}

// agreement counts over the points that are asked how the neighbours in the space and on the map agree.
type agreement struct {
	w            Work
	x, places    matrix.Matrix32
	asked, among []int32
	space, onMap *knn.Lists // the neighbours of asked, nearest first
	k            int

	near, squares atomic.Int64 // neighbours among k that are the same, and their squares
	// beyond is by how many ranks the neighbours on the map alone, and those in the space alone, are too far on the
	// other side.
	beyond [][2]float64
	done   atomic.Int64
}

// count adds the point asked[q].
func (c *agreement) count(q int) {
	a, _ := c.space.Row(q)
	b, _ := c.onMap.Row(q)
	kept := int64(0)
	for _, j := range a[:c.k] {
		if slices.Contains(b[:c.k], j) {
			kept++
		}
	}
	c.near.Add(kept)
	c.squares.Add(kept * kept)
	if c.x.Rows > 2*Trusted {
		c.beyond[q] = [2]float64{beyond(c.x, c.among, c.asked[q], b[:Trusted], a[:Trusted]),
			beyond(c.places, c.among, c.asked[q], a[:Trusted], b[:Trusted])}
	}
	c.w.report(c.done.Add(1))
}

// present returns the points that have a place on both sides, and which of them a sample names, in its order; without
// one, all.
func present(x, places matrix.Matrix32, sample []int32) (asked []int32, _, _ matrix.Matrix32) {
	at, n := make([]int32, x.Rows), int32(0)
	for i := range x.Rows {
		at[i] = -1
		if finite(x.Row(i)) && finite(places.Row(i)) {
			at[i] = n
			n++
		}
	}
	if sample == nil {
		sample = upTo(x.Rows)
	}
	for _, i := range sample {
		if i >= 0 && int(i) < len(at) && at[i] >= 0 {
			asked = append(asked, at[i])
		}
	}
	if int(n) == x.Rows {
		return asked, x, places
	}
	some, there := matrix.New(int(n), x.Cols), matrix.New(int(n), places.Cols)
	for i, to := range at {
		if to >= 0 {
			copy(some.Row(int(to)), x.Row(i))
			copy(there.Row(int(to)), places.Row(i))
		}
	}
	return asked, some, there
}

func upTo(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// beyond sums by how much the ranks in x of those in list are more than len(near), the nearest of point i in x: counted
// among some points, all or by chance.
func beyond(x matrix.Matrix32, among []int32, i int32, list, near []int32) float64 {
	me := x.Row(int(i))
	var out []knn.Found
	most := 0.0
	for _, j := range list {
		if !slices.Contains(near, j) {
			out = append(out, knn.Found{Index: j, Squared: distance2(me, x.Row(int(j)))})
			most = max(most, out[len(out)-1].Squared)
		}
	}
	if len(out) == 0 {
		return 0
	}
	limit := math.Nextafter(most, math.Inf(1))
	nearer, others := int64(0), len(among)
	for _, j := range among {
		c := knn.Found{Index: j, Squared: within(me, x.Row(int(j)), limit)}
		switch {
		case c.Squared > most:
		case j == i || slices.Contains(near, j):
			others--
		default:
			for _, o := range out {
				if c.Less(o) {
					nearer++
				}
			}
		}
	}
	sum := float64(nearer) + float64(len(out)) // the next after the nearest is 1 beyond
	if all := x.Rows - 1 - len(near); others < all {
		sum = float64(nearer)*float64(all)/float64(max(1, others)) + float64(len(out))
	}
	return sum
}
