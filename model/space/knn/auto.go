package knn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
)

// Plan says how Auto may find neighbours.
type Plan struct {
	K      int
	Exact  bool    // whatever it takes
	Work   float64 // products of coordinates that comparing all pairs may take; 0: Affordable
	Recall float64 // at least, where not all pairs are compared; 0: DefaultRecall
	Seed   uint64
	// Progress is told of each stage ("neighbours", "cells"); nil: nobody is.
	Progress func(stage string, done, total int64)
}

const (
	// Affordable is what comparing all pairs may take by default: a minute of one core.
	Affordable = 2e12
	// DefaultRecall is the share of the neighbours that are found at least.
	DefaultRecall = 0.99
	// RecallPoints is how many points that is measured at.
	RecallPoints = 1000
)

// How many cells there are, at least and at most: a thousand points in each between that.
const (
	leastCells = 16
	mostCells  = 4096
)

func cellsOf(points int) int { return min(mostCells, max(leastCells, points/1000)) }

// AllCells puts the points in cells, all of which are looked through, the nearest first: that finds what is found
// without cells, and lets a device leave out those that are too far away.
func AllCells(ctx context.Context, x matrix.Matrix32, assign Assign) (*Cells, error) {
	c, err := MakeCells(ctx, x, cellsOf(x.Rows), 0, assign)
	if err == nil {
		c.Look(c.Len(), 0)
	}
	return c, err
}

// Result is what Auto has found, and how.
type Result struct {
	*Lists
	Exact  bool
	Recall float64 // measured at RecallPoints points; 1 if exact
	Cells  int     // how many cells the points were put in, and how many of them were looked through
	Probe  int
}

// products is how many products all pairs of x take, with what a comparison costs beside them.
func products(x matrix.Matrix32) float64 {
	return float64(x.Rows) * float64(x.Rows) * float64(x.Cols+16)
}

// Affords says whether all pairs of x are compared under this plan.
func (p Plan) Affords(x matrix.Matrix32) bool {
	work := p.Work
	if work <= 0 {
		work = Affordable
	}
	return p.Exact || products(x) <= work
}

// Auto finds the neighbours of all points of x: exactly while that is affordable, else in the nearest cells of some
// thousand points, of which more are looked through until the neighbours of a sample of points are found. find and
// assign are a device's; nil: none is there. Which way is taken depends on x and the plan alone. The error is ctx's, or
// the device's.
func Auto(ctx context.Context, x matrix.Matrix32, find Finder, assign Assign, p Plan) (*Result, error) {
	seen := SurveyOf(x)
	ask := func(q Query) (*Lists, error) {
		out := seen.Lists(x, q)
		if find != nil {
			if err := find.Others(ctx, q, out); !errors.Is(err, errors.ErrUnsupported) {
				return out, err
			}
		}
		return out, Search(ctx, x, q, out)
	}
	progress := func(stage string) func(done, total int64) {
		if p.Progress == nil {
			return nil
		}
		return func(done, total int64) { p.Progress(stage, done, total) }
	}
	if p.Affords(x) {
		l, err := ask(Query{K: p.K, Progress: progress("neighbours")})
		return &Result{Lists: l, Exact: true, Recall: 1}, err
	}
	want := p.Recall
	if want <= 0 {
		want = DefaultRecall
	}
	sample := sampleOf(x, p.Seed)
	truth, err := ask(Query{K: p.K, Points: sample, Progress: progress("recall")})
	if err != nil {
		return nil, err
	}
	cells, err := MakeCells(ctx, x, cellsOf(x.Rows), p.Seed, assign)
	if err != nil {
		return nil, err
	}
	r := &Result{Cells: cells.Len()}
	if err := r.probe(want, func(probe int) (float64, error) {
		cells.Look(probe, p.K)
		got, err := ask(Query{K: p.K, Points: sample, Cells: cells})
		if err != nil {
			return 0, err
		}
		return recall(truth, got), nil
	}); err != nil {
		return nil, err
	}
	cells.Look(r.Probe, p.K)
	r.Lists, err = ask(Query{K: p.K, Cells: cells, Progress: progress("neighbours")})
	return r, err
}

// probe finds how many cells to look through: as few as find what is wanted, but for a sixteenth of them, which costs
// as much as finding that out.
func (r *Result) probe(want float64, recall func(probe int) (float64, error)) error {
	low, high := 0, 4 // so many do not suffice, so many may
	for done := false; !done; {
		high = min(high, r.Cells)
		found, err := recall(high)
		if err != nil {
			return err
		}
		if r.Probe, r.Recall = high, found; found >= want || high == r.Cells {
			done = true
		} else {
			low, high = high, high+1+high/2
		}
	}
	for high-low > 1+high/16 {
		middle := (low + high) / 2
		found, err := recall(middle)
		if err != nil {
			return err
		}
		if found >= want {
			high, r.Probe, r.Recall = middle, middle, found
		} else {
			low = middle
		}
	}
	return nil
}

// sampleOf draws RecallPoints valid points, in order.
func sampleOf(x matrix.Matrix32, seed uint64) []int32 {
	r := rand.New(rand.NewPCG(seed, 0x7265636c))
	taken := map[int32]bool{}
	for range 20 * RecallPoints { // where most points are invalid there are fewer
		if i := int32(r.IntN(x.Rows)); len(taken) < min(RecallPoints, x.Rows) && Finite(x.Row(int(i))) {
			taken[i] = true
		}
	}
	out := make([]int32, 0, len(taken))
	for i := range taken {
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}

// recall is the share of the neighbours in want that got has; of equally far ones, any.
func recall(want, got *Lists) float64 {
	hits, all := 0, 0
	for r := range want.N {
		if want.K == 0 || math.IsNaN(want.Near[r]) {
			continue
		}
		limit := want.Squared(r, want.K-1)
		for j := range got.K {
			if got.Squared(r, j) <= limit*(1+1e-6) {
				hits++
			}
		}
		all += want.K
	}
	if all == 0 {
		return 1
	}
	return float64(hits) / float64(all)
}
