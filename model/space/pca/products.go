package pca

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/par"

	"gonum.org/v1/gonum/floats"
)

// A tile of products is tile x tile numbers; chunk numbers of each of its vectors are in the cache at once.
const (
	tile  = 32
	chunk = 256
)

// pack writes numbers [lo, hi) of the vectors [from, to) to panel, each at a multiple of chunk.
type pack func(panel []float64, from, to, lo, hi int)

// columns packs the columns of x as vectors of deviations from the mean. Rows that are not valid have none.
func (a *Axes) columns(x matrix.Matrix32, valid []bool) pack {
	return func(panel []float64, from, to, lo, hi int) {
		mean := a.Mean[from:to]
		for i := lo; i < hi; i++ {
			at := i - lo
			if !valid[i] {
				for j := range mean {
					panel[j*chunk+at] = 0
				}
				continue
			}
			for j, v := range x.Row(i)[from:to] {
				panel[j*chunk+at] = float64(v) - mean[j]
			}
		}
	}
}

// rows packs some rows of x as vectors of deviations from the mean.
func (a *Axes) rows(x matrix.Matrix32, rows []int) pack {
	return func(panel []float64, from, to, lo, hi int) {
		for k, r := range rows[from:to] {
			for j, v := range x.Row(r)[lo:hi] {
				panel[k*chunk+j] = float64(v) - a.Mean[lo+j]
			}
		}
	}
}

// products returns the inner products of side vectors of a length with each other, side x side. Work is cut
// by tiles of the result, and, where there are few of those, by stretches of the vectors, whose parts are
// added in order. How it is cut depends on the sizes alone. done is called after each of jobs pieces.
func products(ctx context.Context, side, length int, get pack, done func(jobs int)) ([]float64, error) {
	strips := par.Count(side, tile)
	tiles := strips * (strips + 1) / 2
	// Stretches: enough pieces for many cores, and no more than 16 MiB of parts.
	stretches := max(1, min(par.Count(length, chunk), 256/tiles, (2<<20)/(tiles*tile*tile)))
	stride := par.Count(par.Count(length, chunk), stretches) * chunk
	parts := make([][]float64, stretches*tiles)
	err := par.Blocks(ctx, len(parts), 1, func(job, _, _ int) {
		i, j := place(job % tiles)
		lo := job / tiles * stride
		parts[job] = multiply(ctx, get, [2]int{i * tile, min(side, (i+1)*tile)},
			[2]int{j * tile, min(side, (j+1)*tile)}, lo, min(length, lo+stride))
		done(len(parts))
	})
	if err == nil {
		err = ctx.Err() // a part may have been left
	}
	if err != nil {
		return nil, err
	}
	out := make([]float64, side*side)
	for job, part := range parts {
		i, j := place(job % tiles)
		for r := i * tile; r < min(side, (i+1)*tile); r++ {
			for c := max(r, j*tile); c < min(side, (j+1)*tile); c++ {
				out[r*side+c] += part[(r-i*tile)*tile+c-j*tile]
			}
		}
	}
	for r := range side {
		for c := range r {
			out[r*side+c] = out[c*side+r]
		}
	}
	return out, nil
}

// place returns row i and column j >= i of the t-th tile of the upper triangle, column by column.
func place(t int) (i, j int) {
	for t > j {
		t -= j + 1
		j++
	}
	return t, j
}

// multiply returns the products of the vectors [a[0], a[1]) with [b[0], b[1]) over [lo, hi).
func multiply(ctx context.Context, get pack, a, b [2]int, lo, hi int) []float64 {
	sum := make([]float64, tile*tile)
	left := make([]float64, tile*chunk)
	right := left
	if a != b {
		right = make([]float64, tile*chunk)
	}
	for ; lo < hi && ctx.Err() == nil; lo += chunk {
		n := min(chunk, hi-lo)
		get(left, a[0], a[1], lo, lo+n)
		if a != b {
			get(right, b[0], b[1], lo, lo+n)
		}
		for r := range a[1] - a[0] {
			from := 0
			if a == b {
				from = r
			}
			u := left[r*chunk : r*chunk+n]
			for c := from; c < b[1]-b[0]; c++ {
				sum[r*tile+c] += floats.Dot(u, right[c*chunk:c*chunk+n])
			}
		}
	}
	return sum
}
