package knn

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// Assign writes for each point in [from, to) the nearest row of a codebook, -1 for one with NaN or Inf: train.Searcher
// has it.
type Assign func(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error

// How cells are trained: on so many points for each, so many times over.
const (
	cellSample = 64
	cellRounds = 6
)

// MakeCells puts the points of x in cells around centres of k-means (Lloyd, from random points). The same seed gives
// the same cells. assign may be nil. Look says which cells are looked through. The error is assign's, or ctx's.
func MakeCells(ctx context.Context, x matrix.Matrix32, cells int, seed uint64, assign Assign) (*Cells, error) {
	var valid []int32
	for i := range x.Rows {
		if Finite(x.Row(i)) {
			valid = append(valid, int32(i))
		}
	}
	cells = max(1, min(cells, len(valid)))
	centres, err := train(ctx, x, valid, cells, seed)
	if err != nil {
		return nil, err
	}
	if assign == nil {
		assign = func(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
			return nearestOf(ctx, x, codebook, from, out[:to-from])
		}
	}
	of := make([]int32, x.Rows)
	const chunk = 1 << 16
	for from := 0; from < x.Rows; from += chunk {
		to := min(x.Rows, from+chunk)
		if err := assign(ctx, centres, from, to, of[from:to]); err != nil {
			return nil, err
		}
	}
	c := &Cells{Start: make([]int32, cells+1), Members: make([]int32, 0, len(valid)), of: of}
	for _, i := range valid {
		c.Start[of[i]+1]++
	}
	for i := range cells {
		c.Start[i+1] += c.Start[i]
	}
	next := slices.Clone(c.Start)
	c.Members = c.Members[:len(valid)]
	for _, i := range valid {
		c.Members[next[of[i]]] = i
		next[of[i]]++
	}
	c.order(centres)
	c.Look(1, 1)
	return c, nil
}

// train places centres by k-means on a sample.
func train(ctx context.Context, x matrix.Matrix32, valid []int32, cells int, seed uint64) (matrix.Matrix32, error) {
	r := rand.New(rand.NewPCG(seed, 0x6b6e6e))
	sample := slices.Clone(valid)
	size := min(len(sample), cellSample*cells)
	for i := range size {
		j := i + r.IntN(len(sample)-i)
		sample[i], sample[j] = sample[j], sample[i]
	}
	sample = sample[:size]
	part := matrix.New(size, x.Cols)
	for i, p := range sample {
		copy(part.Row(i), x.Row(int(p)))
	}
	centres := matrix.New(cells, x.Cols)
	for i := range min(cells, size) {
		copy(centres.Row(i), part.Row(i))
	}
	of := make([]int32, size)
	for range cellRounds {
		if err := nearestOf(ctx, part, centres, 0, of); err != nil {
			return centres, err
		}
		sums, counts := make([]float64, cells*x.Cols), make([]float64, cells)
		for i, c := range of {
			counts[c]++
			for q, v := range part.Row(i) {
				sums[int(c)*x.Cols+q] += float64(v)
			}
		}
		for c := range cells {
			if counts[c] == 0 {
				continue // it stays where it is
			}
			for q := range x.Cols {
				centres.Row(c)[q] = float32(sums[c*x.Cols+q] / counts[c])
			}
		}
	}
	return centres, nil
}

// nearestOf writes the nearest centre of the points from on.
func nearestOf(ctx context.Context, x, centres matrix.Matrix32, from int, out []int32) error {
	return par.Blocks(ctx, len(out), 64, func(_, a, b int) {
		for i := a; i < b && ctx.Err() == nil; i++ {
			out[i] = -1
			p := x.Row(from + i)
			if !Finite(p) {
				continue
			}
			least := math.Inf(1)
			for c := range centres.Rows {
				if d := Squared(p, centres.Row(c)); d < least || out[i] < 0 {
					least, out[i] = d, int32(c)
				}
			}
		}
	})
}

// order puts for each cell all cells in order of the distance of their centres.
func (c *Cells) order(centres matrix.Matrix32) {
	n := c.Len()
	c.near = make([][]int32, n)
	_ = par.Blocks(context.Background(), n, 16, func(_, from, to int) {
		d := make([]float64, n)
		for i := from; i < to; i++ {
			list := make([]int32, n)
			for j := range n {
				list[j], d[j] = int32(j), Squared(centres.Row(i), centres.Row(j))
			}
			d[i] = -1 // itself first, also where centres coincide
			slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(d[a], d[b]), cmp.Compare(a, b)) })
			c.near[i] = list
		}
	})
}

// Look has the points of each cell look through the probe nearest cells, and as many more as it takes until there are
// k others in them.
func (c *Cells) Look(probe, k int) {
	c.Probe = make([][]int32, c.Len())
	for i, near := range c.near {
		have, at := 0, 0
		for at < len(near) && (at < probe || have < k+1) {
			have += len(c.In(int(near[at])))
			at++
		}
		c.Probe[i] = near[:at:at]
	}
}
