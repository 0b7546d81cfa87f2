package splat

import (
	"math"

	"blossom/render/palette"
)

// record is a point on the canvas, packed: from the lowest bit, 20 bits of x and 20 of y (64ths of a
// pixel, moved by recordOffset pixels to be positive), 11 of the entry of the colour and 7 of the kernel. Most
// of the time in this file is spent on moving them.
type record uint64

const recordOffset = MaxSize

// MaxSide is the largest width or height of a canvas.
const MaxSide = 1<<14 - 2*recordOffset

func (r record) x() int      { return int(r>>6&0x3fff) - recordOffset }
func (r record) y() int      { return int(r>>26&0x3fff) - recordOffset }
func (r record) subX() int   { return int(r & 63) }
func (r record) subY() int   { return int(r >> 20 & 63) }
func (r record) colour() int { return int(r >> 40 & 0x7ff) }
func (r record) kernel() int { return int(r >> 51 & 0x7f) }

// pack makes a record of a place in 64ths of a pixel, already moved.
func pack(x, y uint32, colour uint16, kernel int) record {
	return record(x) | record(y)<<20 | record(colour)<<40 | record(kernel)<<51
}

// scratch is the records of the points of a chunk that can be seen, and in perspective their depths.
type scratch struct {
	records []record
	depths  []uint32
}

// chunk is the records of some thousand points, sorted by the bands of rows that they touch; a disc
// that reaches over the border of a band is in both. The order within a band is that of the points,
// so the picture does not depend on how many workers there are.
type chunk struct {
	sorted []record // in perspective each is a deep
	first  []int32  // records of band b are sorted[first[b]:first[b+1]]
}

func (c *Canvas) binChunk(i int) {
	ch, s := &c.chunks[c.base+i], &c.scratch[i]
	from := c.from + i*chunkPoints
	to := min(from+chunkPoints, c.to)
	if s.records == nil {
		s.records, s.depths = make([]record, chunkPoints), make([]uint32, chunkPoints)
	}
	if cap(ch.first) < c.bands+1 {
		ch.first = make([]int32, c.bands+1, c.bands+65)
	}
	ch.first = ch.first[:c.bands+1]
	clear(ch.first)
	perspective := c.proj.Reference > 0
	n := 0
	if perspective {
		n = c.projectPerspective(s, from, to)
	} else {
		n = c.projectFlat(s.records, from, to)
	}
	raw := s.records[:n]

	// Counting sort. first[b+1] counts band b, then becomes its end while records are placed.
	reach := c.kernels.list[0].reach
	for _, r := range raw {
		if perspective {
			reach = c.kernels.list[r.kernel()].reach
		}
		lo, hi := c.bandsOf(r.y(), int(reach))
		ch.first[lo+1]++
		for b := lo + 1; b <= hi; b++ {
			ch.first[b+1]++
		}
	}
	total := int32(0)
	for b := 1; b < len(ch.first); b++ {
		n := ch.first[b]
		ch.first[b] = total
		total += n
	}
	if cap(ch.sorted) < int(total) {
		ch.sorted = make([]record, total, total+total/4+chunkPoints/4)
	}
	ch.sorted = ch.sorted[:total]
	first, sorted := ch.first[1:], ch.sorted
	if perspective {
		c.spread(ch, s, raw)
		return
	}
	for _, r := range raw {
		lo, hi := c.bandsOf(r.y(), int(reach))
		sorted[first[lo]] = r
		first[lo]++
		for b := lo + 1; b <= hi; b++ {
			sorted[first[b]] = r
			first[b]++
		}
	}
}

// bandsOf returns the bands that rows y-reach to y+reach touch; some of the rows are on the canvas.
func (c *Canvas) bandsOf(y, reach int) (lo, hi int) {
	return max(y-reach, 0) / bandRows, min(y+reach, c.h-1) / bandRows
}

// entry returns the colour of point i, and whether it is drawn.
func (c *Canvas) entry(i int) (uint16, bool) {
	if len(c.points.States) > 0 {
		state := c.points.States[i]
		if state&Hidden != 0 {
			return 0, false
		}
		if c.style.DimUnselected && state&Selected == 0 {
			return palette.MissingEntry, true
		}
	} else if c.style.DimUnselected { // no point is selected
		return palette.MissingEntry, true
	}
	if len(c.points.Values) == 0 {
		return c.style.Lookup.Entry(float32(math.NaN())), true
	}
	return c.style.Lookup.Entry(c.points.Values[i]), true
}

// projectFlat writes the records of the points [from, to) that can be seen and returns their number.
func (c *Canvas) projectFlat(raw []record, from, to int) (n int) {
	p := &c.proj
	dims := c.points.Dims
	w2, h2 := float32(c.w)/2, float32(c.h)/2
	ox, oy := p.Origin[0], p.Origin[1]
	// In 64ths of a pixel, moved.
	ax, bx := p.M[0]*w2*64, ((p.M[12]+1)*w2+recordOffset)*64
	ay, by := p.M[5]*h2*64, ((p.M[13]+1)*h2+recordOffset)*64
	reach := float32(c.kernels.list[0].reach)
	minXY := (recordOffset - reach) * 64
	maxX, maxY := (float32(c.w)+reach+recordOffset)*64, (float32(c.h)+reach+recordOffset)*64
	pos := c.points.Pos[from*dims : to*dims]
	simple := len(c.points.States) == 0 && len(c.points.Values) > 0 && !c.style.DimUnselected
	var values []float32
	if simple {
		values = c.points.Values[from:to]
	}
	lookup := c.style.Lookup
	for i := range to - from {
		x := (pos[i*dims]-ox)*ax + bx
		y := (pos[i*dims+1]-oy)*ay + by
		if !(x > minXY && x < maxX && y > minXY && y < maxY) { // NaN fails all of these
			continue
		}
		var entry uint16
		if simple {
			entry = lookup.Entry(values[i])
		} else {
			var ok bool
			if entry, ok = c.entry(from + i); !ok {
				continue
			}
		}
		raw[n] = pack(uint32(int32(x)), uint32(int32(y)), entry, 0)
		n++
	}
	return n
}
