package tally

import "math"

// reach is how far the weights of a smoothed picture go, in standard deviations: beyond it they are below 2e-8.
const reach = 6

// leastSmooth is the least amount of points that a cell of a smoothed picture is painted for: half of what one point
// has in its own cell, so that a point by itself is a disc.
const leastSmooth = 0.5

// smooth smooths what cells of a picture have by a Gaussian around each: a cell has, of every cell, the points times
// exp(-d²/2s²), d between their middles and s the standard deviation, so that a point by itself is 1 in its own cell.
// At the edges of the picture the weights that lie beyond it are made up for. Sums are taken in an order of their own,
// the same on any number of cores.
type smooth struct {
	cols, rows int
	weights    []float64 // weights of cells that lie so many apart
	edge       [2][]float64
	row        []float64
	filled     []bool // rows that have anything
}

// newSmooth returns what smooths a grid of cells of a side, so many in a row, with a standard deviation in pixels.
func newSmooth(cols, cells int, side, deviation float64) *smooth {
	s := &smooth{cols: cols, rows: cells / cols}
	far := int(reach * deviation / side)
	for k := 0; k <= far; k++ {
		d := float64(k) * side / deviation
		s.weights = append(s.weights, math.Exp(-d*d/2))
	}
	for i, n := range [2]int{s.cols, s.rows} {
		s.edge[i] = s.missing(n)
	}
	return s
}

// missing are how many times more all weights are than those of a cell within a line of n.
func (s *smooth) missing(n int) []float64 {
	whole := -s.weights[0]
	for _, w := range s.weights {
		whole += 2 * w
	}
	out := make([]float64, n)
	for i := range out {
		sum := -s.weights[0]
		for k, w := range s.weights {
			if i-k >= 0 {
				sum += w
			}
			if i+k < n {
				sum += w
			}
		}
		out[i] = whole / sum
	}
	return out
}

// of smooths a plane of cells in place. each calls a function for 0 to n-1, on all cores.
func (s *smooth) of(plane []float64, each func(n int, f func(i int))) {
	s.row, s.filled = cleared(s.row, len(plane)), cleared(s.filled, s.rows)
	each(s.rows, func(y int) {
		from, to := plane[y*s.cols:(y+1)*s.cols], s.row[y*s.cols:(y+1)*s.cols]
		for x, v := range from {
			if v == 0 {
				continue
			}
			s.filled[y] = true
			to[x] += v * s.weights[0]
			for k := 1; k < len(s.weights); k++ {
				w := v * s.weights[k]
				if x-k >= 0 {
					to[x-k] += w
				}
				if x+k < s.cols {
					to[x+k] += w
				}
			}
		}
		for x := range to {
			to[x] *= s.edge[0][x]
		}
	})
	each(s.rows, func(y int) {
		to := plane[y*s.cols : (y+1)*s.cols]
		clear(to)
		for from := max(0, y-len(s.weights)+1); from < min(s.rows, y+len(s.weights)); from++ {
			if !s.filled[from] {
				continue
			}
			w := s.weights[max(from-y, y-from)] * s.edge[1][y]
			for x, v := range s.row[from*s.cols : (from+1)*s.cols] {
				to[x] += w * v
			}
		}
	})
}

// soften makes the smoothed amounts of points of a canvas, and smooths what cells show.
func (c *Canvas) soften() {
	c.soft, c.front = c.soft[:0], c.front[:0]
	cols, side := c.grid.Rows()
	if !(c.how.Smooth > 0) || cols == 0 {
		return
	}
	s := newSmooth(cols, len(c.count), side, c.how.Smooth)
	c.front = cleared(c.front, len(c.count))
	for i, n := range c.count {
		c.front[i] = float64(n)
	}
	s.of(c.front, c.each)
	c.soft = c.front
	if len(c.behind) > 0 {
		c.soft = cleared[float64](nil, len(c.count))
		for i := range c.soft {
			c.soft[i] = float64(c.behind[i])
		}
		s.of(c.soft, c.each)
		for i := range c.soft {
			c.soft[i] += c.front[i]
		}
	}
	if c.shown != nil {
		c.shown.smooth(func(plane []float64) { s.of(plane, c.each) })
	}
}
