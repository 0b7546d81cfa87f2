package glcompute

import (
	"context"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/landmarks/train"
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

// Nearest implements train.Searcher: it writes to out[i-from] the train.Winner of point i, for i in [from, to). The
// card finds the two nearest; where they are near each other, float64 decides.
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
		// In the cache of a tile's 32 points there is one word of ids, and find distances each.
		find, n := min(2, codebook.Rows), b.to-b.from
		room := groups(n, tile) * tile
		if err := t.ids.room(4*room, "memory for the nearest landmarks"); err != nil {
			return err
		}
		if err := t.deltas.room(4*find*room, "memory for the nearest landmarks"); err != nil {
			return err
		}
		if err := r.search(&r.train, s, b, find, &t.ids, &t.deltas, 0); err != nil {
			return err
		}
		if cap(t.host) < room || cap(t.near) < find*room {
			t.host, t.near = make([]uint32, room), make([]float32, find*room)
		}
		ids, near := t.host[:n], t.near[:find*room]
		read(&t.ids, 0, ids)
		read(&t.deltas, 0, near)
		first := b.page*r.pages.size + b.from
		if err := r.decide(ctx, first, ids, near, find, out[first-from:]); err != nil {
			return err
		}
		return check("finding the nearest landmarks")
	})
}

// decide writes the winners of the points from first on, of which the card has found ids and distances.
func (r *resident) decide(ctx context.Context, first int, ids []uint32, near []float32, find int, out []int32) error {
	return par.Blocks(ctx, len(ids), 1<<10, func(_, low, high int) {
		for i := low; i < high; i++ {
			at := i/tile*find*tile + i%tile
			switch {
			case near[at] == invalid:
				out[i] = -1
			case find > 1 && certain(near[at], near[at+tile], r.x.Cols):
				out[i] = int32(ids[i] & 0xffff)
			default:
				out[i] = int32(train.Winner(r.train.host, r.x.Row(first+i)))
			}
		}
	})
}

// certain says whether the nearest landmark of a point is the winner beyond doubt, by its squared distance and how much
// larger the second least is, of d columns. Distances are sums of squares of differences in float32, which OpenGL lets
// drivers round up or down: each rounds by twice as much as train.Doubt thinks, so it is asked for twice the columns.
// The least one has lost its last bit, which is set where it is of another kind (search.glsl), and the sum rounds.
func certain(nearest, more float32, d int) bool {
	const another = 1
	if !(nearest >= 0) || math.Float32bits(nearest)&another != 0 {
		return false
	}
	return nearest+more > train.Doubt(nearest, 2*d+16)
}

// invalid marks a point that is not finite in the cache; a lower mark one that is too far for float32.
const invalid = -1

// assignFar does without the card.
func (r *resident) assignFar(ctx context.Context, from, to int, out []int32) error {
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		out[i-from] = int32(train.Winner(r.train.host, r.x.Row(i)))
	}
	return nil
}
