package glcompute

import (
	"context"
	"slices"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
)

// tables are the table of all pairs of landmarks, and the positions, on the device. What depends on
// positions is computed for each pair of each point anew: that costs less than looking it up.
type tables struct {
	pairs  buffer // g x g x 1/(2q)
	places buffer // g x {x, y, z or 0, 0}

	pos       matrix.Matrix32 // positions that places was made from
	pairsOld  bool            // the table does not know the codebook
	placesOld bool
	pad       []float32
}

func (t *tables) free() {
	t.pairs.free()
	t.places.free()
	*t = tables{pairsOld: true, placesOld: true}
}

// maxTabled is for how many landmarks the table fits into one buffer.
func (d device) maxTabled() int {
	g := 4096
	for g > 1 && 4*g*g > d.block {
		g--
	}
	return g
}

// update brings the tables up to date. It says whether the codebook or the positions changed.
func (r *resident) update(ctx context.Context, l *landmark.Set) (changed bool, err error) {
	t, c := &r.tab, &r.code
	g, m := l.Len(), l.Pos.Cols
	if err := t.pairs.room(4*g*g, "memory for the table of landmarks"); err != nil {
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
		t.pairsOld, changed = false, true
	}
	if t.pos.Rows != g || t.pos.Cols != m {
		t.pos = matrix.New(g, m)
		t.placesOld = true
	}
	if !t.placesOld && slices.Equal(t.pos.Data, l.Pos.Data[:g*m]) {
		return changed, nil
	}
	copy(t.pos.Data, l.Pos.Data)
	t.placesOld = true
	t.pad = slices.Grow(t.pad[:0], 4*g)[:4*g]
	clear(t.pad)
	for i := range g {
		copy(t.pad[4*i:], l.Pos.Row(i))
	}
	if err := t.places.room(16*g, "memory for positions"); err != nil {
		return true, err
	}
	write(&t.places, 0, t.pad)
	t.placesOld = false
	return true, nil
}
