package knn

import (
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
	if err != nil {
		return nil, err
	}
	c := &Cells{of: t.of}
	ordered := make(chan error, 1)
	beside, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // while a device has the points
		var err error
		c.near, err = nearestCells(beside, centres)
		ordered <- err
	}()
	err = t.all(ctx, centres)
	if err != nil {
		stop()
	}
	if failed := <-ordered; err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	c.Start, c.Members = grouped(valid, t.of, cells)
	c.Look(1, 1)
	return c, nil
}

// validOf returns the points without NaN or Inf. The error is ctx's.
func validOf(ctx context.Context, x matrix.Matrix32) ([]int32, error) {
	const rows = 1 << 14
	all, counts := make([]int32, x.Rows), make([]int, par.Count(x.Rows, rows))
	err := par.Blocks(ctx, x.Rows, rows, func(b, from, to int) {
		at := from
		for i := from; i < to; i++ {
			if Finite(x.Row(i)) {
				all[at] = int32(i)
				at++
			}
		}
		counts[b] = at - from
	})
	valid := 0
	for b, count := range counts {
		if valid < b*rows { // some before are invalid
			copy(all[valid:], all[b*rows:b*rows+count])
		}
		valid += count
	}
	return all[:valid], err
}

// grouped sorts points by their cells: those of cell c are members[start[c]:start[c+1]], in the order of points.
func grouped(points, of []int32, cells int) (start, members []int32) {
	const least, ranges = 1 << 14, 64
	size := max(least, (len(points)+ranges-1)/ranges)
	next := make([][]int32, par.Count(len(points), size)) // by range: how many each cell has, then where the next goes
	_ = par.Blocks(context.Background(), len(points), size, func(r, from, to int) {
		count := make([]int32, cells)
		for _, p := range points[from:to] {
			count[of[p]]++
		}
		next[r] = count
	})
	start, members = make([]int32, cells+1), make([]int32, len(points))
	at := int32(0)
	for c := range cells {
		start[c] = at
		for _, count := range next {
			count[c], at = at, at+count[c]
		}
	}
	start[cells] = at
	_ = par.Blocks(context.Background(), len(points), size, func(r, from, to int) {
		next := next[r]
		for _, p := range points[from:to] {
			members[next[of[p]]] = p
			next[of[p]]++
		}
	})
	return start, members
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
		return nearestOf(ctx, t.x, nil, centres, t.of)
	}
	const chunk = 1 << 22 // several cards share it, and wait for each other once; each of them looks at ctx
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
	sample := draw(valid, cellSample*cells, rand.New(rand.NewPCG(seed, 0x6b6e6e)))
	size := len(sample)
	centres := matrix.New(cells, t.x.Cols)
	for i := range min(cells, size) {
		copy(centres.Row(i), t.x.Row(int(sample[i])))
	}
	columns, of := columnsOf(t.x, sample), make([]int32, size)
	for range cellRounds {
		var err error
		if t.assign == nil {
			err = nearestOf(ctx, t.x, sample, centres, t.of)
		} else {
			err = t.all(ctx, centres)
		}
		if err != nil {
			return centres, err
		}
		_ = par.Blocks(context.Background(), size, 1<<12, func(_, from, to int) {
			for i := from; i < to; i++ {
				of[i] = t.of[sample[i]]
			}
		})
		means(columns, of, centres)
	}
	return centres, nil
}

// draw draws most points at most. It swaps points, and then swaps them back, which is less than a copy of all.
func draw(points []int32, most int, r *rand.Rand) []int32 {
	with := make([]int32, min(len(points), most))
	for i := range with {
		j := i + r.IntN(len(points)-i)
		points[i], points[j], with[i] = points[j], points[i], int32(j)
	}
	sample := slices.Clone(points[:len(with)])
	for i, j := range slices.Backward(with) {
		points[i], points[j] = points[j], points[i]
	}
	return sample
}

// columnsOf are the columns of some points, one after the other.
func columnsOf(x matrix.Matrix32, points []int32) []float32 {
	n := len(points)
	columns := make([]float32, n*x.Cols)
	_ = par.Blocks(context.Background(), n, 1<<11, func(_, from, to int) {
		for i := from; i < to; i++ {
			for c, v := range x.Row(int(points[i])) {
				columns[c*n+i] = v
			}
		}
	})
	return columns
}

// means moves each centre to the mean of those points, by columns, that are nearest to it; one of none stays where it
// is. Cores share the columns, each of which is summed in the order of points.
func means(columns []float32, of []int32, centres matrix.Matrix32) {
	counts := make([]float64, centres.Rows)
	for _, c := range of {
		counts[c]++
	}
	_ = par.Blocks(context.Background(), centres.Cols, 1, func(q, _, _ int) {
		sums := make([]float64, centres.Rows)
		for i, v := range columns[q*len(of) : (q+1)*len(of)] {
			sums[of[i]] += float64(v)
		}
		for c, n := range counts {
			if n > 0 {
				centres.Data[c*centres.Cols+q] = float32(sums[c] / n)
			}
		}
	})
}

// nearestOf writes the nearest centre of each of some points, nil: of all; -1 for one with NaN or Inf.
func nearestOf(ctx context.Context, x matrix.Matrix32, points []int32, centres matrix.Matrix32, out []int32) error {
	n := len(points)
	if points == nil {
		n = x.Rows
	}
	return par.Blocks(ctx, n, 64, func(_, a, b int) {
		for i := a; i < b && ctx.Err() == nil; i++ {
			at := i
			if points != nil {
				at = int(points[i])
			}
			out[at] = -1
			p := x.Row(at)
			if !Finite(p) {
				continue
			}
			least := math.Inf(1)
			for c := range centres.Rows {
				if d := Squared(p, centres.Row(c)); d < least || out[at] < 0 {
					least, out[at] = d, int32(c)
				}
			}
		}
	})
}
