package selection

import (
	"context"
	"math"
	"math/bits"
	"sync"

	"blossom/model/base/par"
)

// Front says which points of a map in space are in front: a point is, if in its cell of the screen no point is nearer
// to the eye by more than Behind. Cells are squares of Cell pixels from the top left corner of the view on; a point
// beside the view is in none, and never in front. The zero Front has all points, however deep they lie.
type Front struct {
	Cell   float64 // pixels
	Behind float64 // units of the world
}

// Depths are how far from the eye the nearest point is in each cell of a view.
type Depths struct {
	Front
	w, h   float64 // size of the view
	nx, ny int
	near   []float64 // infinite: there is no point
}

// mostCells bounds the cells along a side of a view.
const mostCells = 2048

// Depths looks at all points that there are in a view; nil: all are in front, as on a flat map.
func (f Front) Depths(ctx context.Context, v View, p Points) (*Depths, error) {
	proj := v.projector()
	if err := p.check(); err != nil || !(f.Cell > 0) || proj.flat || v.W < 1 || v.H < 1 {
		return nil, err
	}
	f.Cell = max(f.Cell, float64(max(v.W, v.H))/mostCells)
	d := &Depths{Front: f, w: float64(v.W), h: float64(v.H)}
	d.nx, d.ny = int(math.Ceil(d.w/f.Cell)), int(math.Ceil(d.h/f.Cell))
	d.near = d.none()
	var lock sync.Mutex
	var idle [][]float64
	all := [][]float64{}
	err := par.Blocks(ctx, p.Len(), block, func(_, from, to int) {
		var own []float64
		lock.Lock()
		if n := len(idle); n > 0 {
			own, idle = idle[n-1], idle[:n-1]
		} else {
			own = d.none()
			all = append(all, own)
		}
		lock.Unlock()
		p.each(&proj, from, to, func(c *chunk, at, n int) {
			for i := range n {
				if cell := d.cell(c.x[i], c.y[i]); cell >= 0 && c.w[i] < own[cell] && p.has(at+i) {
					own[cell] = c.w[i]
				}
			}
		})
		lock.Lock()
		idle = append(idle, own)
		lock.Unlock()
	})
	for _, own := range all {
		for i, x := range own {
			d.near[i] = min(d.near[i], x)
		}
	}
	return d, err
}

func (d *Depths) none() []float64 {
	out := make([]float64, d.nx*d.ny)
	for i := range out {
		out[i] = math.Inf(1)
	}
	return out
}

// cell is the cell of a place, -1 of one beside the view.
func (d *Depths) cell(x, y float64) int {
	if !(x >= 0 && x < d.w && y >= 0 && y < d.h) {
		return -1
	}
	return min(int(y/d.Cell), d.ny-1)*d.nx + min(int(x/d.Cell), d.nx-1)
}

// shows says whether a point at a place, so far from the eye, is in front.
func (d *Depths) shows(x, y, depth float64) bool {
	cell := d.cell(x, y)
	return cell >= 0 && depth-d.near[cell] <= d.Behind
}

// front leaves those of the 64 points from i of a chunk on that are in front.
func (d *Depths) front(c *chunk, i int, m uint64) uint64 {
	if d == nil {
		return m
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		if !d.shows(c.x[i+k], c.y[i+k], c.w[i+k]) {
			m &^= 1 << k
		}
	}
	return m
}
