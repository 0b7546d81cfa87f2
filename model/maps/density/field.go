// Package density estimates how densely points lie on a map, and draws lines of equal density.
package density

import (
	"context"
	"math"

	"blossom/model/base/par"
)

// stretch points are counted one after another, on a grid for each such stretch of them.
const stretch = 1 << 19

// flatCells is how many cells the grid has on each axis of the plane.
const flatCells = 256

// Field is the density of points, relative to the mean over a box.
type Field struct {
	grid grid
	box  placed
	mean float64
}

// Of estimates the density of points, len(pos) / dims of dims coordinates, over the box from low to high: a histogram
// on a grid, where a point counts for the cells around it by its distance to them, smoothed by a Gaussian and read off
// in between. The width of the Gaussian shrinks with the number of points n as n^(-1/(dims+4)), the rule of D. W.
// Scott, "Multivariate Density Estimation" (1992), section 6.3. Points outside of the box, and those that are not
// finite, count nothing. The error is ctx's.
func Of(ctx context.Context, pos []float32, dims int, low, high [3]float64) (*Field, error) {
	return smoothed(ctx, pos, dims, low, high, 1)
}

// smoothed is Of with a Gaussian so many times as wide.
func smoothed(ctx context.Context, pos []float32, dims int, low, high [3]float64, times float64) (*Field, error) {
	cells := flatCells
	if dims == 3 {
		cells = 64
	}
	p := placed{pos: pos, dims: dims, cells: cells, low: low, high: high}
	g, n, err := p.histogram(ctx)
	if err != nil {
		return nil, err
	}
	for axis := range dims {
		g.smooth(axis, width(cells, n, dims, times))
	}
	p.pos = nil
	return &Field{grid: g, box: p, mean: float64(max(1, n)) / float64(len(g.count))}, nil
}

// width is the deviation of the Gaussian that smooths n points, in cells.
func width(cells, n, dims int, times float64) float64 {
	return max(1, times*float64(cells)/8*math.Pow(float64(max(1, n)), -1/float64(dims+4)))
}

// At returns the density at a place, above 0: outside of the box that at its edge, NaN where the place is not finite.
func (f *Field) At(place []float32) float64 {
	at, _, ok := f.box.place(place)
	if !ok {
		return math.NaN()
	}
	sum := 0.0
	f.grid.around(at, func(cell int, weight float64) { sum += weight * f.grid.count[cell] })
	return max(sum/f.mean, math.SmallestNonzeroFloat32) // far outside there may be nothing
}

// placed is points over the grid that spans a box, cells on each axis.
type placed struct {
	pos         []float32
	dims, cells int
	low, high   [3]float64
}

// place returns the place of a point within the grid, and whether it lies in the box; ok is false for one that is not
// finite.
func (p *placed) place(point []float32) (place [3]float64, inside, ok bool) {
	inside = true
	for c := range p.dims {
		x := float64(point[c])
		if x-x != 0 {
			return place, false, false
		}
		if extent := p.high[c] - p.low[c]; extent > 0 {
			place[c] = (x - p.low[c]) / extent * float64(p.cells-1)
		} else {
			place[c] = float64(p.cells-1) / 2
		}
		inside = inside && place[c] >= 0 && place[c] <= float64(p.cells-1)
		place[c] = min(float64(p.cells-1), max(0, place[c]))
	}
	return place, inside, true
}

// histogram counts the points in the box, n in all, a stretch of points on a grid of its own. The error is ctx's.
func (p *placed) histogram(ctx context.Context) (g grid, n int, err error) {
	total := 1
	for range p.dims {
		total *= p.cells
	}
	empty := func() grid { return grid{cells: p.cells, dims: p.dims, count: make([]float64, total)} }
	all := len(p.pos) / p.dims
	each := max(stretch, (all+15)/16) // sixteen grids at most
	counts, inside := make([][]float64, par.Count(all, each)), make([]int, par.Count(all, each))
	err = par.Blocks(ctx, all, each, func(b, from, to int) {
		g := empty()
		for i := from; i < to; i++ {
			if i%4096 == 0 && ctx.Err() != nil {
				return
			}
			if place, in, ok := p.place(p.pos[i*p.dims : (i+1)*p.dims]); ok && in {
				g.around(place, func(cell int, weight float64) { g.count[cell] += weight })
				inside[b]++
			}
		}
		counts[b] = g.count
	})
	if err == nil {
		err = ctx.Err() // a stretch may have been left
	}
	if err != nil {
		return g, 0, err
	}
	g = empty()
	for b, count := range counts {
		n += inside[b]
		for cell, x := range count {
			g.count[cell] += x
		}
	}
	return g, n, nil
}

// grid is a histogram of cells^dims cells; axis 0 runs fastest.
type grid struct {
	cells, dims int
	count       []float64
}

// around calls f for the cells around a place within the grid, with weights that sum to 1 and fall
// evenly with the distance on each axis.
func (g *grid) around(place [3]float64, f func(cell int, weight float64)) {
	for corner := range 1 << g.dims {
		cell, weight, stride := 0, 1.0, 1
		for c := range g.dims {
			k := min(int(place[c]), g.cells-2)
			t := place[c] - float64(k)
			if corner>>c&1 == 1 {
				cell, weight = cell+(k+1)*stride, weight*t
			} else {
				cell, weight = cell+k*stride, weight*(1-t)
			}
			stride *= g.cells
		}
		if weight > 0 {
			f(cell, weight)
		}
	}
}

// reach is how many cells away a Gaussian is taken for 0.
func reach(sigma float64) int { return int(math.Ceil(3 * sigma)) }

// gaussian is the weights of a Gaussian of deviation sigma, in cells, by the distance.
func gaussian(sigma float64) []float64 {
	weight := make([]float64, reach(sigma)+1)
	for k := range weight {
		weight[k] = math.Exp(-float64(k*k) / (2 * sigma * sigma))
	}
	return weight
}

// smooth replaces each cell by the mean of those around it on one axis, weighted by a Gaussian of
// deviation sigma, in cells. What would fall beyond the edge is left out of the mean.
func (g *grid) smooth(axis int, sigma float64) {
	g.along(axis, gaussian(sigma), func(w float64) float64 { return w })
}

// spread is smooth for the variances of cells that are independent of each other: weights are squared.
func (g *grid) spread(axis int, sigma float64) {
	g.along(axis, gaussian(sigma), func(w float64) float64 { return w * w })
}

// along replaces each cell by the sum of those around it on one axis, each times what of makes of its weight, the
// weights by the distance coming to 1 within the grid.
func (g *grid) along(axis int, weight []float64, of func(w float64) float64) {
	reach, times := len(weight)-1, make([]float64, len(weight))
	for k, w := range weight {
		times[k] = of(w)
	}
	stride := 1
	for range axis {
		stride *= g.cells
	}
	line := make([]float64, g.cells)
	for from := range g.count {
		if from/stride%g.cells != 0 {
			continue // not the beginning of a line
		}
		for i := range line {
			line[i] = g.count[from+i*stride]
		}
		for i := range line {
			sum, all := 0.0, 0.0
			for j := max(0, i-reach); j <= min(g.cells-1, i+reach); j++ {
				k := max(i-j, j-i)
				sum += times[k] * line[j]
				all += weight[k]
			}
			g.count[from+i*stride] = sum / of(all)
		}
	}
}
