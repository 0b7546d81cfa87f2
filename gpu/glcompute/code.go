package glcompute

import (
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// code is a codebook on the device: rows of quads vec4, times scale, a power of two that brings the
// landmarks' spread near 1, so that squares neither overflow nor vanish.
type code struct {
	host   matrix.Matrix32 // as given
	quads  int
	scale  float32
	rows   buffer // and their mean
	mean   []float64
	pad    []float32
	staged staged
}

// wildScale is above what float32 points are sure to survive: drivers may take tiny numbers for zero.
const wildScale = 0x1p90

// set takes a codebook; it says whether it differs from the one before.
func (c *code) set(m matrix.Matrix32) (changed bool, err error) {
	m.Data = m.Data[:m.Rows*m.Cols]
	if c.rows.id != 0 && c.host.Rows == m.Rows && c.host.Cols == m.Cols && slices.Equal(c.host.Data, m.Data) {
		return false, nil
	}
	if c.host.Rows != m.Rows || c.host.Cols != m.Cols {
		c.host = matrix.New(m.Rows, m.Cols)
	}
	copy(c.host.Data, m.Data)
	c.quads = (m.Cols + 3) / 4
	c.mean = means(m, c.mean)
	c.scale = suited(spread(m, c.mean), c.scale)
	c.fill()
	c.staged.cut = cut{}
	if err = c.rows.room(4*len(c.pad), "memory for the landmarks"); err != nil {
		c.host = matrix.Matrix32{}
		return true, err
	}
	write(&c.rows, 0, c.pad)
	return true, nil
}

// fill makes what is sent.
func (c *code) fill() {
	g, size := c.host.Rows, 4*c.quads
	c.pad = slices.Grow(c.pad[:0], (g+1)*size)[:(g+1)*size]
	clear(c.pad)
	for i := range g {
		row := c.pad[i*size:]
		for j, v := range c.host.Row(i) {
			row[j] = v * c.scale
		}
	}
	centre := c.pad[g*size:]
	for j, v := range c.mean {
		centre[j] = float32(v * float64(c.scale))
	}
}

func (c *code) bytes() int { return c.rows.bytes + c.staged.rows.bytes + c.staged.norms.bytes }

func (c *code) free() {
	c.rows.free()
	c.staged.rows.free()
	c.staged.norms.free()
	*c = code{}
}

// means are those of the columns, in the memory of mean if it is enough.
func means(m matrix.Matrix32, mean []float64) []float64 {
	mean = slices.Grow(mean[:0], m.Cols)[:m.Cols]
	clear(mean)
	for i := range m.Rows {
		for c, v := range m.Row(i) {
			mean[c] += float64(v)
		}
	}
	for c := range mean {
		mean[c] /= float64(m.Rows)
	}
	return mean
}

// spread is the longest way of a coordinate from its mean.
func spread(m matrix.Matrix32, mean []float64) float64 {
	var s float64
	for i := range m.Rows {
		for c, v := range m.Row(i) {
			s = max(s, math.Abs(float64(v)-mean[c]))
		}
	}
	return s
}

// suited returns the power of two that brings the spread near 1, or the old scale where that does.
func suited(spread float64, old float32) float32 {
	if s := spread * float64(old); s > 1.0/256 && s < 256 {
		return old
	}
	if !(spread > 0) {
		if old > 0 {
			return old
		}
		return 1
	}
	return float32(math.Ldexp(1, min(120, max(-126, -math.Ilogb(spread)))))
}

// keep takes a codebook that the device cannot hold.
func (c *code) keep(m matrix.Matrix32) {
	c.rows.free()
	m.Data = m.Data[:m.Rows*m.Cols]
	c.host = m.Clone()
}
