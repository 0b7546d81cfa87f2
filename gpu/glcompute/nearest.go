package glcompute

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// nearest is memory for finding the nearest landmark alone.
type nearest struct {
	ids, deltas buffer
	host        []uint32
	near        []float32
}

func (n *nearest) free() {
	n.ids.free()
	n.deltas.free()
	*n = nearest{}
}

func (n *nearest) memory() int { return n.ids.bytes + n.deltas.bytes }

// Nearest implements train.Searcher: it writes to out[i-from] the number of the codebook row nearest to
// point i, for i in [from, to): the nearest up to float32 rounding of the difference of two distances,
// ties to the lower number, -1 for a point that is not finite.
func (r *resident) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) (err error) {
	g, n := codebook.Rows, to-from
	switch {
	case from < 0 || n < 0 || to > r.x.Rows || len(out) < n:
		return defect("points %d to %d of %d were asked for, with room for %d", from, to, r.x.Rows, len(out))
	case n == 0:
		return ctx.Err()
	case g == 0 || g > maxLandmarks:
		return problem.New("", "use 1 to 65,536 landmarks", "there are %d landmarks", g)
	case codebook.Cols != r.x.Cols || len(codebook.Data) < g*codebook.Cols:
		return defect("points have %d columns and landmarks %d", r.x.Cols, codebook.Cols)
	}
	if r.failed != nil {
		return r.failed
	}
	r.e.thread.run(func() {
		forget()
		err = r.assign(ctx, codebook, from, to, out)
		unbind()
	})
	return r.note(err)
}

func (r *resident) assign(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	if r.e.device.cut(codebook.Rows, (codebook.Cols+3)/4, 1).bytes() > r.e.device.block {
		return problem.New("", "use fewer landmarks or the cpu engine",
			"%d landmarks of %d columns are more than this card takes", codebook.Rows, codebook.Cols)
	}
	if _, err := r.train.set(codebook); err != nil {
		return err
	}
	if r.train.scale > wildScale || r.e.device.searchLoops(codebook.Rows, r.train.quads, 1) > r.e.device.loops() {
		return r.assignFar(ctx, from, to, out)
	}
	if len(r.pages.slots) == 0 {
		r.pages.prepare(1, r.budget())
	}
	t := &r.nearby
	return r.pages.each(engine.Range{From: from, To: to}, r.searchBatch(codebook.Rows), func(b batch) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := r.pages.slot(b.page)
		if err != nil {
			return err
		}
		if err := r.send(s, b); err != nil {
			return err
		}
		// In the cache of a tile's 32 points there is one word of ids and one distance each.
		n := b.to - b.from
		room := groups(n, tile) * tile
		if err := t.ids.room(4*room, "memory for the nearest landmarks"); err != nil {
			return err
		}
		if err := t.deltas.room(4*room, "memory for the nearest landmarks"); err != nil {
			return err
		}
		if err := r.search(&r.train, s, b, 1, &t.ids, &t.deltas, 0); err != nil {
			return err
		}
		if cap(t.host) < n {
			t.host, t.near = make([]uint32, n), make([]float32, n)
		}
		ids, near := t.host[:n], t.near[:n]
		read(&t.ids, 0, ids)
		read(&t.deltas, 0, near)
		first := b.page*r.pages.size + b.from
		for i, id := range ids {
			switch o := &out[first+i-from]; {
			case near[i] == invalid:
				*o = -1
			case near[i] < 0:
				*o = r.far(r.x.Row(first + i))
			default:
				*o = int32(id & 0xffff)
			}
		}
		return check("finding the nearest landmarks")
	})
}

// invalid marks a point that is not finite in the cache; a lower mark one that is too far for float32.
const invalid = -1

// assignFar does without the card.
func (r *resident) assignFar(ctx context.Context, from, to int, out []int32) error {
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		out[i-from] = -1
		if x := r.x.Row(i); embedsom.Valid(x) {
			out[i-from] = r.far(x)
		}
	}
	return nil
}

// far finds the nearest in float64, for a point at which float32 squares overflow or blur.
func (r *resident) far(x []float32) int32 {
	base, best := 0, 0.0 // squared distance less that of landmark 0
	l0 := r.train.host.Row(0)
	for i := 1; i < r.train.host.Rows; i++ {
		var delta float64
		for c, l := range r.train.host.Row(i) {
			v, u, b := float64(x[c]), float64(l), float64(l0[c])
			delta += (b - u) * ((v - b) + (v - u))
		}
		if delta < best {
			base, best = i, delta
		}
	}
	return int32(base)
}
