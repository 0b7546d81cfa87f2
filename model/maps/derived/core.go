package derived

import (
	"blossom/model/data/dataset"
)

// Tail is the share of points on each side of an axis that are taken for outliers: what a window fits its view to, and
// what a picture without a window shows.
const Tail = 0.001

// Core returns the corners of the box around the marks and all points but the farthest two in a thousand on each
// axis, with some room around. EmbedSOM puts points that are far from all landmarks far outside of the map: a
// picture that shows them all shows little else. ok is false where no point is finite.
func Core(p Positions) (low, high [3]float64, ok bool) {
	const room = 0.03
	if p.Dims < 1 || p.Dims > 3 {
		return low, high, false
	}
	for axis := range p.Dims {
		c := dataset.Column{Values: make([]float32, len(p.Pos)/p.Dims)}
		for i := range c.Values {
			c.Values[i] = p.Pos[i*p.Dims+axis]
		}
		q := c.Quantiles(Tail, 1-Tail)
		if q[0]-q[1] != q[0]-q[1] {
			return [3]float64{}, [3]float64{}, false
		}
		low[axis], high[axis] = q[0], q[1]
	}
	for i := range p.Marks.Rows {
		mark := p.Marks.Row(i)
		finite := true
		for _, x := range mark {
			finite = finite && x-x == 0
		}
		for axis, x := range mark[:min(len(mark), p.Dims)] {
			if finite {
				low[axis], high[axis] = min(low[axis], float64(x)), max(high[axis], float64(x))
			}
		}
	}
	for axis := range p.Dims {
		d := room * (high[axis] - low[axis])
		low[axis], high[axis] = low[axis]-d, high[axis]+d
	}
	return low, high, true
}
