package picture

import (
	"context"
	"math"

	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/transform"
	"blossom/render/colour"
)

// densityName is what --colour calls the local density of points, and the title of its legend.
const densityName = "density"

// densityOf is the colour by local density: log10 of how many times denser than evenly spread points
// the map is at each point. low and high are the corners of the region that is looked at.
func densityOf(e *embedsom.HostTarget, low, high [3]float64) (*colour.Values, error) {
	ds, err := dataset.FromColumns(context.Background(), densityName,
		[]dataset.Column{{Name: densityName, Values: density(e, low, high)}})
	if err != nil {
		return nil, err
	}
	return colour.Of(&ds.Columns[0], transform.Column{Op: transform.Log, Weight: 1}, nil), nil
}

// density estimates the density at each point, relative to the mean over the box from low to high: a
// histogram on a grid, where a point counts for the cells around it by its distance to them, smoothed by
// a Gaussian and read off in between. The width of the Gaussian shrinks with the number of points n as
// n^(-1/(dims+4)), the rule of D. W. Scott, "Multivariate Density Estimation" (1992), section 6.3.
// Points outside of the box get the density at its edge, those that are not finite NaN.
func density(e *embedsom.HostTarget, low, high [3]float64) []float32 {
	cells := 256
	if e.M == 3 {
		cells = 64
	}
	g := grid{cells: cells, dims: e.M}
	total := 1
	for range e.M {
		total *= cells
	}
	g.count = make([]float64, total)
	at := func(i int) (place [3]float64, inside, ok bool) {
		inside = true
		for c := range e.M {
			x := float64(e.Data[i*e.M+c])
			if x-x != 0 {
				return place, false, false
			}
			if extent := high[c] - low[c]; extent > 0 {
				place[c] = (x - low[c]) / extent * float64(cells-1)
			} else {
				place[c] = float64(cells-1) / 2
			}
			inside = inside && place[c] >= 0 && place[c] <= float64(cells-1)
			place[c] = min(float64(cells-1), max(0, place[c]))
		}
		return place, inside, true
	}
	n := 0
	for i := range e.N {
		if place, inside, ok := at(i); ok && inside {
			g.around(place, func(cell int, weight float64) { g.count[cell] += weight })
			n++
		}
	}
	for axis := range e.M {
		g.smooth(axis, max(1, float64(cells)/8*math.Pow(float64(max(1, n)), -1/float64(e.M+4))))
	}
	mean := float64(max(1, n)) / float64(total)
	out := make([]float32, e.N)
	for i := range out {
		place, _, ok := at(i)
		if !ok {
			out[i] = float32(math.NaN())
			continue
		}
		sum := 0.0
		g.around(place, func(cell int, weight float64) { sum += weight * g.count[cell] })
		out[i] = float32(max(sum/mean, math.SmallestNonzeroFloat32)) // far outside there may be nothing
	}
	return out
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
