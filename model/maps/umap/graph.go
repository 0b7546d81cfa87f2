package umap

import (
	"context"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/space/knn"
)

// Graph is the fuzzy graph of n points: symmetric weights in (0, 1] without a diagonal, by rows: those of point i are
// Start[i]..Start[i+1], columns rising. It does not change once made.
type Graph struct {
	N      int
	Start  []int64 // n + 1
	Column []int32
	Weight []float32
	Most   float32 // the largest weight, 0 where there is none
	// Neighbours is how many points a neighbourhood has, its own included: what was asked for, or all that there are.
	Neighbours int
}

// Edges is how many weights there are, each pair twice.
func (g *Graph) Edges() int64 { return int64(len(g.Column)) }

// Allowed returns how many points the neighbourhoods of n points have where so many are asked for, each point's own
// included, and how many others that are.
func Allowed(n, neighbours int) (used, others int) {
	used = max(0, min(neighbours, n))
	return used, max(0, used-1)
}

// Joined finds the graph of the rows of x (finite), by all pairs. The error is ctx's.
func Joined(ctx context.Context, x matrix.Matrix32, neighbours int) (*Graph, error) {
	_, others := Allowed(x.Rows, neighbours)
	near, err := knn.Of(ctx, x, others)
	if err != nil {
		return nil, err
	}
	return GraphOf(ctx, near, neighbours, nil)
}

// GraphOf makes the graph from the neighbours of n points, all valid, that were found for so many neighbours or for
// more. by, if it is not nil, joins what it has the memory for. The error is ctx's.
func GraphOf(ctx context.Context, near *knn.Lists, neighbours int, by knn.Joiner) (*Graph, error) {
	n := near.N
	used, others := Allowed(n, neighbours)
	k := min(others, near.K)
	around, err := neighbourhoods(ctx, near, k)
	if err != nil {
		return nil, err
	}
	member := make([]float32, n*k)
	err = par.Blocks(ctx, n, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			for j := range k {
				member[i*k+j] = float32(around[i].Member(math.Sqrt(near.Squared(i, j))))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	j, err := knn.JoinBy(ctx, by, near, k, member, knn.Blend{})
	if err != nil {
		return nil, err
	}
	g := &Graph{N: n, Start: j.Start, Column: j.Column, Weight: j.Value, Neighbours: used}
	for _, w := range g.Weight {
		g.Most = max(g.Most, w)
	}
	return g, nil
}

// neighbourhoods finds that of each point, by its k nearest others.
func neighbourhoods(ctx context.Context, near *knn.Lists, k int) ([]Neighbourhood, error) {
	n := near.N
	sums := make([]float64, par.Count(n, block))
	distances := func(i int, d []float64) {
		for j := range d {
			d[j] = math.Sqrt(near.Squared(i, j))
		}
	}
	err := par.Blocks(ctx, n, block, func(b, from, to int) {
		d := make([]float64, k)
		for i := from; i < to; i++ {
			distances(i, d)
			for _, v := range d {
				sums[b] += v
			}
		}
	})
	if err != nil {
		return nil, err
	}
	mean := 0.0
	for _, s := range sums {
		mean += s
	}
	mean /= float64(max(1, n)) * float64(k+1)
	out := make([]Neighbourhood, n)
	err = par.Blocks(ctx, n, block, func(_, from, to int) {
		d := make([]float64, k)
		for i := from; i < to; i++ {
			distances(i, d)
			out[i] = Around(d, mean)
		}
	})
	return out, err
}

// Check says (problem.Problem) what is wrong with a graph from elsewhere. It looks at every weight.
func (g *Graph) Check() error {
	wrong := func(format string, args ...any) error {
		return problem.New("", "this is a defect of the program", format, args...)
	}
	if g.N < 0 || g.N > math.MaxInt32 || len(g.Start) != g.N+1 || len(g.Column) != len(g.Weight) ||
		g.Start[0] != 0 || g.Start[g.N] != g.Edges() {
		return wrong("a graph of %d points has %d starts, %d columns and %d weights", g.N, len(g.Start), len(g.Column),
			len(g.Weight))
	}
	for i := range g.N {
		if g.Start[i+1] < g.Start[i] || g.Start[i+1] > g.Edges() {
			return wrong("row %d of the graph begins at %d and ends at %d", i, g.Start[i], g.Start[i+1])
		}
		last := int32(-1)
		for e := g.Start[i]; e < g.Start[i+1]; e++ {
			if c, w := g.Column[e], g.Weight[e]; c <= last || int(c) >= g.N || int(c) == i || !(w > 0 && w <= g.Most) {
				return wrong("row %d of the graph has %g in column %d", i, w, c)
			}
			last = g.Column[e]
		}
	}
	return nil
}
