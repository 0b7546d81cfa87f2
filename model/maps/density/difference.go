package density

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Groups says which points are compared. Its arrays have a number for each point.
type Groups struct {
	Group   []int8  // 0: the first group, 1: the second, below 0: neither
	Sample  []int32 // the sample that a point is from, below Samples
	Samples int
}

// LeastSamples is how many samples a group needs for the noise between them.
const LeastSamples = 3

// sure is how many standard errors of counts a difference is at the least that is more than noise.
const sure = 2.0

// slight is a difference, as a part of both densities, that is no more than what sums of them lose to rounding.
const slight = 1e-9

// Contrast is the densities of two groups of points on a map, and what of their difference is noise.
type Contrast struct {
	sides [2]side
	box   placed
	least float64 // how many standard errors a difference is at the least that is more than noise
	none  bool    // a group has no points
}

// side is the density of a group: the share of its points in each cell, and the square of its standard error.
type side struct {
	density, variance grid
	floor             float64 // the share in a cell where half a point of the group lies
}

// Difference compares how densely the points of two groups lie over the box from low to high.
//
// The density of a sample of N points is the histogram h of its points, smoothed by a Gaussian as contours are, over N:
// d = K h / N. That of a group of m samples is their mean, so that all of them weigh alike. The square of its standard
// error is the variance of d between the samples over m, where both groups have LeastSamples; else that of counts,
// which are their own variances (Poisson): K² h / (m N)², summed over the samples, K² having the squares of the weights
// of K, which is more than it is where much of a sample lies at one place. The Gaussian is as wide as Scott's rule has
// it for the smaller group. A difference is more than noise from so many standard errors on: for the noise between
// samples, which few of them know badly, the 97.5 % quantile of Student's t with as many degrees of freedom as both
// groups have samples, less two (2.776 at three and three); for that of counts two. The error is ctx's.
func Difference(ctx context.Context, pos []float32, dims int, low, high [3]float64, g Groups) (*Contrast, error) {
	cells := flatCells
	if dims == 3 {
		cells = 64
	}
	box := placed{dims: dims, cells: cells, low: low, high: high}
	points, total := sorted(pos, dims, &box, g)
	out := &Contrast{box: box, least: sure, none: total[0] == 0 || total[1] == 0}
	least := min(total[0], total[1])
	sigma := width(cells, least, dims, narrow)
	between := true
	for _, samples := range points {
		between = between && len(samples) >= LeastSamples
	}
	if between {
		free := float64(len(points[0]) + len(points[1]) - 2)
		out.least = distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(0.975)
	}
	for i, samples := range points {
		var err error
		if out.sides[i], err = sideOf(ctx, samples, box, sigma, between); err != nil {
			return nil, err
		}
		all := 0.0
		for _, w := range gaussian(sigma) {
			all += 2 * w
		}
		out.sides[i].floor = math.Pow(1/(all-1), float64(dims)) / 2 / float64(max(1, total[i]))
	}
	return out, nil
}

// sorted are the points of each group that lie in the box, by samples that have some, and how many each group has.
func sorted(pos []float32, dims int, box *placed, g Groups) (points [2][][]float32, total [2]int) {
	var by [2][][]float32
	for i := range by {
		by[i] = make([][]float32, g.Samples)
	}
	for i, group := range g.Group {
		s := int(g.Sample[i])
		if group < 0 || group > 1 || s < 0 || s >= g.Samples {
			continue
		}
		point := pos[i*dims : (i+1)*dims]
		if _, inside, ok := box.place(point); ok && inside {
			by[group][s] = append(by[group][s], point...)
			total[group]++
		}
	}
	for i := range by {
		for _, p := range by[i] {
			if len(p) > 0 {
				points[i] = append(points[i], p)
			}
		}
	}
	return points, total
}

// sideOf is the density of a group of samples. between: its noise is that between them, whose squares are summed by
// their distances from the mean as it grows (B. P. Welford, 1962): samples that are alike have none.
func sideOf(ctx context.Context, samples [][]float32, box placed, sigma float64, between bool) (side, error) {
	size, m := 1, float64(len(samples))
	for range box.dims {
		size *= box.cells
	}
	new := func() grid { return grid{cells: box.cells, dims: box.dims, count: make([]float64, size)} }
	out := side{density: new(), variance: new()}
	for k, points := range samples {
		at := box
		at.pos = points
		h, n, err := at.histogram(ctx)
		if err != nil {
			return out, err
		}
		var counts grid
		if !between {
			counts = new()
			copy(counts.count, h.count)
		}
		for axis := range box.dims {
			h.smooth(axis, sigma)
			if !between {
				counts.spread(axis, sigma)
			}
		}
		for c, x := range h.count {
			d, mean := x/float64(n), &out.density.count[c]
			off := d - *mean
			*mean += off / float64(k+1)
			if between {
				out.variance.count[c] += off * (d - *mean) / (m * (m - 1))
			} else {
				out.variance.count[c] += counts.count[c] / (m * m * float64(n) * float64(n))
			}
		}
	}
	return out, nil
}

// At returns log2 of how many times denser the second group is at a place than the first, and whether that is no more
// than noise, see Difference. Where a group has next to nothing its density is taken for that of half a point
// of it. It is noise where a group has no points, or the place is not finite.
func (c *Contrast) At(place []float32) (log float64, noise bool) {
	at, _, ok := c.box.place(place)
	if !ok || c.none {
		return math.NaN(), true
	}
	var density, variance [2]float64
	for i := range c.sides {
		s := &c.sides[i]
		s.density.around(at, func(cell int, weight float64) {
			density[i] += weight * s.density.count[cell]
			variance[i] += weight * s.variance.count[cell]
		})
	}
	off := math.Abs(density[1] - density[0])
	noise = !(off > slight*(density[0]+density[1]) && off >= c.least*math.Sqrt(variance[0]+variance[1]))
	a, b := max(density[0], c.sides[0].floor), max(density[1], c.sides[1].floor)
	return math.Log2(b / a), noise
}
