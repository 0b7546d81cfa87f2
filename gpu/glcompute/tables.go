package glcompute

import (
	"context"
	"slices"

	"github.com/go-gl/gl/v4.3-core/gl"

	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/matrix"
)

// tables are the table of all pairs of landmarks, and the positions, on the device.
type tables struct {
	pairs  buffer // g x g x {1/(2q), log2((1+H)^-adjust / H)}
	places buffer // g x {x, y, z or 0, 0}
	listed buffer // landmarks that moved

	pos      matrix.Matrix32 // that the table knows
	adjust   float32
	pairsOld bool // the table does not know the codebook
	linesOld bool // or pos and adjust
	moved    []uint32
	pad      []float32
}

func (t *tables) free() {
	t.pairs.free()
	t.places.free()
	t.listed.free()
	*t = tables{pairsOld: true, linesOld: true}
}

// maxTabled is for how many landmarks the table fits into one buffer.
func (d device) maxTabled() int {
	g := 4096
	for g > 1 && 8*g*g > d.block {
		g--
	}
	return g
}

// update brings the table up to date. When a few landmarks moved, only their rows and columns change.
// It says whether anything did.
func (r *resident) update(ctx context.Context, l *landmark.Set, p embedsom.Params) (changed bool, err error) {
	t, c := &r.tab, &r.code
	g, m := l.Len(), l.Pos.Cols
	if err := t.pairs.room(8*g*g, "memory for the table of landmarks"); err != nil {
		return false, err
	}
	if t.pairsOld {
		k, err := r.e.programs.get(variant{name: "pairs"})
		if err != nil {
			return false, err
		}
		c.rows.bind(1)
		t.pairs.bind(6)
		rows := max(8, r.e.device.work()/max(1, g*4*c.quads)/8*8)
		for from := 0; from < g; from += rows {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			k.use()
			k.int(uG, g)
			k.int(uQuads, c.quads)
			k.int(uFrom, from)
			dispatch(groups(g, 16), groups(min(rows, g-from), 8))
			if rows < g {
				gl.Flush()
			}
		}
		visible()
		t.pairsOld, t.linesOld, changed = false, true, true
	}
	if t.pos.Rows == g && t.pos.Cols == m && t.adjust == p.Adjust && !t.linesOld {
		t.moved = t.moved[:0]
		for i := range g {
			if !slices.Equal(t.pos.Row(i), l.Pos.Row(i)) {
				t.moved = append(t.moved, uint32(i))
			}
		}
		if len(t.moved) == 0 {
			return changed, nil
		}
	} else {
		t.linesOld = true
	}
	if t.pos.Rows != g || t.pos.Cols != m {
		t.pos = matrix.New(g, m)
	}
	copy(t.pos.Data, l.Pos.Data)
	t.pad = slices.Grow(t.pad[:0], 4*g)[:4*g]
	clear(t.pad)
	for i := range g {
		copy(t.pad[4*i:], l.Pos.Row(i))
	}
	if err := t.places.room(16*g, "memory for positions"); err != nil {
		t.linesOld = true
		return true, err
	}
	write(&t.places, 0, t.pad)
	k, err := r.e.programs.get(variant{name: "lines"})
	if err != nil {
		t.linesOld = true
		return true, err
	}
	rows, listed := g, 0
	if !t.linesOld && len(t.moved) < g/4 {
		if err := t.listed.room(4*g, "memory for positions"); err != nil {
			t.linesOld = true
			return true, err
		}
		write(&t.listed, 0, t.moved)
		t.listed.bind(0)
		rows, listed = len(t.moved), 1
	}
	t.pairs.bind(6)
	t.places.bind(7)
	k.use()
	k.int(uG, g)
	k.int(uListed, listed)
	k.float(uAdjust, p.Adjust)
	k.int(uFrom, 0)
	dispatch(groups(g, 64), rows)
	visible()
	t.adjust, t.linesOld = p.Adjust, false
	return true, nil
}
