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
	valid, err := validOf(ctx, x)
	if err != nil {
		return nil, err
	}
	cells = max(1, min(cells, len(valid)))
	t := training{x: x, assign: assign, of: make([]int32, x.Rows)}
	centres, err := t.train(ctx, valid, cells, seed)
	if err == nil {
		err = t.all(ctx, centres)
	}
	if err != nil {
		return nil, err
	}
	c := &Cells{Start: make([]int32, cells+1), Members: make([]int32, 0, len(valid)), of: t.of}
	for _, i := range valid {
		c.Start[t.of[i]+1]++
	}
	for i := range cells {
		c.Start[i+1] += c.Start[i]
	}
	next := slices.Clone(c.Start)
	c.Members = c.Members[:len(valid)]
	for _, i := range valid {
		c.Members[next[t.of[i]]] = i
		next[t.of[i]]++
	}
	c.order(centres)
	c.Look(1, 1)
	return c, nil
}

// validOf returns the points without NaN or Inf. The error is ctx's.
func validOf(ctx context.Context, x matrix.Matrix32) ([]int32, error) {
	const rows = 1 << 14
	parts := make([][]int32, par.Count(x.Rows, rows))
	err := par.Blocks(ctx, x.Rows, rows, func(b, from, to int) {
		part := make([]int32, 0, to-from)
		for i := from; i < to; i++ {
			if Finite(x.Row(i)) {
				part = append(part, int32(i))
			}
		}
		parts[b] = part
	})
	return slices.Concat(parts...), err
}

// training puts points in cells.
type training struct {
	x      matrix.Matrix32
	assign Assign // a device that has x does it; nil: it is done here
	of     []int32
}

// all writes the nearest centre of each point.
func (t *training) all(ctx context.Context, centres matrix.Matrix32) error {
	if t.assign == nil {
		return nearestOf(ctx, t.x, centres, t.of)
	}
	const chunk = 1 << 16
	for from := 0; from < t.x.Rows; from += chunk {
		to := min(t.x.Rows, from+chunk)
		if err := t.assign(ctx, centres, from, to, t.of[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// train places centres by k-means on a sample. A device looks for the nearest centre of all points, of which it knows
// where they are, in less time than the sample takes here.
func (t *training) train(ctx context.Context, valid []int32, cells int, seed uint64) (matrix.Matrix32, error) {
	r := rand.New(rand.NewPCG(seed, 0x6b6e6e))
	sample := slices.Clone(valid)
	size := min(len(sample), cellSample*cells)
	for i := range size {
		j := i + r.IntN(len(sample)-i)
		sample[i], sample[j] = sample[j], sample[i]
	}
	sample = sample[:size]
	part := matrix.New(size, t.x.Cols)
	for i, p := range sample {
		copy(part.Row(i), t.x.Row(int(p)))
	}
	centres := matrix.New(cells, t.x.Cols)
	for i := range min(cells, size) {
		copy(centres.Row(i), part.Row(i))
	}
	of := make([]int32, size)
	for range cellRounds {
		if t.assign == nil {
			if err := nearestOf(ctx, part, centres, of); err != nil {
				return centres, err
			}
		} else {
			if err := t.all(ctx, centres); err != nil {
				return centres, err
			}
			for i, p := range sample {
				of[i] = t.of[p]
			}
		}
		means(part, of, centres)
	}
	return centres, nil
}

// means moves each centre to the mean of the points that are nearest to it; one of none stays where it is.
func means(x matrix.Matrix32, of []int32, centres matrix.Matrix32) {
	sums, counts := make([]float64, len(centres.Data)), make([]float64, centres.Rows)
	for i, c := range of {
		counts[c]++
		for q, v := range x.Row(i) {
			sums[int(c)*x.Cols+q] += float64(v)
		}
	}
	for c, n := range counts {
		if n == 0 {
			continue
		}
		for q := range x.Cols {
			centres.Row(c)[q] = float32(sums[c*x.Cols+q] / n)
		}
	}
}

// nearestOf writes the nearest centre of each point, -1 for one with NaN or Inf.
func nearestOf(ctx context.Context, x, centres matrix.Matrix32, out []int32) error {
	return par.Blocks(ctx, len(out), 64, func(_, a, b int) {
		for i := a; i < b && ctx.Err() == nil; i++ {
			out[i] = -1
			p := x.Row(i)
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
