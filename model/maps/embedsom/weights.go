package embedsom

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// Moved returns the projection with other positions of the same landmarks; the codebook is shared.
func (r *Reference) Moved(pos matrix.Matrix32) *Reference {
	n := *r
	n.pos, n.m = widen(pos), pos.Cols
	return &n
}

// K is how many landmarks place a point, Find how many are looked for: one more where there is one.
func (r *Reference) K() int    { return r.k }
func (r *Reference) Find() int { return r.find }

// Weights returns the find nearest landmarks of x, nearest first, and the share of each of the first k in the place of
// the point, which add up to 1. Only those k have any: the last one found says where the shares end. It returns nil
// for an invalid point.
func (w *Worker) Weights(x []float32, ids []int32, weights []float64) ([]int32, []float64) {
	if !Valid(x) {
		return nil, nil
	}
	w.nearest(x)
	w.scores()
	sum := 0.0
	for _, s := range w.score[:w.r.k] {
		sum += s
	}
	ids, weights = ids[:0], weights[:0]
	for i, n := range w.all {
		ids = append(ids, int32(n.id))
		if i < w.r.k {
			weights = append(weights, w.score[i]/sum)
		}
	}
	return ids, weights
}

// nearest is rank for all landmarks of which only the first find are wanted.
func (w *Worker) nearest(x []float32) {
	r := w.r
	w.all = w.all[:0]
	most := math.Inf(1)
	for i := range r.g {
		var s float64
		for c, l := range r.row(i) {
			t := float64(x[c]) - l
			s += t * t
		}
		if len(w.all) == r.find && !(s < most) {
			continue
		}
		at, _ := slices.BinarySearchFunc(w.all, s, func(n neighbour, s float64) int {
			if n.delta <= s {
				return -1
			}
			return 1
		})
		if len(w.all) == r.find {
			w.all = w.all[:r.find-1]
		}
		w.all = slices.Insert(w.all, at, neighbour{i, s})
		most = w.all[len(w.all)-1].delta
	}
	w.rank(x) // among these, as exactly as Point has them
}

// Derivative writes how the place of x changes with the positions of its k nearest landmarks, as ids (find of them,
// nearest first) has them: for each of the k and each of its coordinates the change of the m coordinates of x, by
// differences over a small step on the map. It moves landmarks of the Worker's Reference for the while, which must be
// used by nobody else.
func (w *Worker) Derivative(x []float32, ids []int32, step float64, out []float64) {
	r := w.r
	at, to := make([]float64, r.m), make([]float64, r.m)
	w.PointFrom(x, ids, at) // which also ranks them: that does not depend on positions
	for i, id := range ids[:r.k] {
		for c := range r.m {
			p := &r.pos[int(id)*r.m+c]
			was := *p
			*p += step
			w.solve(x, to)
			*p = was
			for q := range to {
				out[(i*r.m+c)*r.m+q] = (to[q] - at[q]) / step
			}
		}
	}
}

// Carriers are points with what carries them, ready to be placed again and again while landmarks move.
type Carriers struct {
	K       int       // landmarks that carry each
	IDs     []int32   // N x K, nearest first
	Weights []float64 // N x K, which add up to 1 for each point
	Rows    []int32   // rows of the matrix that they come from

	r     *Reference
	x     matrix.Matrix32
	found []int32 // N x find
}

// carrierBlock is how many points a goroutine takes at once.
const carrierBlock = 32

// NewCarriers finds what carries the rows of x; points that are not valid are left out.
func NewCarriers(ctx context.Context, r *Reference, x matrix.Matrix32) (*Carriers, error) {
	c := &Carriers{K: r.k, r: r, x: matrix.Matrix32{Cols: x.Cols}}
	for i := range x.Rows {
		if Valid(x.Row(i)) {
			c.x.Data = append(c.x.Data, x.Row(i)...)
			c.x.Rows++
			c.Rows = append(c.Rows, int32(i))
		}
	}
	n := c.x.Rows
	c.IDs, c.Weights, c.found = make([]int32, n*r.k), make([]float64, n*r.k), make([]int32, n*r.find)
	err := par.Blocks(ctx, n, carrierBlock, func(_, from, to int) {
		w := r.Worker()
		ids, weights := make([]int32, 0, r.find), make([]float64, 0, r.k)
		for i := from; i < to; i++ {
			ids, weights = w.Weights(c.x.Row(i), ids, weights)
			copy(c.found[i*r.find:], ids)
			copy(c.IDs[i*r.k:(i+1)*r.k], ids)
			copy(c.Weights[i*r.k:], weights)
		}
	})
	return c, err
}

// Len is the number of points.
func (c *Carriers) Len() int { return c.x.Rows }

// Places writes where the points are on a map with these positions of landmarks, N x m.
func (c *Carriers) Places(pos matrix.Matrix32, out []float64) {
	r, m := c.r.Moved(pos), pos.Cols
	c.blocks(func(from, to int) {
		w := r.Worker()
		for i := from; i < to; i++ {
			w.PointFrom(c.x.Row(i), c.found[i*r.find:(i+1)*r.find], out[i*m:(i+1)*m])
		}
	})
}

// Derivatives writes how the places of points change with the positions of their K landmarks, N x K x m x m, see
// Worker.Derivative.
func (c *Carriers) Derivatives(pos matrix.Matrix32, step float64, out []float64) {
	n := c.K * pos.Cols * pos.Cols
	c.blocks(func(from, to int) {
		r := c.r.Moved(pos)
		w := r.Worker()
		for i := from; i < to; i++ {
			w.Derivative(c.x.Row(i), c.found[i*r.find:(i+1)*r.find], step, out[i*n:(i+1)*n])
		}
	})
}

func (c *Carriers) blocks(fn func(from, to int)) {
	// It has no context that could end it.
	_ = par.Blocks(context.Background(), c.x.Rows, carrierBlock, func(_, from, to int) { fn(from, to) })
}
