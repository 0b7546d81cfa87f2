package derived

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

// The density of points on the map: how many times denser than evenly spread ones they are, shown as log10.
func init() {
	Register(Kind{
		ID: "density", Title: "density", Order: 10, Needs: NeedPositions,
		Help:  "How many times denser points lie on the map than if they were evenly spread over it.",
		Shown: transform.Column{Op: transform.Log, Weight: 1},
		Compute: func(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
			p, c := in.Positions, dataset.Column{From: in.Positions.from()}
			low, high, _ := Core(p) // without a finite point there is no region, and no density
			values, err := density(ctx, p.Pos, p.Dims, low, high, progress)
			if err == nil {
				c.Values, err = in.Rows(ctx, values)
			}
			return c, err
		},
	})
}

// densityStretch points are counted one after another, on a grid for each such stretch of them.
const densityStretch = 1 << 19

// density estimates the density at each point, relative to the mean over the box from low to high: a
// histogram on a grid, where a point counts for the cells around it by its distance to them, smoothed by
// a Gaussian and read off in between. The width of the Gaussian shrinks with the number of points n as
// n^(-1/(dims+4)), the rule of D. W. Scott, "Multivariate Density Estimation" (1992), section 6.3.
// Points outside of the box get the density at its edge, those that are not finite NaN.
func density(ctx context.Context, pos []float32, dims int, low, high [3]float64,
	progress func(done, total int64)) ([]float32, error) {
	cells := 256
	if dims == 3 {
		cells = 64
	}
	p := placed{pos: pos, dims: dims, cells: cells, low: low, high: high}
	g, n, err := p.histogram(ctx)
	if err != nil {
		return nil, err
	}
	progress(1, 2)
	for axis := range dims {
		g.smooth(axis, max(1, float64(cells)/8*math.Pow(float64(max(1, n)), -1/float64(dims+4))))
	}
	mean := float64(max(1, n)) / float64(len(g.count))
	out := make([]float32, len(pos)/dims)
	err = par.Blocks(ctx, len(out), 1<<14, func(_, from, to int) {
		for i := from; i < to; i++ {
			place, _, ok := p.at(i)
			if !ok {
				out[i] = nan
				continue
			}
			sum := 0.0
			g.around(place, func(cell int, weight float64) { sum += weight * g.count[cell] })
			out[i] = float32(max(sum/mean, math.SmallestNonzeroFloat32)) // far outside there may be nothing
		}
	})
	progress(2, 2)
	return out, err
}

// placed is points over the grid that spans a box, cells on each axis.
type placed struct {
	pos         []float32
	dims, cells int
	low, high   [3]float64
}

// at returns the place of a point within the grid, and whether it lies in the box; ok is false for one that is not
// finite.
func (p *placed) at(i int) (place [3]float64, inside, ok bool) {
	inside = true
	for c := range p.dims {
		x := float64(p.pos[i*p.dims+c])
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
	stretch := max(densityStretch, (all+15)/16) // sixteen grids at most
	counts, inside := make([][]float64, par.Count(all, stretch)), make([]int, par.Count(all, stretch))
	err = par.Blocks(ctx, all, stretch, func(b, from, to int) {
		g := empty()
		for i := from; i < to; i++ {
			if i%4096 == 0 && ctx.Err() != nil {
				return
			}
			if place, in, ok := p.at(i); ok && in {
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

// smooth replaces each cell by the mean of those around it on one axis, weighted by a Gaussian of
// deviation sigma, in cells. What would fall beyond the edge is left out of the mean.
func (g *grid) smooth(axis int, sigma float64) {
	reach := int(math.Ceil(3 * sigma))
	weight := make([]float64, reach+1)
	for k := range weight {
		weight[k] = math.Exp(-float64(k*k) / (2 * sigma * sigma))
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
				w := weight[max(i-j, j-i)]
				sum += w * line[j]
				all += w
			}
			g.count[from+i*stride] = sum / all
		}
	}
}
